import { v7 as uuidV7 } from 'uuid';

/** A new request id: a UUID v7 with the instant `at`, so that the age of an id is known (E3, A8). */
export function requestIdAt(at: Date): string {
  return uuidV7({ msecs: at.getTime() });
}
