import { CallError, type CallFailure } from './call-error.ts';

/** Failures that pass by themselves: the same read can be answered later. */
const PASSING: readonly CallFailure[] = ['offline', 'unavailable', 'throttled', 'other'];

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;

/** How long to wait before something that failed is tried again: twice as long each time, and at least as long as the answer asks for. */
export const pauseBefore = (failures: number, error: unknown): number =>
  Math.max(
    Math.min(FIRST_PAUSE_MS * 2 ** failures, MAX_PAUSE_MS),
    (error instanceof CallError ? (error.retryAfterSeconds ?? 0) : 0) * 1_000,
  );

/** For a read that no timer repeats: it is tried again while the page shows its answer, until it is answered or refused for good. */
export const READ_AGAIN = {
  retry: (_failures: number, error: Error) => error instanceof CallError && PASSING.includes(error.failure),
  retryDelay: pauseBefore,
} as const;
