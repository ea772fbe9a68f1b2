import { z } from 'zod';
import { defineTopic } from '../topics.ts';
import { at } from './shared.ts';

/** A record that fails for ever, set aside with its original bytes and the reason. */
export const DeadLetter = z.object({
  topic: z.string(),
  partition: z.int(),
  offset: z.int(),
  /** The consumer group that could not settle it. */
  groupId: z.string(),
  reason: z.string(),
  /** The original key and value, base64; absent where the record had none. */
  key: z.string().optional(),
  value: z.string().optional(),
  /** Of the record's schema; 1 where it is absent. */
  version: z.int().positive().optional(),
  failedAt: at,
});
export type DeadLetter = z.infer<typeof DeadLetter>;

/** Says that the record of a dead letter was put on its topic again. */
export const RedrivenLetter = DeadLetter.pick({ topic: true, partition: true, offset: true }).extend({
  redrivenAt: at,
});
export type RedrivenLetter = z.infer<typeof RedrivenLetter>;

/** Keyed by where the record stood, so that a letter written twice is seen to be one, and what became of it comes after it. */
export const DeadLetters = defineTopic<DeadLetter | RedrivenLetter>({
  name: 'dead-letters.v1',
  kind: 'events',
  schema: z.union([DeadLetter, RedrivenLetter]),
  key: (letter) => `${letter.topic}/${letter.partition}/${letter.offset}`,
});
