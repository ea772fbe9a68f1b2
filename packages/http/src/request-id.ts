import { randomFillSync } from 'node:crypto';
import { v7 as uuidV7 } from 'uuid';

const BYTES_PER_ID = 16;
/** Asking the system for randomness costs more than the rest of an id, so it is asked for many ids at once. */
const pool = new Uint8Array(256 * BYTES_PER_ID);
let used = pool.length;

/** A new request id: a UUID v7 that carries the instant `at`, by which a young id is told from an old one (E3, A8). */
export function requestIdAt(at: Date): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const random = pool.subarray(used, (used += BYTES_PER_ID));
  return uuidV7({ msecs: at.getTime(), random });
}
