import { z } from 'zod';
import { resultOf } from './answers/shared.ts';
import type { JsonSuccess } from './operation.ts';

/** The answer of a read: `data` is an example of it. */
export const dataAnswer = <S extends z.ZodType>(schema: S, data: unknown): JsonSuccess<z.ZodObject<{ data: S }>> => ({
  status: 200,
  schema: z.object({ data: schema }),
  example: { data },
});

/** The answer of a write that says `result` and nothing else. */
export const doneAnswer = <R extends string>(result: R): JsonSuccess<z.ZodObject<{ result: z.ZodLiteral<R> }>> => ({
  status: 200,
  schema: resultOf(result),
  example: { result },
});

/** The answer of a write that says `result` and describes the thing that it changed. */
export const changedAnswer = <R extends string, S extends z.ZodType>(
  result: R,
  schema: S,
  data: unknown,
): JsonSuccess<z.ZodObject<{ result: z.ZodLiteral<R>; data: S }>> => ({
  status: 200,
  schema: resultOf(result).extend({ data: schema }),
  example: { result, data },
});

/** The answer of a write that made a thing. */
export const createdAnswer = <S extends z.ZodType>(
  schema: S,
  data: unknown,
): JsonSuccess<z.ZodObject<{ result: z.ZodLiteral<'Created'>; data: S }>> => ({
  ...changedAnswer('Created', schema, data),
  status: 201,
});

/** An answer of `/v2/integrations/**`, which repeats its status in `code` (E1). */
export const codedAnswer = <Status extends 200 | 201, Shape extends z.ZodRawShape>(
  status: Status,
  shape: Shape,
  example: Readonly<Record<string, unknown>>,
): JsonSuccess<z.ZodObject<{ code: z.ZodLiteral<Status> } & Shape>> => ({
  status,
  schema: z.object({ code: z.literal(status), ...shape }),
  example: { code: status, ...example },
});
