import { setTimeout as pause } from 'node:timers/promises';
import { TOPIC_DAYS, type TopicDefinition, type TopicKind } from '@tocsin/contracts';
import kafkajs, { type ITopicConfig } from 'kafkajs';
import { backOffMs } from './back-off.ts';
import { KafkaConnection } from './kafka-connection.ts';
import type { KafkaSecurity } from './kafka-security.ts';
import type { MessagingLogger } from './logger.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

const RETENTION_MS = TOPIC_DAYS * DAY_MS;

/** The largest message of a topic in bytes, key and value together. */
export const MAX_MESSAGE_BYTES: Readonly<Record<TopicKind, number>> = {
  commands: 1_000_000,
  events: 1_000_000,
  state: 2_000_000,
};
/** What Kafka adds around one message. */
const ENVELOPE_BYTES = 48_576;

/** Which topics, where, and how many partitions and copies each has. */
export interface EnsureTopicsOptions {
  readonly brokers: readonly string[];
  readonly prefix: string;
  readonly topics: readonly TopicDefinition<never>[];
  /** Of orders and facts; a state topic always has one. Never lowered, and raising it moves keys to other partitions. */
  readonly partitions: number;
  /** Copies of each partition; at least 3 wherever a broker may be lost. Default 1. */
  readonly replication?: number;
  readonly logger?: MessagingLogger;
  readonly security?: KafkaSecurity | undefined;
}

/** Every one of `topics` exists with its documented settings when this resolves; those that exist are left as they are. */
export async function ensureTopics(options: EnsureTopicsOptions): Promise<void> {
  const { brokers, prefix, logger = SILENT, security } = options;
  const kafka = new KafkaConnection({ brokers, clientId: 'tocsin-topics', topicPrefix: prefix, logger, security });
  try {
    await kafka.requireAccess();
    for (let tries = 1; !(await created(kafka, options)); tries += 1) {
      await pause(backOffMs(tries, Math.random()));
    }
  } finally {
    await kafka.stop();
  }
}

/** Answers false where a broker had not heard yet of a topic just made, when it was asked for the leaders. */
async function created(kafka: KafkaConnection, options: EnsureTopicsOptions): Promise<boolean> {
  const { topics, partitions, replication = 1 } = options;
  try {
    await kafka.ask(async (admin) => {
      const existing = new Set(await admin.listTopics());
      const missing = topics.filter((topic) => !existing.has(kafka.wireName(topic)));
      if (missing.length === 0) return;
      await admin.createTopics({
        waitForLeaders: true,
        timeout: 15_000,
        topics: missing.map((topic) => topicConfig(topic, kafka.wireName(topic), partitions, replication)),
      });
    });
    return true;
  } catch (error) {
    // Node finds the error classes on the default export alone.
    if (error instanceof kafkajs.KafkaJSProtocolError && error.type === 'UNKNOWN_TOPIC_OR_PARTITION') return false;
    throw error;
  }
}

/** How a topic is created: state is compacted in one partition, the rest is kept for 14 days whatever its size. */
export function topicConfig(
  { kind }: TopicDefinition<never>,
  wireName: string,
  partitions: number,
  replication: number,
): ITopicConfig {
  const settings: Record<string, string> =
    kind === 'state'
      ? { 'cleanup.policy': 'compact', 'delete.retention.ms': String(DAY_MS) }
      : { 'cleanup.policy': 'delete', 'retention.ms': String(RETENTION_MS), 'retention.bytes': '-1' };
  // An order that comes late is told by the brokers' time.
  if (kind === 'commands') settings['message.timestamp.type'] = 'LogAppendTime';
  settings['max.message.bytes'] = String(MAX_MESSAGE_BYTES[kind] + ENVELOPE_BYTES);
  if (replication >= 3) settings['min.insync.replicas'] = '2';
  return {
    topic: wireName,
    numPartitions: kind === 'state' ? 1 : partitions,
    replicationFactor: replication,
    configEntries: Object.entries(settings).map(([name, value]) => ({ name, value })),
  };
}

const SILENT: MessagingLogger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
