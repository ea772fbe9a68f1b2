import type { Converted, ImportBody, Loss } from './body.ts';
import type { Fields } from './fields.ts';

/** Takes a sentence about a part of a thing that is not moved as it is. */
export type Lost = (what: string) => void;

/** Names the fields that were not read. */
export function reportLeft(fields: Fields, lost: Lost): void {
  const left = fields.left();
  if (left.length > 0) lost(`Not moved, because Tocsin has no such field: ${left.join(', ')}.`);
}

/** Collects the bodies of a thing, with what is lost. */
export function converted(of: Omit<Loss, 'what'>, convert: (lost: Lost) => readonly ImportBody[]): Converted {
  const losses: Loss[] = [];
  const bodies = convert((what) => losses.push({ ...of, what }));
  return { bodies, losses };
}
