const SEED = 0x9747b28c;
const M = 0x5bd1e995;

/**
 * The partition (0 or more, below `partitions`) of every message with `key`: murmur2, as the Java client and the others do. The
 * same key has the same partition for as long as the topic has the same number of them.
 */
export function partitionOf(key: string, partitions: number): number {
  return (murmur2(Buffer.from(key)) & 0x7f_ff_ff_ff) % partitions;
}

/** In 32 bits. The client's own, in 64 bits, takes 0.7 ms for the longest alias: a caller could fill the process with a few of them. */
function murmur2(bytes: Buffer): number {
  const tail = bytes.length & ~3;
  let hash = SEED ^ bytes.length;
  for (let at = 0; at < tail; at += 4) {
    const word = Math.imul(bytes.readInt32LE(at), M);
    hash = Math.imul(hash, M) ^ Math.imul(word ^ (word >>> 24), M);
  }
  if (tail < bytes.length) hash = Math.imul(hash ^ bytes.readUIntLE(tail, bytes.length - tail), M);
  hash = Math.imul(hash ^ (hash >>> 13), M);
  return hash ^ (hash >>> 15);
}
