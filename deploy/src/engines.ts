import {
  freePort,
  obtainKafka,
  obtainMongod,
  startKafka,
  startMongod,
  type KafkaBroker,
  type Mongod,
  type Say,
} from '@tocsin/local-stack';
import type { DataFolder } from './data-folder.ts';
import { initiateReplicaSet } from './preparation.ts';

/** A server of our own that comes back when it dies. */
export interface Engine {
  readonly name: string;
  /** How clients reach it. */
  readonly address: string;
  stop(): Promise<void>;
}

/** Tells of the processes that an engine starts and of what happens to them. */
export interface EngineReports {
  readonly say: Say;
  started(name: string, pid: number, mark: string): void;
  /** It ended though nobody stopped it; `how` tells the signal or code and the end of its log. */
  ended?(name: string, how: string): void;
}

/** Obtains and starts a Kafka of our own, on a free port and the data that the folder keeps. */
export async function runKafka(folder: DataFolder, reports: EngineReports): Promise<Engine> {
  const jars = await obtainKafka(folder.downloads, reports.say);
  const broker = await startKafka({ jars, dataDir: folder.kafka, port: await freePort() });
  return engine('Kafka', broker.brokers, folder.kafka, broker, reports);
}

/** Obtains and starts a MongoDB of our own, on a free port and the data that the folder keeps. */
export async function runMongo(folder: DataFolder, reports: EngineReports): Promise<Engine> {
  const binary = await obtainMongod(folder.downloads, reports.say);
  const mongod = await startMongod({
    binary,
    dataDir: folder.mongo,
    port: await freePort(),
    initiate: initiateReplicaSet,
  });
  return engine('MongoDB', mongod.uri, folder.mongo, mongod, reports);
}

function engine(
  name: string,
  address: string,
  dataDir: string,
  server: KafkaBroker | Mongod,
  reports: EngineReports,
): Engine {
  let stopping = false;
  const started = (): void => {
    reports.started(name, server.pid, dataDir);
  };
  const watch = async (): Promise<void> => {
    for (;;) {
      const { code, signal } = await server.exited;
      if (stopping) return;
      const how = signal ?? `code ${String(code)}`;
      reports.say(`${name} has ended (${how}) and is started again`);
      reports.ended?.(name, `${how}; its log ends with:\n${server.lastLogLines(40)}`);
      await server.restart();
      started();
    }
  };
  started();
  watch().catch((error: unknown) => {
    reports.say(`${name} does not come back: ${String(error)}`);
  });
  return {
    name,
    address,
    stop: () => {
      stopping = true;
      return server.stop();
    },
  };
}
