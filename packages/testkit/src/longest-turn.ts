import { createServer, request, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { leastMeasured, startProcessorTime } from './processor-time.ts';

/** The longest that an event loop may be blocked, in milliseconds of processor time. */
export const MAX_TURN_MS = 20;

/** A request that a service answers without waiting for anything outside the process. */
interface MeasuredRequest {
  readonly app: RequestListener;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body of a POST, which is JSON. Without it the request is a GET. */
  readonly body?: string;
}

/** The answer of a service, and how long the event loop was blocked. */
interface MeasuredAnswer {
  readonly status: number;
  /** The longest turn of the event loop, in milliseconds of an undisturbed processor. */
  readonly longestTurnMs: number;
}

/** The answer to a request, and the longest turn of the event loop meanwhile: the shortest of several tries, or the first of at most 20 ms. */
export async function measuredAnswer(measured: MeasuredRequest): Promise<MeasuredAnswer> {
  const server = createServer(measured.app).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const { ms, status } = await leastMeasured(MAX_TURN_MS, () => longestTurn(() => answered(port, measured)));
  server.close();
  server.closeAllConnections();
  return { status, longestTurnMs: ms };
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

/** The text of the answer is dropped, so that the caller takes almost no time. */
const answered = (port: number, { body, headers, path }: MeasuredRequest): Promise<{ readonly status: number }> =>
  new Promise((resolve, reject) => {
    const method = body === undefined ? 'GET' : 'POST';
    const sent = { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) };
    request({ port, host: '127.0.0.1', method, path, headers: sent, agent: false }, (response) => {
      response.resume().once('end', () => {
        resolve({ status: response.statusCode ?? 0 });
      });
    })
      .once('error', reject)
      .end(body);
  });
