import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import type { Call, Called } from './caller.ts';
import { leastMeasured, startProcessorTime } from './processor-time.ts';

/** The longest that an event loop may be blocked, in milliseconds of processor time. */
export const MAX_TURN_MS = 20;

/** A request that a service answers without waiting for anything outside the process. */
interface MeasuredRequest extends Omit<Call, 'port'> {
  readonly app: RequestListener;
}

/** The answer of a service, and how long the event loop was blocked. */
interface MeasuredAnswer {
  readonly status: number;
  /** The longest turn of the event loop, in milliseconds of an undisturbed processor. */
  readonly longestTurnMs: number;
}

/** The answer to a request, and the longest turn of the event loop meanwhile: the shortest of several tries, or the first of at most 20 ms. */
export async function measuredAnswer({ app, ...call }: MeasuredRequest): Promise<MeasuredAnswer> {
  const server = createServer(app).listen(0, '127.0.0.1');
  const caller = new Worker(new URL('caller.ts', import.meta.url));
  try {
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { ms, status } = await leastMeasured(MAX_TURN_MS, () =>
      longestTurn(() => answered(caller, { ...call, port })),
    );
    return { status, longestTurnMs: ms };
  } finally {
    server.close();
    server.closeAllConnections();
    await caller.terminate();
  }
}

async function longestTurn<T extends object>(work: () => Promise<T>): Promise<T & { readonly ms: number }> {
  let longest = 0;
  let turn = startProcessorTime();
  const sample = () => {
    longest = Math.max(longest, turn());
    turn = startProcessorTime();
    next = setImmediate(sample);
  };
  let next = setImmediate(sample);
  try {
    const result = await work();
    return { ...result, ms: longest };
  } finally {
    clearImmediate(next);
  }
}

async function answered(caller: Worker, call: Call): Promise<{ readonly status: number }> {
  caller.postMessage(call);
  const [called] = (await once(caller, 'message')) as [Called];
  if ('failed' in called) throw new Error(called.failed);
  return called;
}
