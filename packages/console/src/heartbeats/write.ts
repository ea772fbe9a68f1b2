import type { Answer } from '../api/answer.ts';
import { CallError } from '../api/call-error.ts';
import { call } from '../api/call.ts';
import { bodyOf, changeOf, changesBetween, formOf, type HeartbeatForm } from './form.ts';
import { type Heartbeat, heartbeatPath } from './queries.ts';

/** What another person changed before a write, which was not sent then, and what the heartbeat was. */
export interface WriteResult {
  readonly changes: readonly string[];
  readonly seen: Heartbeat | undefined;
}

interface Server {
  readonly call: <T>(request: Parameters<typeof call>[0]) => Promise<T>;
}

/** Creates an enabled heartbeat. */
export async function createHeartbeat(form: HeartbeatForm, server: Server = { call }): Promise<WriteResult> {
  const body = { ...bodyOf(form), enabled: true };
  await server.call<Answer<'create-heartbeat'>>({ method: 'POST', path: '/v2/heartbeats', body });
  return { changes: [], seen: undefined };
}

export interface HeartbeatChange {
  readonly form: HeartbeatForm;
  /** What the form was filled from: fields that are as they were then are not written. */
  readonly filled: Heartbeat;
  /** What its person saw last. */
  readonly seen: Heartbeat;
}

/**
 * Changes a heartbeat, unless another person changed it since its person saw it. It is read right before, to keep the time short in which a
 * change of another person would be overwritten. A change that is done already is not sent again.
 */
export async function changeHeartbeat(
  { filled, form, seen }: HeartbeatChange,
  server: Server = { call },
): Promise<WriteResult> {
  const path = heartbeatPath(filled.name);
  const { data: now } = await server.call<Answer<'get-heartbeat'>>({ path });
  const body = changeOf(form, filled);
  const stored: Readonly<Record<string, unknown>> = { ...bodyOf(formOf(now)) };
  const isDone = Object.entries(body).every(
    ([field, value]) => JSON.stringify(stored[field]) === JSON.stringify(value),
  );
  if (isDone) return { changes: [], seen: now };
  const changes = changesBetween(seen, now);
  if (changes.length === 0) await server.call<Answer<'update-heartbeat'>>({ method: 'PATCH', path, body });
  return { changes, seen: now };
}

export type HeartbeatAction = 'ping' | 'enable' | 'disable' | 'delete';

/** Does something with a heartbeat. One that is deleted already stays so. */
export async function act(action: HeartbeatAction, name: string, server: Server = { call }): Promise<void> {
  const path = heartbeatPath(name);
  if (action !== 'delete') {
    await server.call({ method: 'POST', path: `${path}/${action}` });
    return;
  }
  try {
    await server.call<Answer<'delete-heartbeat'>>({ method: 'DELETE', path });
  } catch (error) {
    if (!(error instanceof CallError && error.failure === 'missing')) throw error;
  }
}
