import { type PartitionMetadata, Partitioners } from 'kafkajs';

const byMurmur2 = Partitioners.DefaultPartitioner();

/**
 * The partition (0 or more, below `partitions`) of every message with `key`: murmur2, as the Java client and the others do.
 * The same key has the same partition for as long as the topic has the same number of them.
 */
export function partitionOf(key: string, partitions: number): number {
  // Only the length is looked at for a message that has a key.
  const partitionMetadata = new Array<PartitionMetadata>(partitions);
  return byMurmur2({ topic: '', partitionMetadata, message: { key, value: null } });
}
