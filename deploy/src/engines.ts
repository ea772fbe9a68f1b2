import { retry } from '@tocsin/core';
import {
  freePort,
  obtainKafka,
  obtainMongod,
  startKafkaBroker,
  startMongod,
  type KafkaBroker,
  type Mongod,
  type Say,
} from '@tocsin/testkit';
import type { DataFolder } from './data-folder.ts';
import type { MongoUsers } from './mongo-users.ts';
import { initiateReplicaSet } from './preparation.ts';
import { RESTART_POLICY, type RestartPolicy } from './supervised.ts';

/** A server of our own that comes back when it dies. */
export interface Engine {
  readonly name: string;
  /** How clients reach it. */
  readonly address: string;
  stop(): Promise<void>;
}

/** Called with the processes that an engine starts and with what happens to them. */
export interface EngineReports {
  readonly say: Say;
  started(name: string, pid: number, mark: string): void;
  /** It ended without a stop; `how` has the signal or code and the end of its log. */
  ended?(name: string, how: string): void;
}

/** Obtains and starts a Kafka of our own, on a free port and the data that the folder keeps. */
export async function runKafka(folder: DataFolder, reports: EngineReports): Promise<Engine> {
  const jars = await obtainKafka(folder.downloads, reports.say);
  const broker = await startKafkaBroker({ jars, dataDir: folder.kafka, port: await freePort() });
  return engine('Kafka', broker.brokers, folder.kafka, broker, reports);
}

/** Obtains and starts a MongoDB of our own, on a free port and the data that the folder keeps. With `users` it refuses other clients. */
export async function runMongo(folder: DataFolder, reports: EngineReports, users?: MongoUsers): Promise<Engine> {
  const binary = await obtainMongod(folder.downloads, reports.say);
  const mongod = await startMongod({
    binary,
    dataDir: folder.mongo,
    port: await freePort(),
    ...(users === undefined ? {} : { keyFile: folder.mongoKeyFile(users.key) }),
    initiate: (port) => initiateReplicaSet(port, users),
  });
  return engine('MongoDB', mongod.uri, folder.mongo, mongod, reports);
}

/** The process of an engine. */
type Server = Pick<KafkaBroker | Mongod, 'pid' | 'exited' | 'lastLogLines' | 'restart' | 'stop'>;

/** Keeps it running until `stop`, however often a start fails: on a full disk each start fails until there is room. */
export function engine(
  name: string,
  address: string,
  dataDir: string,
  server: Server,
  reports: EngineReports,
  policy: RestartPolicy = RESTART_POLICY,
): Engine {
  const stopping = new AbortController();
  const { signal } = stopping;
  const started = (): void => {
    reports.started(name, server.pid, dataDir);
  };
  const watch = async (): Promise<void> => {
    for (;;) {
      const end = await server.exited;
      if (signal.aborted) return;
      const how = end.signal ?? `code ${String(end.code)}`;
      reports.say(`${name} has ended (${how}) and is started again`);
      reports.ended?.(name, `${how}; its log ends with:\n${server.lastLogLines(40)}`);
      await bringBack();
    }
  };
  const bringBack = async (): Promise<void> => {
    const restart = async (attempt: number): Promise<void> => {
      await server.restart();
      started();
      if (attempt > 1) reports.say(`${name} is back`);
    };
    await retry(restart, {
      ...policy,
      isWanted: () => !signal.aborted,
      onFailure: (error, attempt) => {
        if (attempt === 1) reports.say(`${name} does not come back and is tried again: ${String(error)}`);
      },
      signal,
    });
  };
  started();
  void watch();
  return {
    name,
    address,
    stop: () => {
      stopping.abort();
      return server.stop();
    },
  };
}
