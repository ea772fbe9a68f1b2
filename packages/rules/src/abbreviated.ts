import { shortened } from './excess.ts';

const MAX = 50;

/** `text` for a sentence: at most `max` code points of it, and an ellipsis where that is not all. */
export function abbreviated(text: string, max: number = MAX): string {
  const some = shortened(text.length > 2 * max ? text.slice(0, 2 * max) : text, max);
  return some.length === text.length ? text : `${some}…`;
}
