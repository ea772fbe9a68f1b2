import { createServer, get, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The longest that an event loop may be blocked, in milliseconds of processor time. */
const MAX_TURN_MS = 20;
/** What takes longer is measured again: the collector of garbage may have come in between. */
const TRIES = 10;
/** How long {@link calibrate} takes where nothing slows the processor down, in milliseconds. */
const USUAL_CALIBRATION_MS = 4;
const CALIBRATIONS = 5;

const TEXT = JSON.stringify(Array.from({ length: 10_000 }, (_, index) => ({ index, name: 'a name' })));

/** A request that a service answers without waiting for anything outside the process. */
interface MeasuredRequest {
  readonly app: RequestListener;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What a service answered, and how long it did nothing else. */
interface MeasuredAnswer {
  readonly status: number;
  /** The longest turn of the event loop, in milliseconds of processor time as of a processor that nothing slows down. */
  readonly longestTurnMs: number;
}

/**
 * The answer to a GET, and the longest turn of the event loop while it was made: of several tries the best, and the first that took
 * at most 20 ms.
 */
export async function measuredGet(request: MeasuredRequest): Promise<MeasuredAnswer> {
  const slowness = Math.max(1, calibrate() / USUAL_CALIBRATION_MS);
  const server = createServer(request.app).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  let best: MeasuredAnswer | undefined;
  for (let tries = 0; tries < TRIES && (best === undefined || best.longestTurnMs > MAX_TURN_MS); tries += 1) {
    const [ms, answer] = await longestTurn(() => answered(port, request));
    const measured = { ...answer, longestTurnMs: ms / slowness };
    if (best === undefined || measured.longestTurnMs < best.longestTurnMs) best = measured;
  }
  server.close();
  server.closeAllConnections();
  if (best === undefined) throw new RangeError('Nothing was tried.');
  return best;
}

async function longestTurn<T>(work: () => Promise<T>): Promise<readonly [ms: number, T]> {
  let longest = 0;
  let before = process.threadCpuUsage();
  const sample = () => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1_000);
    before = process.threadCpuUsage();
    next = setImmediate(sample);
  };
  let next = setImmediate(sample);
  try {
    const result = await work();
    return [longest, result];
  } finally {
    clearImmediate(next);
  }
}

/** The text of the answer is dropped, so that the caller takes next to no time. */
const answered = (port: number, { headers, path }: MeasuredRequest): Promise<{ readonly status: number }> =>
  new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path, headers, agent: false }, (response) => {
      response.resume().once('end', () => {
        resolve({ status: response.statusCode ?? 0 });
      });
    }).once('error', reject);
  });

/** Many at once: processor time is counted in steps of some milliseconds. */
function calibrate(): number {
  let least = Infinity;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const before = process.threadCpuUsage();
    for (let count = 0; count < CALIBRATIONS; count += 1) JSON.parse(TEXT);
    const { user, system } = process.threadCpuUsage(before);
    least = Math.min(least, (user + system) / 1_000 / CALIBRATIONS);
  }
  return least;
}
