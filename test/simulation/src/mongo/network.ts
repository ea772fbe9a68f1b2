import { mongo } from 'mongoose';
import { LateError, LostError, type NetworkLink } from '../network.ts';
import type { Exchange } from './driver.ts';
import type { MemoryMongoServer } from './server.ts';
import type { Document } from './values.ts';

/** How long the client waits for an answer, as `connectMongo` sets it. */
const SOCKET_TIMEOUT_MS = 5_000;

/** Sends the commands of a process to the server, with the errors of the driver where they or their answers are lost. */
export function networkOf(link: NetworkLink, server: MemoryMongoServer): Exchange {
  return async (command) => {
    try {
      return await link.send(describe(command), () => server.execute(command), SOCKET_TIMEOUT_MS);
    } catch (error) {
      if (error instanceof LostError) throw new mongo.MongoNetworkError(error.message);
      if (error instanceof LateError) throw new mongo.MongoNetworkTimeoutError(error.message);
      throw error;
    }
  };
}

function describe(command: Document): string {
  const [[name, target] = ['nothing', '']] = Object.entries(command);
  return typeof target === 'string' ? `${name} ${target}` : name;
}
