import { v7 as uuidV7 } from 'uuid';

/** A new request id: a UUID v7 that carries the instant `at`, by which a young id is told from an old one (E3, A8). */
export function requestIdAt(at: Date): string {
  return uuidV7({ msecs: at.getTime() });
}
