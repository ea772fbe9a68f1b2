import { z } from 'zod';

/** Numbers from the first to the last, both inclusive; 1 or more. */
export const NumberRange = z
  .tuple([z.int().min(1), z.int().min(1)])
  .refine(([first, last]) => first <= last, 'should begin before it ends');
export type NumberRange = readonly [first: number, last: number];

/**
 * The numbers of the messages that one attempt writes to one partition. They grow with each attempt of the process to that partition.
 * The last of the messages carries them, so a consumer that has processed it has processed all.
 */
export interface ProducerSequence {
  /** The life of one process: a UUID. */
  readonly instance: string;
  readonly numbers: NumberRange;
}

/** The report of a process about the messages that it wrote to one partition. */
export const PartitionReport = z.object({
  partition: z.int().min(0),
  /** Everything up to this number has an outcome. */
  through: z.int().min(0),
  /** No caller got a success for these: whether they are on the partition is not known, and none is owed. */
  unacknowledged: z.array(NumberRange).max(2_000),
});
export type PartitionReport = z.infer<typeof PartitionReport>;

/** The numbers that are owed by a process: of each partition all up to `through`, except those that are unacknowledged. */
export const SequenceReport = z.object({
  instance: z.uuid(),
  partitions: z.array(PartitionReport).max(10_000),
});
export type SequenceReport = z.infer<typeof SequenceReport>;

/** The numbers of one process that a consumer has met in a partition: all up to `through`, except those in `gaps`. */
export interface ReceivedNumbers {
  readonly through: number;
  readonly gaps: readonly NumberRange[];
}
