import { optional } from '@tocsin/events';
import { z } from 'zod';

/** The id of a thing in the account from which it comes (I1). */
export const ImportId = z
  .string()
  .regex(/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/, 'should be a UUID in lower case')
  .meta({ description: 'The id that the thing has in the account from which it comes: a UUID in lower case.' });

/** The id of a thing within an imported one, such as a rotation or a step. */
export const NestedImportId = optional(ImportId);

/** Refuses a list in which two things have the same value of `field`. */
export const eachOnce =
  <K extends string>(field: K) =>
  (
    items: readonly Readonly<Partial<Record<K, string | undefined>>>[],
    context: { addIssue(issue: { code: 'custom'; path: (string | number)[]; message: string }): void },
  ): void => {
    const seen = new Set<string>();
    for (const [index, { [field]: value }] of items.entries()) {
      if (value === undefined) continue;
      const path = [index, field];
      if (seen.has(value)) context.addIssue({ code: 'custom', path, message: 'should be unique in the list' });
      seen.add(value);
    }
  };
