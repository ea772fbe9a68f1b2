import { z } from 'zod';

/** `value` as `schema` reads it. What it refuses of that, the body of `context` refuses too. */
export function readBy<T>(schema: z.ZodType<T>, value: unknown, context: z.core.$RefinementCtx): T {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  for (const { path, message } of read.error.issues) context.addIssue({ code: 'custom', path: [...path], message });
  return z.NEVER;
}

/** The refusals of invalid values in several bodies. */
export const NOT_AN_OBJECT = 'should be an object';
export const NO_REFERENCE = 'id or name should be provided';
export const NO_USER = 'id or username should be provided';
