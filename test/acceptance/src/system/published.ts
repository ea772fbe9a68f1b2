import { AlertCommands, AlertEvents, ALL_TOPICS, Decisions, Pages } from '@tocsin/events';
import { KafkaConnection, logBounds, type ReadBounds } from '@tocsin/kafka';
import { createLogger } from '@tocsin/service';
import { readTopic, type TopicRecord } from '@tocsin/testkit';

/** How much an installation has published, on all its topics together. */
export class Published {
  readonly #kafka: KafkaConnection;
  readonly #topics: readonly string[];

  constructor({ brokers, topicPrefix }: { readonly brokers: readonly string[]; readonly topicPrefix: string }) {
    const logger = createLogger('acceptance', 'error');
    this.#kafka = new KafkaConnection({ brokers, clientId: 'acceptance', topicPrefix, logger });
    this.#topics = ALL_TOPICS.map(({ name }) => topicPrefix + name);
  }

  /** Grows with every record. */
  async records(): Promise<number> {
    const partitions = await this.#kafka.ask((admin) =>
      Promise.all(this.#topics.map((topic) => admin.fetchTopicOffsets(topic))),
    );
    return partitions.flat().reduce((sum, { high }) => sum + Number(high), 0);
  }

  /** Reads the bounds of each topic at the first question about it, once for all who ask. */
  readingOnce(): ReadBounds {
    const read = new Map<string, ReturnType<ReadBounds>>();
    return (topic) => {
      const bounds = read.get(topic.name) ?? logBounds(this.#kafka, topic);
      read.set(topic.name, bounds);
      return bounds;
    };
  }

  /** All that lies on the topics of alerts and pages. */
  async ofAlerts(): Promise<readonly TopicRecord[]> {
    const topics = [AlertCommands, AlertEvents, Pages, Decisions];
    return (await Promise.all(topics.map((topic) => readTopic(this.#kafka, topic)))).flat();
  }

  async stop(): Promise<void> {
    await this.#kafka.stop();
  }
}
