import { mongo } from 'mongoose';
import type { SimulatedProcess } from '../scheduler/scheduler.ts';
import type { Exchange } from './driver.ts';
import type { MemoryMongoServer } from './server.ts';
import type { Document } from './values.ts';

/** Which commands are lost on their way. While some are, others are late. */
export interface NetworkFaults {
  /** How seldom a command or its answer is lost: once in so many commands; never where it is undefined. */
  readonly lostOnceIn: number | undefined;
}

/** How long the client waits for an answer, as `connectMongo` sets it. */
const SOCKET_TIMEOUT_MS = 5_000;
/** While there are faults, one command of so many is that late. */
const SLOW_ONCE_IN = 12;
const MAX_SLOW_MS = 1_000;

/**
 * The way from a process to the server. Each command passes three points: before it is sent, before the server executes it, and before
 * its answer arrives. A command that was sent is executed also where its process is killed meanwhile.
 */
export function networkOf(
  client: SimulatedProcess,
  host: SimulatedProcess,
  server: MemoryMongoServer,
  faults: () => NetworkFaults,
): Exchange {
  return async (command) => {
    const name = describe(command);
    await client.pass(`sends ${name}`);
    const { lostOnceIn } = faults();
    if (lostOnceIn !== undefined && client.scheduler.choose('slow', SLOW_ONCE_IN) === 0)
      await client.sleep(client.scheduler.choose('how slow', MAX_SLOW_MS));
    const fault = lostOnceIn === undefined ? 2 : client.scheduler.choose('fault', 2 * lostOnceIn);
    if (fault === 0) throw lost(client, `${name} is lost`);
    const executed = host.run(async () => {
      await host.pass(`executes ${name} of ${client.name}`, client.name);
      return server.execute(command);
    });
    const answer = await withTimeout(client, executed, name);
    await client.pass(`gets the answer to ${name}`);
    if (fault === 1) throw lost(client, `the answer to ${name} is lost`);
    return answer;
  };
}

function lost(client: SimulatedProcess, text: string): Error {
  client.scheduler.log(client.name, text);
  return new mongo.MongoNetworkError(text);
}

async function withTimeout(client: SimulatedProcess, executed: Promise<Document>, name: string): Promise<Document> {
  const { promise, reject } = Promise.withResolvers<never>();
  const remove = client.setTimer(SOCKET_TIMEOUT_MS, () => {
    reject(new mongo.MongoNetworkTimeoutError(`no answer to ${name}`));
  });
  try {
    return await Promise.race([executed, promise]);
  } finally {
    remove();
  }
}

function describe(command: Document): string {
  const [[name, target] = ['nothing', '']] = Object.entries(command);
  return typeof target === 'string' ? `${name} ${target}` : name;
}
