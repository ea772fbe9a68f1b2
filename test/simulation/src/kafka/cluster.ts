import type { TopicDefinition } from '@tocsin/events';
import type { MessagingLogger } from '@tocsin/kafka';
import type { SimulatedProcess } from '../scheduler/scheduler.ts';
import type { World } from '../world.ts';
import { MemoryKafkaConnection } from './connection.ts';
import { MemoryGroups } from './groups.ts';
import { MemoryLog } from './log.ts';
import type { MemoryKafka } from './memory-kafka.ts';

const nothing = (): void => undefined;
/** For clients of which no log is read. */
export const SILENT: MessagingLogger = { debug: nothing, info: nothing, warn: nothing, error: nothing };

/** A Kafka in memory that the processes of a world share. */
export class SimulatedCluster {
  readonly log: MemoryLog;
  readonly #world: World;
  readonly #host: SimulatedProcess;
  readonly #kafka: MemoryKafka;

  constructor(world: World) {
    const { scheduler } = world;
    const host = scheduler.process('kafka');
    world.addServer(host);
    this.log = new MemoryLog(() => host.nowMs);
    const groups = new MemoryGroups({
      now: () => host.nowMs,
      sleep: (milliseconds) => host.sleep(milliseconds),
      choose: (count) => scheduler.choose('assignment', count),
      partitionsOf: (topic) => this.log.partitionsOf(topic),
    });
    this.#world = world;
    this.#host = host;
    this.#kafka = { log: this.log, groups };
  }

  connect(process: SimulatedProcess, logger = SILENT): MemoryKafkaConnection {
    return new MemoryKafkaConnection(this.#world.linkTo(this.#host, process), this.#kafka, logger);
  }

  /** The values of a topic, one partition after the other. */
  valuesOf<T>({ name, schema }: TopicDefinition<T>): readonly T[] {
    return this.log.recordsOf(name).map(({ value }) => schema.parse(JSON.parse(String(value))));
  }
}
