import { shortened } from './excess.ts';

const TOLD = 50;

/** `text` as a sentence tells it: at most `max` characters, and an ellipsis where that is not all. */
export function told(text: string, max: number = TOLD): string {
  const some = shortened(text.length > 2 * max ? text.slice(0, 2 * max) : text, max);
  return some.length === text.length ? text : `${some}…`;
}
