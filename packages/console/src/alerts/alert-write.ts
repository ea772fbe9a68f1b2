import type { Answer } from '../api/answer.ts';
import { CallError, type CallFailure } from '../api/call-error.ts';
import { call } from '../api/call.ts';
import { pause } from '../api/pause.ts';
import type { Responder } from '../people/people.ts';

/** A write of one alert, as the documented operations take it. */
export interface AlertWrite {
  readonly id: string;
  readonly action:
    | 'acknowledge'
    | 'actions'
    | 'assign'
    | 'close'
    | 'delete'
    | 'description'
    | 'details'
    | 'escalate'
    | 'message'
    | 'notes'
    | 'priority'
    | 'responders'
    | 'snooze'
    | 'tags'
    | 'unacknowledge';
  /** Of `actions`: the name of the custom action. */
  readonly name?: string;
  /** `DELETE` takes tags or details away. */
  readonly method?: 'POST' | 'DELETE';
  readonly body?: AlertWriteBody;
}

interface AlertWriteBody {
  readonly note?: string;
  readonly endTime?: string;
  readonly owner?: { readonly username: string };
  readonly responder?: Responder;
  readonly escalation?: { readonly name: string };
  readonly tags?: readonly string[];
  readonly details?: Readonly<Record<string, string>>;
  readonly keys?: readonly string[];
  readonly message?: string;
  readonly description?: string;
  readonly priority?: string;
}

/** How long the page waits until an accepted write is settled. */
const SETTLE_TIMEOUT_MS = 20_000;
const AGAIN_AFTER_MS = 250;

/** The actions that the server does again each time that they are sent. */
const DONE_EACH_TIME: ReadonlySet<AlertWrite['action']> = new Set(['actions', 'escalate', 'notes']);

/** What the page says of a write that was accepted and is not settled after a while. */
export const NOT_APPLIED_YET =
  'The server has accepted this and not applied it yet. The page shows the change when it is made.';

type Status = Answer<'get-request-status'>['data'];

/**
 * Sends a write, and waits until it is settled.
 *
 * @returns why it did not happen; undefined where it did
 */
export async function writeAlert(write: AlertWrite): Promise<string | undefined> {
  const { body = {} } = write;
  const isDoneEachTime = DONE_EACH_TIME.has(write.action);
  const { requestId } = await call<{ readonly requestId: string }>({ ...operationOf(write), body, isDoneEachTime });
  const read = async (timeLeftMs: number) => {
    const signal = AbortSignal.timeout(timeLeftMs);
    return (await call<Answer<'get-request-status'>>({ path: `/v2/alerts/requests/${requestId}`, signal })).data;
  };
  const status = await settledStatus(read, { now: () => performance.now(), wait: pause });
  if (status === undefined) return NOT_APPLIED_YET;
  return status.success ? undefined : status.status;
}

/** The actions that replace a text of the alert. */
const REPLACING: ReadonlySet<AlertWrite['action']> = new Set(['message', 'description', 'priority']);

/** The method and the path of a write. */
export function operationOf({ action, id, method = 'POST', name = '' }: AlertWrite): {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
} {
  const alert = `/v2/alerts/${encodeURIComponent(id)}`;
  if (action === 'delete') return { method: 'DELETE', path: alert };
  if (action === 'actions') return { method, path: `${alert}/actions/${encodeURIComponent(name)}` };
  return { method: REPLACING.has(action) ? 'PUT' : method, path: `${alert}/${action}` };
}

/** What a read of the status can end with that says nothing of the write, which was accepted. `missing`: not settled yet (A8). */
const NOT_KNOWN: readonly CallFailure[] = ['missing', 'offline', 'unavailable', 'throttled', 'other'];

interface SettleClock {
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
}

/**
 * Reads the status of an accepted write until it is known.
 *
 * @param read - is given how many milliseconds it may take
 * @returns undefined where it was not known in time
 */
export async function settledStatus(
  read: (timeLeftMs: number) => Promise<Status>,
  { now, wait }: SettleClock,
): Promise<Status | undefined> {
  const endsAt = now() + SETTLE_TIMEOUT_MS;
  for (let timeLeftMs = SETTLE_TIMEOUT_MS; timeLeftMs > 0; timeLeftMs = endsAt - now()) {
    try {
      return await read(Math.ceil(timeLeftMs));
    } catch (error) {
      if (!(error instanceof CallError && NOT_KNOWN.includes(error.failure))) throw error;
      const pauseMs = Math.max((error.retryAfterSeconds ?? 0) * 1_000, AGAIN_AFTER_MS);
      await wait(Math.min(pauseMs, Math.max(endsAt - now(), 0)));
    }
  }
  return undefined;
}
