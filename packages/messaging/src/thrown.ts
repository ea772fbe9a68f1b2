import type { Settlement } from '@tocsin/contracts';
import { AppError, isDefect } from '@tocsin/errors';

/**
 * What a failure that a handler threw means for its records: `refused` where the same records provoke it for ever, by a
 * defect or by a refusal of ours that is not to be tried again; else `retry`, because it may be the trouble of an engine.
 */
export function thrown(error: unknown): Extract<Settlement, { reason: string }> {
  const lasting = error instanceof AppError ? !error.retryable : isDefect(error);
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { outcome: lasting ? 'refused' : 'retry', reason };
}
