import { withTimeout } from '@tocsin/clock';
import type { TopicDefinition } from '@tocsin/contracts';
import { UnavailableError } from '@tocsin/errors';
import {
  type Admin,
  type Consumer,
  Kafka,
  logLevel,
  Partitioners,
  type Producer,
  type RetryOptions,
  type SASLOptions,
} from 'kafkajs';
import { AdminConnection } from './admin-connection.ts';
import { silenceIdleTimer } from './idle-timer.ts';
import { quietLog } from './kafka-log.ts';
import { AccessRefusedError, foreignBrokers, type KafkaSecurity, refusalOf } from './kafka-security.ts';
import type { MessagingLogger } from './ports.ts';

/** Retries without a limit: our own queues decide how long a caller waits. */
const FOR_EVER: RetryOptions = {
  initialRetryTime: 50,
  maxRetryTime: 1_000,
  retries: Number.MAX_SAFE_INTEGER,
  restartOnFailure: () => Promise.resolve(true),
};
/** Somebody waits for administrative requests: they fail within seconds. */
const BRIEFLY: RetryOptions = { initialRetryTime: 50, maxRetryTime: 500, retries: 4 };

/** A frozen broker answers nothing and closes nothing. */
const LONGEST_ANSWER_MS = 20_000;

/** Logged for brokers that are not on loopback. */
const OPEN =
  'Kafka is reached without TLS: whoever listens on the way reads every alert, and can write some. Set KAFKA_SSL.';

/** Where the cluster is and how this process is called there. */
export interface KafkaConnectionOptions {
  /** `host:port`, at least one. */
  readonly brokers: readonly string[];
  readonly clientId: string;
  /** Prefix of every topic name on the wire, so that installations can share a cluster. */
  readonly topicPrefix: string;
  readonly logger: MessagingLogger;
  /** Neither TLS nor a login by default. */
  readonly security?: KafkaSecurity | undefined;
}

/** A member of a consumer group. */
export interface GroupOptions {
  readonly groupId: string;
  /** A member that sends no heartbeat for this long loses its partitions; milliseconds. */
  readonly sessionTimeoutMs?: number;
  /**
   * The group never has a second member. Nobody waits for its partitions, so it sends heartbeats rarely, which halves what an
   * idle one costs.
   */
  readonly alone?: boolean;
  /** Upper bound of one fetch of one partition. */
  readonly maxBytesPerPartition?: number;
}

/** How one process reaches one Kafka cluster. Connects nothing by itself; nothing here ever creates a topic. */
export class KafkaConnection {
  readonly clientId: string;
  readonly #prefix: string;
  readonly #kafka: Kafka;
  readonly #admin: AdminConnection;
  readonly #secured: boolean;

  constructor({ brokers, clientId, topicPrefix, logger, security = {} }: KafkaConnectionOptions) {
    silenceIdleTimer();
    const { ssl, sasl } = security;
    const open = ssl === undefined ? foreignBrokers(brokers) : [];
    if (open.length > 0) logger.warn({ brokers: open }, OPEN);
    this.clientId = clientId;
    this.#prefix = topicPrefix;
    this.#secured = ssl !== undefined || sasl !== undefined;
    const client = (retry: RetryOptions): Kafka =>
      new Kafka({
        brokers: [...brokers],
        clientId,
        ...(ssl && { ssl }),
        ...(sasl && { sasl: { ...sasl } as SASLOptions }),
        connectionTimeout: 3_000,
        requestTimeout: 15_000,
        retry,
        logLevel: logLevel.INFO,
        logCreator: quietLog(logger),
      });
    this.#kafka = client(FOR_EVER);
    // A client of its own: connections are retried as their client says, and administrative requests must fail within seconds.
    const brief = client(BRIEFLY);
    this.#admin = new AdminConnection(async () => {
      const admin = brief.admin();
      await admin.connect();
      return admin;
    });
  }

  /** The topic's name on the wire. */
  wireName(topic: Pick<TopicDefinition<never>, 'name'>): string {
    return this.#prefix + topic.name;
  }

  /** An idempotent producer with one request in flight. Messages name their partitions. */
  producer(): Producer {
    return this.#kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner: Partitioners.DefaultPartitioner,
      retry: FOR_EVER,
    });
  }

  consumer({
    groupId,
    alone = false,
    sessionTimeoutMs = alone ? 30_000 : 6_000,
    maxBytesPerPartition = 1_048_576,
  }: GroupOptions): Consumer {
    return this.#kafka.consumer({
      groupId,
      sessionTimeout: sessionTimeoutMs,
      rebalanceTimeout: 2 * sessionTimeoutMs,
      heartbeatInterval: alone ? 5_000 : Math.min(1_000, sessionTimeoutMs / 3),
      maxBytesPerPartition,
      minBytes: 1,
      // Waiting longer delays no record, but disconnecting waits for the running fetch.
      maxWaitTimeInMs: alone ? 1_000 : 500,
      allowAutoTopicCreation: false,
      retry: FOR_EVER,
    });
  }

  /** Sends an administrative request. @throws within seconds what keeps the cluster from answering. */
  ask<T>(question: (admin: Admin) => Promise<T>): Promise<T> {
    return within(LONGEST_ANSWER_MS, this.#admin.ask(question));
  }

  /**
   * Resolves when the cluster accepts our login, or cannot be reached: later calls wait for it. A wrong password or certificate
   * is an error at once.
   *
   * @throws AccessRefusedError, which names the setting, when the cluster refuses our login or shows a certificate that is not believed.
   */
  async requireAccess(): Promise<void> {
    if (!this.#secured) return;
    try {
      await this.ask((admin) => admin.describeCluster());
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal !== undefined) throw new AccessRefusedError(refusal, { cause: error });
    }
  }

  /** Ends the administrative connection; producers and consumers are ended by their owners. */
  stop(): Promise<void> {
    return this.#admin.stop();
  }
}

/**
 * Settles as `work`, which goes on in any case.
 *
 * @throws UnavailableError after `limitMs` of real time.
 */
export function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  return withTimeout(work, limitMs, () => {
    throw new UnavailableError(`Kafka did not answer within ${limitMs} ms.`);
  });
}
