import type { Settlement } from '@tocsin/contracts';
import { AppError, isDefect } from '@tocsin/errors';

/**
 * The settlement of records whose handler threw `error`: `refused` where the same records would fail again, because of a defect or
 * an `AppError` that is not retryable; else `retry`.
 */
export function settlementOfError(error: unknown): Extract<Settlement, { reason: string }> {
  const willFailAgain = error instanceof AppError ? !error.retryable : isDefect(error);
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { outcome: willFailAgain ? 'refused' : 'retry', reason };
}
