import { z } from 'zod';
import { resultOf } from './answers/shared.ts';
import type { JsonSuccess } from './description.ts';

/** The answer of a read: `data` is an example of it. */
export const dataAnswer = (schema: z.ZodType, data: unknown): JsonSuccess => ({
  status: 200,
  schema: z.object({ data: schema }),
  example: { data },
});

/** The answer of a write that says `result` and nothing else. */
export const doneAnswer = (result: string): JsonSuccess => ({
  status: 200,
  schema: resultOf(result),
  example: { result },
});

/** The answer of a write that says `result` and tells of the thing that it changed. */
export const changedAnswer = (result: string, schema: z.ZodType, data: unknown): JsonSuccess => ({
  status: 200,
  schema: resultOf(result).extend({ data: schema }),
  example: { result, data },
});

/** The answer of a write that made a thing. */
export const createdAnswer = (schema: z.ZodType, data: unknown): JsonSuccess => ({
  ...changedAnswer('Created', schema, data),
  status: 201,
});

/** An answer of `/v2/integrations/**`, which repeats its status in `code` (E1). */
export const codedAnswer = (
  status: 200 | 201,
  shape: z.ZodRawShape,
  example: Readonly<Record<string, unknown>>,
): JsonSuccess => ({
  status,
  schema: z.object({ code: z.literal(status), ...shape }),
  example: { code: status, ...example },
});
