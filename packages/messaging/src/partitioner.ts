import { type PartitionMetadata, Partitioners } from 'kafkajs';

const partitioner = Partitioners.DefaultPartitioner();

/**
 * The partition (0 or more, below `partitions`) of every message with `key`: murmur2, as the Java client and the others do. The
 * same key has the same partition for as long as the topic has the same number of them.
 */
export function partitionOf(key: string, partitions: number): number {
  // For a message with a key, the client's partitioner only reads how many partitions there are.
  const partitionMetadata = new Array<PartitionMetadata>(partitions);
  return partitioner({ topic: '', partitionMetadata, message: { key, value: null } });
}
