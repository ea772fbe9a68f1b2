import { ALL_TOPICS } from '@tocsin/contracts';
import { KafkaConnection } from '@tocsin/messaging';
import { createLogger } from '@tocsin/observability';

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

  async stop(): Promise<void> {
    await this.#kafka.stop();
  }
}
