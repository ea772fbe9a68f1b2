import { shortened } from './excess.ts';

const MAX = 50;

/** What breaks a line, or turns the direction in which the rest of it is read. */
const BREAKING = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** `text` for a sentence: at most `max` code points of it on one line, and an ellipsis where that is not all. */
export function abbreviated(text: string, max: number = MAX): string {
  const some = shortened(text.length > 2 * max ? text.slice(0, 2 * max) : text, max);
  const line = some.replaceAll(BREAKING, ' ');
  return some.length === text.length ? line : `${line}…`;
}
