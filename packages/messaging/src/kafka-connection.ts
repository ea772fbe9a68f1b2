import type { TopicDefinition } from '@tocsin/contracts';
import { type Admin, type Consumer, Kafka, logLevel, Partitioners, type Producer, type RetryOptions } from 'kafkajs';
import { silenceIdleTimer } from './idle-timer.ts';
import { quietLog } from './kafka-log.ts';
import type { MessagingLogger } from './logger.ts';

/** Retries without limit: how long a caller waits is decided by our own queues, never by the client. */
const FOR_EVER: RetryOptions = {
  initialRetryTime: 50,
  maxRetryTime: 1_000,
  retries: Number.MAX_SAFE_INTEGER,
  restartOnFailure: () => Promise.resolve(true),
};
/** Administrative questions have an asker who waits, so that they fail within seconds. */
const BRIEFLY: RetryOptions = { initialRetryTime: 50, maxRetryTime: 500, retries: 4 };

export interface KafkaConnectionOptions {
  /** `host:port`, at least one. */
  readonly brokers: readonly string[];
  readonly clientId: string;
  /** Stands before the name of every topic on the wire, so that installations can share a cluster. */
  readonly topicPrefix: string;
  readonly logger: MessagingLogger;
}

export interface GroupOptions {
  readonly groupId: string;
  /** A member that is silent for longer has lost its partitions; milliseconds. */
  readonly sessionTimeoutMs?: number;
  /** Upper bound of one fetch of one partition. */
  readonly maxBytesPerPartition?: number;
}

/** How one process reaches one Kafka cluster. Connects nothing by itself; nothing here ever creates a topic. */
export class KafkaConnection {
  readonly clientId: string;
  readonly #prefix: string;
  readonly #kafka: Kafka;
  #admin: Promise<Admin> | undefined;

  constructor({ brokers, clientId, topicPrefix, logger }: KafkaConnectionOptions) {
    silenceIdleTimer();
    this.clientId = clientId;
    this.#prefix = topicPrefix;
    this.#kafka = new Kafka({
      brokers: [...brokers],
      clientId,
      connectionTimeout: 3_000,
      requestTimeout: 15_000,
      retry: FOR_EVER,
      logLevel: logLevel.INFO,
      logCreator: quietLog(logger),
    });
  }

  /** The topic's name on the wire. */
  wireName(topic: Pick<TopicDefinition<never>, 'name'>): string {
    return this.#prefix + topic.name;
  }

  /** An idempotent producer with one request in flight; it takes each message's partition as given. */
  producer(): Producer {
    return this.#kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner: Partitioners.DefaultPartitioner,
      retry: FOR_EVER,
    });
  }

  consumer({ groupId, sessionTimeoutMs = 10_000, maxBytesPerPartition = 1_048_576 }: GroupOptions): Consumer {
    return this.#kafka.consumer({
      groupId,
      sessionTimeout: sessionTimeoutMs,
      rebalanceTimeout: 2 * sessionTimeoutMs,
      heartbeatInterval: Math.min(1_000, sessionTimeoutMs / 3),
      maxBytesPerPartition,
      minBytes: 1,
      // Waiting longer delays no record, but disconnecting waits for the running fetch.
      maxWaitTimeInMs: 250,
      allowAutoTopicCreation: false,
      retry: FOR_EVER,
    });
  }

  /** Asks the cluster something through the one administrative connection, which is made anew after any failure. */
  async ask<T>(question: (admin: Admin) => Promise<T>): Promise<T> {
    this.#admin ??= this.#connectAdmin();
    const connecting = this.#admin;
    try {
      return await question(await connecting);
    } catch (error) {
      if (this.#admin === connecting) this.#admin = undefined;
      void connecting.then((admin) => admin.disconnect()).catch(() => undefined);
      throw error;
    }
  }

  /** Ends the administrative connection; producers and consumers are ended by their owners. */
  async stop(): Promise<void> {
    const admin = this.#admin;
    this.#admin = undefined;
    await admin?.then((connected) => connected.disconnect()).catch(() => undefined);
  }

  async #connectAdmin(): Promise<Admin> {
    const admin = this.#kafka.admin({ retry: BRIEFLY });
    await admin.connect();
    return admin;
  }
}
