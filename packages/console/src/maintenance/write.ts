import type { Answer } from '../api/answer.ts';
import { CallError } from '../api/call-error.ts';
import { call } from '../api/call.ts';
import type { WindowBody } from './form.ts';
import { type WholeWindow, windowPath } from './queries.ts';
import { isSameRules, spanOf } from './windows.ts';

export interface Server {
  readonly call: <T>(request: Parameters<typeof call>[0]) => Promise<T>;
}

/** What a window was when it was read before a write, and what another person had changed: then nothing was sent. */
export interface WindowResult {
  readonly changes: readonly string[];
  readonly seen: WholeWindow | undefined;
}

/** Starts or plans a window. Sent twice it makes two. */
export async function createWindow(body: WindowBody, server: Server = { call }): Promise<WindowResult> {
  await server.call({ method: 'POST', path: '/v1/maintenance', body, isDoneEachTime: true });
  return { changes: [], seen: undefined };
}

/** A change of a window that its person saw. */
export interface WindowChange {
  readonly seen: WholeWindow;
  /** What replaces a planned window, or the new end of one that is on. */
  readonly change: { readonly body: WindowBody } | { readonly endDate: string };
  /** What another person changed, a sentence each. */
  readonly changesBetween: (before: WholeWindow, now: WholeWindow) => readonly string[];
}

/**
 * Changes a window, unless another person changed it since its person saw it. It is read right before. A change that is done already is not
 * sent again.
 */
export async function changeWindow(
  { change, changesBetween, seen }: WindowChange,
  server: Server = { call },
): Promise<WindowResult> {
  const path = windowPath(seen.id);
  const { data: now } = await server.call<Answer<'get-maintenance'>>({ path });
  if (isDone(now, change)) return { changes: [], seen: now };
  const changes = changesBetween(seen, now);
  if (changes.length > 0) return { changes, seen: now };
  if ('body' in change) await server.call({ method: 'PUT', path, body: change.body });
  else await server.call({ method: 'POST', path: `${path}/change-end-date`, body: { endDate: change.endDate } });
  return { changes: [], seen: now };
}

function isDone(now: WholeWindow, change: WindowChange['change']): boolean {
  const span = spanOf(now);
  if ('endDate' in change) return span?.until === Date.parse(change.endDate);
  const { description, rules, time } = change.body;
  return (
    time.type === 'schedule' &&
    now.description === description &&
    span?.from === Date.parse(time.startDate) &&
    span.until === Date.parse(time.endDate) &&
    isSameRules(now.rules, rules)
  );
}

/** Ends a window that is on, for good. */
export async function endWindow(id: string, server: Server = { call }): Promise<void> {
  await server.call({ method: 'POST', path: `${windowPath(id)}/cancel` });
}

/** Deletes a window. One that is gone already stays so. */
export async function deleteWindow(id: string, server: Server = { call }): Promise<void> {
  try {
    await server.call({ method: 'DELETE', path: windowPath(id) });
  } catch (error) {
    if (!(error instanceof CallError && error.failure === 'missing')) throw error;
  }
}
