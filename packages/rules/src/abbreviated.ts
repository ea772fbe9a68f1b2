import { shortened } from './excess.ts';

const MAX = 50;

/** Control characters, line breaks and marks of writing direction. */
const BREAKING = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu;

/** The first `max` code points of `text` on one line, with an ellipsis where there is more. */
export function abbreviated(text: string, max: number = MAX): string {
  const some = shortened(text.length > 2 * max ? text.slice(0, 2 * max) : text, max);
  const line = some.replaceAll(BREAKING, ' ');
  return some.length === text.length ? line : `${line}…`;
}
