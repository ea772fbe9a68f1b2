import { z } from 'zod';

/** An instant as answers show it: UTC, `Z`, up to three decimals (E6). */
export const Instant = z.iso.datetime({ precision: null }).meta({ id: 'Instant', examples: ['2026-01-31T08:00:00Z'] });

/** An identifier. Its form may change: take it as it is. */
export const Id = z
  .string()
  .min(1)
  .max(100)
  .meta({ id: 'Id', examples: ['0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e12'] });

/** The team that owns a thing; without a name where the team is gone. */
export const OwnerTeam = z.object({ id: Id, name: z.string().optional() }).meta({ id: 'OwnerTeam' });

/** The answer to a write that made or changed a thing that has a name. */
export const Named = z.object({ id: Id, name: z.string() });

/** The answer of a write that has nothing else to say. */
export const resultOf = <R extends string>(result: R): z.ZodObject<{ result: z.ZodLiteral<R> }> =>
  z.object({ result: z.literal(result) });

/** P1 is the most urgent. */
export const Priority = z.enum(['P1', 'P2', 'P3', 'P4', 'P5']).meta({ id: 'Priority' });
