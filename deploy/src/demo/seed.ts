import { setTimeout as pause } from 'node:timers/promises';
import { TroubleError } from '../trouble.ts';
import type { DemoThing } from '../../../charts/tocsin/files/demo-plan.mjs';

const TRIES = 60;
const PAUSE_MS = 500;

/** An answer of the public API. */
export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Calls the public API as its users do. */
export type CallApi = (method: 'GET' | 'POST', path: string, body?: unknown) => Promise<Answer>;

/**
 * Creates what of `plan` is missing; done again, it changes nothing.
 *
 * @throws TroubleError when the API refuses something; the message has its answer.
 */
export async function seedDemo(plan: readonly DemoThing[], call: CallApi, pauseMs = PAUSE_MS): Promise<void> {
  for (const thing of plan) await present(thing, call, pauseMs);
}

async function present(thing: DemoThing, call: CallApi, pauseMs: number): Promise<void> {
  const { create, isThere, label, lookUp } = thing;
  const found = await patiently(() => call('GET', lookUp), pauseMs, isThere === undefined ? [503] : [503, 404]);
  if (isDone(thing, found)) return;
  if (found.status !== 404 && found.status !== 200) throw refused(`look for the ${label}`, found);
  const created = await patiently(() => call('POST', create.path, create.body), pauseMs);
  if (created.status !== 201 && created.status !== 409) throw refused(`create the ${label}`, created);
}

/** Whether it is there, or in a list whose owner does not come: that one was renamed or deleted, and the demo leaves it alone. */
function isDone({ isThere }: DemoThing, { body, status }: Answer): boolean {
  if (isThere === undefined) return status === 200;
  return status === 404 || (status === 200 && isThere(body));
}

/** Calls again while the status says that something is still on its way up. */
async function patiently(
  call: () => Promise<Answer>,
  pauseMs: number,
  comesLater: readonly number[] = [503],
): Promise<Answer> {
  let answer = await call();
  for (let tries = 1; comesLater.includes(answer.status) && tries < TRIES; tries++) {
    await pause(pauseMs);
    answer = await call();
  }
  return answer;
}

function refused(what: string, { status, body }: Answer): TroubleError {
  const hint =
    status === 401 ? ' Its first start decided the key: set BOOTSTRAP_API_KEY to that one, or run npm run reset.' : '';
  return new TroubleError(`The installation does not let us ${what}: ${String(status)} ${body}${hint}`);
}
