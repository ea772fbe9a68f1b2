import type { BatchResult } from '@tocsin/events';
import { AppError, isDefect } from '@tocsin/core';

/**
 * The result of records whose processing threw `error`: `refused` where the same records would fail again, because of a defect or
 * an `AppError` that is not retryable; else `retry`.
 */
export function failureResult(error: unknown): Extract<BatchResult, { reason: string }> {
  const willFailAgain = error instanceof AppError ? !error.retryable : isDefect(error);
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { outcome: willFailAgain ? 'refused' : 'retry', reason };
}
