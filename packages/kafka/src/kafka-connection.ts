import { withTimeout, UnavailableError } from '@tocsin/core';
import type { NamedTopic } from '@tocsin/events';
import {
  type Admin,
  type Consumer,
  Kafka,
  type KafkaConfig,
  logLevel,
  Partitioners,
  type Producer,
  type RetryOptions,
  type SASLOptions,
} from 'kafkajs';
import { AdminConnection } from './admin-connection.ts';
import { BrokerSockets, type ClientSockets } from './broker-sockets.ts';
import { discardPartialAnswers } from './partial-answers.ts';
import { stopIdleTimer } from './idle-timer.ts';
import { quietLog } from './kafka-log.ts';
import { AccessRefusedError, remoteBrokers, type KafkaSecurity, refusalOf } from './kafka-security.ts';
import type { MessagingLogger } from './ports.ts';

/** For producers, and for a consumer's connections: our own queues decide how long a caller waits. */
const RETRY_FOR_EVER: RetryOptions = {
  initialRetryTime: 50,
  maxRetryTime: 1_000,
  retries: Number.MAX_SAFE_INTEGER,
  restartOnFailure: () => Promise.resolve(true),
};
/**
 * For a consumer in a group with other members. After the last retry, about 5 s of refused connections, kafkajs restarts the
 * consumer, and only then asks which broker coordinates the group now. If the broker comes back sooner, the members stay in their
 * group; a restarted consumer waits until its old session has ended.
 */
const RETRY_BEFORE_RESTART: RetryOptions = { ...RETRY_FOR_EVER, retries: 8 };
/** For admin requests, which fail within seconds, because a caller waits for them. */
const RETRY_BRIEFLY: RetryOptions = { initialRetryTime: 50, maxRetryTime: 500, retries: 4 };

/** Bounds an admin request with all its tries. */
const ANSWER_TIMEOUT_MS = 20_000;

/**
 * How long a broker may take for an answer. For a fetch and a join, kafkajs adds the time that the broker may wait before it
 * answers.
 */
const REQUEST_TIMEOUT_MS = 5_000;

/** Upper bound for members with a long session, so that they too leave a silent broker. */
const MAX_MEMBER_TIMEOUT_MS = 15_000;

/** kafkajs reads the leaders of partitions again after this time, also when no request failed. */
const METADATA_MAX_AGE_MS = 10_000;

/** Logged for brokers that are not on loopback. */
const NO_TLS =
  'Kafka is reached without TLS: anyone on the network can read every alert, and can write some. Set KAFKA_SSL.';

/** Upper bound of one fetch of one partition. */
const MAX_BYTES_PER_PARTITION = 1_048_576;

/** Where the cluster is, and the names that this process uses there. */
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
   * The group has no second member that could wait for its partitions, so this one sends heartbeats rarely. That halves the cost
   * of an idle member.
   */
  readonly isSoleMember?: boolean;
  /** False once the consumer is being stopped: kafkajs does not restart it any more. Always true by default. */
  readonly isWanted?: () => boolean;
}

/** Makes the Kafka clients of one process. Opens no connection by itself, and never creates a topic. */
export class KafkaConnection {
  readonly clientId: string;
  readonly #prefix: string;
  readonly #admin: AdminConnection;
  readonly #secured: boolean;
  readonly #sockets = new BrokerSockets();
  readonly #settings: KafkaConfig;

  constructor({ brokers, clientId, topicPrefix, logger, security = {} }: KafkaConnectionOptions) {
    stopIdleTimer();
    discardPartialAnswers();
    const { ssl, sasl } = security;
    const unprotected = ssl === undefined ? remoteBrokers(brokers) : [];
    if (unprotected.length > 0) logger.warn({ brokers: unprotected }, NO_TLS);
    this.clientId = clientId;
    this.#prefix = topicPrefix;
    this.#secured = ssl !== undefined || sasl !== undefined;
    this.#settings = {
      brokers: [...brokers],
      clientId,
      ...(ssl && { ssl }),
      ...(sasl && { sasl: { ...sasl } as SASLOptions }),
      connectionTimeout: 3_000,
      logLevel: logLevel.INFO,
      logCreator: quietLog(logger),
    };
    this.#admin = new AdminConnection(async () => {
      const { kafka, onRequestTimeout } = this.#client(RETRY_BRIEFLY);
      const admin = kafka.admin();
      admin.on(admin.events.REQUEST_TIMEOUT, onRequestTimeout);
      await admin.connect();
      return admin;
    });
  }

  /** The topic's name on the cluster, with the prefix. */
  wireName(topic: NamedTopic): string {
    return this.#prefix + topic.name;
  }

  /** An idempotent producer with one request in flight. Messages name their partitions. */
  producer(): Producer {
    const { kafka, onRequestTimeout } = this.#client(RETRY_FOR_EVER);
    const producer = kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner: Partitioners.DefaultPartitioner,
      metadataMaxAge: METADATA_MAX_AGE_MS,
    });
    producer.on(producer.events.REQUEST_TIMEOUT, onRequestTimeout);
    return producer;
  }

  consumer({
    groupId,
    isSoleMember = false,
    sessionTimeoutMs = isSoleMember ? 30_000 : 6_000,
    isWanted = () => true,
  }: GroupOptions): Consumer {
    const requestTimeoutMs = isSoleMember ? REQUEST_TIMEOUT_MS : memberTimeoutMs(sessionTimeoutMs);
    const { kafka, onRequestTimeout } = this.#client(RETRY_FOR_EVER, requestTimeoutMs);
    const consumer = kafka.consumer({
      groupId,
      sessionTimeout: sessionTimeoutMs,
      rebalanceTimeout: 2 * sessionTimeoutMs,
      heartbeatInterval: isSoleMember ? 5_000 : Math.min(1_000, sessionTimeoutMs / 3),
      maxBytesPerPartition: MAX_BYTES_PER_PARTITION,
      minBytes: 1,
      // A longer wait delays no record, but a disconnect waits for the running fetch.
      maxWaitTimeInMs: isSoleMember ? 1_000 : 500,
      allowAutoTopicCreation: false,
      metadataMaxAge: METADATA_MAX_AGE_MS,
      // A sole member keeps its partitions and reads on without its coordinator. After a restart it would wait for its old session.
      retry: {
        ...(isSoleMember ? RETRY_FOR_EVER : RETRY_BEFORE_RESTART),
        // A disconnect alone does not end a restart that has begun.
        restartOnFailure: () => Promise.resolve(isWanted()),
      },
    });
    consumer.on(consumer.events.REQUEST_TIMEOUT, onRequestTimeout);
    return consumer;
  }

  /** Sends an admin request. @throws within seconds why the cluster does not answer. */
  ask<T>(request: (admin: Admin) => Promise<T>): Promise<T> {
    return withKafkaTimeout(ANSWER_TIMEOUT_MS, this.#admin.ask(request));
  }

  /**
   * Resolves when the cluster accepts our login. Resolves too when it cannot be reached: later calls wait for it.
   *
   * @throws AccessRefusedError, which names the setting, when the cluster refuses our login or we do not trust its certificate.
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

  /** Closes the admin connection. Producers and consumers are closed by their owners. */
  stop(): Promise<void> {
    this.#sockets.stopProbes();
    return this.#admin.stop();
  }

  /** A client of its own for each producer, consumer and admin, so that its connections are known. */
  #client(
    retry: RetryOptions,
    requestTimeout = REQUEST_TIMEOUT_MS,
  ): Pick<ClientSockets, 'onRequestTimeout'> & { kafka: Kafka } {
    const { socketFactory, onRequestTimeout } = this.#sockets.client();
    return { kafka: new Kafka({ ...this.#settings, retry, requestTimeout, socketFactory }), onRequestTimeout };
  }
}

/** A member waits for its assignment until a dead member has lost its session, because that one may have to make the assignment. */
function memberTimeoutMs(sessionTimeoutMs: number): number {
  return Math.min(MAX_MEMBER_TIMEOUT_MS, Math.max(REQUEST_TIMEOUT_MS, sessionTimeoutMs + 1_000));
}

/**
 * Settles as `work`, which goes on in any case.
 *
 * @throws UnavailableError after `limitMs` of real time.
 */
export function withKafkaTimeout<T>(limitMs: number, work: Promise<T>): Promise<T> {
  return withTimeout(work, limitMs, () => {
    throw new UnavailableError(`Kafka did not answer within ${limitMs} ms.`);
  });
}
