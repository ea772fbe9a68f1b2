import { CallError } from '../api/call-error.ts';
import { createStore } from '../shell/store.ts';

/** Why the page cannot read the server at present. */
export type Outage = 'offline' | 'away';

/** Absent while calls are answered. */
export const outageStore = createStore<Outage | undefined>(undefined);

/** What the result of a call says of the connection: an outage, that there is none, or nothing. */
export function outageOf(error: unknown): Outage | 'none' | 'unknown' {
  if (error === undefined) return 'none';
  if (!(error instanceof CallError)) return 'unknown';
  return error.failure === 'offline' || error.failure === 'away' ? error.failure : 'none';
}

/** Notes the result of a call; without an error it was answered. */
export function noteResult(error?: unknown): void {
  const outage = outageOf(error);
  if (outage !== 'unknown') outageStore.set(outage === 'none' ? undefined : outage);
}
