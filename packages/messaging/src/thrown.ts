import type { Settlement } from '@tocsin/contracts';
import { AppError, isDefect } from '@tocsin/errors';

/**
 * What an error that a handler threw means for its records: `refused` for a defect or an error of ours that is not retryable,
 * because the same records would fail again; else `retry`.
 */
export function thrown(error: unknown): Extract<Settlement, { reason: string }> {
  const lasting = error instanceof AppError ? !error.retryable : isDefect(error);
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { outcome: lasting ? 'refused' : 'retry', reason };
}
