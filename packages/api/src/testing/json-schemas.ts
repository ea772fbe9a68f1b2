import { describe, expect, it } from '@jest/globals';
import type { z } from 'zod';
import { validator } from './described.ts';

/** Schemas that read requests, by what they read, each with values that it takes and values that it refuses. */
export type ReadSchemas = Readonly<
  Record<string, readonly [schema: z.ZodType, taken: readonly unknown[], refused: readonly unknown[]]>
>;

/** Tests that the API description allows the values that each schema takes, and none that it refuses. */
export function describeJsonSchemas(schemas: ReadSchemas): void {
  describe('the JSON Schema', () => {
    it.each(Object.entries(schemas))('of %s takes and refuses what is read', (_, [schema, taken, refused]) => {
      const allows = validator(schema);
      const values = [...taken, ...refused];
      const expected = values.map((_each, index) => index < taken.length);
      expect(values.map((value) => schema.safeParse(value).success)).toEqual(expected);
      expect(values.map((value) => allows(value))).toEqual(expected);
    });
  });
}
