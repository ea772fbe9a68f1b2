import type { SimulatedProcess } from './scheduler/scheduler.ts';

/** Which requests are lost on their way. While some are, others are late. */
export interface NetworkFaults {
  /** How seldom a request or its answer is lost: once in so many requests; never where it is undefined. */
  readonly lostOnceIn: number | undefined;
}

/** While there are faults, one request of so many is that late. */
const SLOW_ONCE_IN = 12;
const MAX_SLOW_MS = 1_000;

/** The request or its answer is lost. */
export class LostError extends Error {
  override readonly name = 'LostError';
}

/** The answer does not arrive in time. */
export class LateError extends Error {
  override readonly name = 'LateError';
}

/**
 * The way from a process to a server. Each request passes three points: before it is sent, before the server executes it, and before
 * its answer arrives. A request that was sent is executed also where its process is killed meanwhile.
 */
export class NetworkLink {
  readonly client: SimulatedProcess;
  /** What is sent is executed by this process. */
  readonly host: SimulatedProcess;
  readonly #faults: () => NetworkFaults;

  constructor(client: SimulatedProcess, host: SimulatedProcess, faults: () => NetworkFaults) {
    this.client = client;
    this.host = host;
    this.#faults = faults;
  }

  /** Whether requests are lost now. */
  get hasFaults(): boolean {
    return this.#faults().lostOnceIn !== undefined;
  }

  /**
   * Resolves with the answer of the server.
   *
   * @throws LostError, and LateError where there is no answer after `timeoutMs`. The server may have executed the request. Else what
   * `execute` throws.
   */
  async send<R>(name: string, execute: () => R | Promise<R>, timeoutMs?: number): Promise<R> {
    const { client } = this;
    await client.pass(`sends ${name}`);
    const { lostOnceIn } = this.#faults();
    if (lostOnceIn !== undefined && client.scheduler.choose('slow', SLOW_ONCE_IN) === 0)
      await client.sleep(client.scheduler.choose('how slow', MAX_SLOW_MS));
    const fault = lostOnceIn === undefined ? 2 : client.scheduler.choose('fault', 2 * lostOnceIn);
    if (fault === 0) throw lost(client, `${name} is lost`);
    const executed = this.host.run(async () => {
      await this.host.pass(`executes ${name} of ${client.name}`, client.name);
      return execute();
    });
    const answer = timeoutMs === undefined ? await executed : await withTimeout(client, executed, { name, timeoutMs });
    await client.pass(`gets the answer to ${name}`);
    if (fault === 1) throw lost(client, `the answer to ${name} is lost`);
    return answer;
  }
}

function lost(client: SimulatedProcess, text: string): Error {
  client.scheduler.log(client.name, text);
  return new LostError(text);
}

async function withTimeout<R>(
  client: SimulatedProcess,
  executed: Promise<R>,
  { name, timeoutMs }: { readonly name: string; readonly timeoutMs: number },
): Promise<R> {
  const { promise, reject } = Promise.withResolvers<never>();
  const remove = client.setTimer(timeoutMs, () => {
    reject(new LateError(`no answer to ${name}`));
  });
  try {
    return await Promise.race([executed, promise]);
  } finally {
    remove();
  }
}
