import { z } from 'zod';

/** Numbers from the first to the last, both inclusive; 1 or more. */
export const NumberRange = z
  .tuple([z.int().min(1), z.int().min(1)])
  .refine(([first, last]) => first <= last, 'should begin before it ends');
export type NumberRange = readonly [first: number, last: number];

/**
 * What one attempt to write messages to a partition claims: their numbers, which grow with each attempt of that process to that
 * partition. It stands on the last of them, so whoever settled that one has settled all.
 */
export interface Stamp {
  /** The life of one process: a UUID. */
  readonly instance: string;
  readonly numbers: NumberRange;
}

/** What a process that stamps says of one partition. */
export const StampedPartition = z.object({
  partition: z.int().min(0),
  /** Everything up to this number has an outcome. */
  through: z.int().min(0),
  /** Of these nobody was told yes: whether they are on the partition is not known, and nothing is owed. */
  givenUp: z.array(NumberRange).max(2_000),
});
export type StampedPartition = z.infer<typeof StampedPartition>;

/** What a process that stamps commands owes: all numbers up to `through`, but for those that it gave up. */
export const StampReport = z.object({
  instance: z.uuid(),
  partitions: z.array(StampedPartition).max(10_000),
});
export type StampReport = z.infer<typeof StampReport>;

/** Which numbers of one process a partition has brought: all up to `through`, but for those in `gaps`. */
export interface StampAccount {
  readonly through: number;
  readonly gaps: readonly NumberRange[];
}
