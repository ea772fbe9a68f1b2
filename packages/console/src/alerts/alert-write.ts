import { CallError } from '../api/call-error.ts';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';

/** A write of one alert. */
export interface AlertWrite {
  readonly id: string;
  readonly action: 'acknowledge' | 'unacknowledge' | 'close' | 'notes';
  readonly body?: object;
}

/** How long the page waits until an accepted write is settled. */
const SETTLE_TIMEOUT_MS = 20_000;
const AGAIN_AFTER_MS = 250;

type Status = Answer<'get-request-status'>['data'];

/**
 * Sends a write, and waits until it is settled.
 *
 * @returns why it did not happen; undefined where it did
 */
export async function writeAlert({ action, body = {}, id }: AlertWrite): Promise<string | undefined> {
  const path = `/v2/alerts/${encodeURIComponent(id)}/${action}`;
  const { requestId } = await call<{ readonly requestId: string }>({ method: 'POST', path, body });
  const status = await settled(requestId, performance.now() + SETTLE_TIMEOUT_MS);
  if (status === undefined) return 'The server accepted it and has not done it yet. Look again in a moment.';
  return status.success ? undefined : status.status;
}

async function settled(requestId: string, endsAt: number): Promise<Status | undefined> {
  while (performance.now() < endsAt) {
    try {
      return (await call<Answer<'get-request-status'>>({ path: `/v2/alerts/requests/${requestId}` })).data;
    } catch (error) {
      // It is not settled yet (A8). The server has waited already.
      if (!(error instanceof CallError && error.failure === 'missing')) throw error;
    }
    await pause(AGAIN_AFTER_MS);
  }
  return undefined;
}

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
