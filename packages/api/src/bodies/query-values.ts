import { absentWhenEmpty, alsoTaking, blankIsAbsent, oneOf } from '@tocsin/events';
import { z } from 'zod';

/** Metadata of a query value that is `fallback` where it is absent or empty: `?name=` says as much as no `name` (E12). */
const orElse = (fallback: string | number): ReturnType<typeof alsoTaking> => ({
  override: (described) => {
    alsoTaking({ const: '' }).override(described);
    described.jsonSchema['default'] = fallback;
  },
});

/** A query value that is absent, or a whole number of `min` to `max`. */
export function wholeNumber(min: number, max: number, fallback: number): z.ZodType<number> {
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  const refusal = `should be a whole number ${range}`;
  return z
    .preprocess((value) => {
      const given = absentWhenEmpty(value);
      return typeof given === 'string' && /^[+-]?\d+$/.test(given.trim()) ? Number(given) : given;
    }, z.int(refusal).min(min, refusal).max(max, refusal).default(fallback))
    .meta(orElse(fallback));
}

/** How many items a page of a history or list holds: 20 by default. */
export const limit = wholeNumber(1, 100, 20);

/** The latest first by default. */
export const order = z.preprocess(absentWhenEmpty, oneOf(['desc', 'asc']).default('desc')).meta(orElse('desc'));

/** An exclusive cursor (A12). Whether it is one that was ever given is for its owner to say. */
export const cursor = blankIsAbsent(z.string('should be an offset of an earlier answer'));

/** Whether a path names a thing by its id or its name, where it says so. */
export const writtenIdentifierType = blankIsAbsent(oneOf(['id', 'name']));

/** Whether a path names a thing by its id or its name: by its id by default. */
export const identifierType = z
  .preprocess(absentWhenEmpty, oneOf(['id', 'name']).default('id'))
  .meta({ description: 'What the path names the thing by.', ...orElse('id') });
