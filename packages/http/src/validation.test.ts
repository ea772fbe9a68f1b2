import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { InvalidError } from '@tocsin/core';
import { validated } from './validation.ts';

const fieldsOf = (schema: z.ZodType, value: unknown) => {
  try {
    validated(schema, value, 'body');
    return undefined;
  } catch (error) {
    return error instanceof InvalidError ? error.fields : error;
  }
};

describe('validated', () => {
  it('gives what the schema makes of a value', () => {
    expect(validated(z.object({ n: z.coerce.number() }), { n: '1' }, 'query')).toEqual({ n: 1 });
  });

  it('says of a union what is wrong with the branch that came furthest', () => {
    const recipient = z.union([z.string(), z.object({ user: z.object({ id: z.string() }) })]);
    expect(fieldsOf(z.object({ recipients: z.array(recipient) }), { recipients: [{ user: {} }] })).toEqual({
      'recipients[0].user.id': 'should be provided',
    });
  });

  it('names at most fifty fields', () => {
    const value = Array.from({ length: 1_000 }, () => 1);
    expect(Object.keys(fieldsOf(z.array(z.string()), value) as object)).toHaveLength(50);
  });

  it('answers flat strings for every value that does not fit (E1)', () => {
    const schema = z.object({
      a: z.union([z.string(), z.array(z.object({ b: z.int() }))]),
      c: z.record(z.string(), z.string()),
      d: z.enum(['x', 'y']).optional(),
      e: z.discriminatedUnion('type', [z.object({ type: z.literal('f'), g: z.string() })]),
    });
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const fields = fieldsOf(schema, value);
        expect(Object.values(fields as object).length).toBeGreaterThan(0);
        expect(Object.values(fields as object).every((sentence) => typeof sentence === 'string')).toBe(true);
      }),
    );
  });
});
