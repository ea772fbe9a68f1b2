import { setTimeout as pause } from 'node:timers/promises';
import { backOffMs } from '@tocsin/core';
import { DeadLetters, type TopicDefinition } from '@tocsin/events';
import kafkajs, { type ITopicConfig } from 'kafkajs';
import { KafkaConnection } from './kafka-connection.ts';
import type { KafkaSecurity } from './kafka-security.ts';
import type { MessagingLogger } from './ports.ts';
import { applySettings, topicSettings } from './topic-settings.ts';

export interface EnsureTopicsOptions {
  readonly brokers: readonly string[];
  readonly prefix: string;
  readonly topics: readonly TopicDefinition<never>[];
  /** The partitions of new topics of commands and events; a state topic always has one. */
  readonly partitions: number;
  /** Replication factor of new topics: at least 3 where a broker may be lost, -1 for the brokers' default. 1 by default. */
  readonly replication?: number;
  /** Gets what was changed on existing topics, and what could not be changed. */
  readonly logger?: MessagingLogger;
  readonly security?: KafkaSecurity | undefined;
}

/**
 * Creates those of `topics` that are missing. Gives the others the settings of their kind, where the cluster allows it; they keep
 * their partitions, replicas and all other settings.
 *
 * @throws AccessRefusedError when the cluster refuses our login, and within seconds any other error of the cluster.
 */
export async function ensureTopics(options: EnsureTopicsOptions): Promise<void> {
  const { brokers, prefix, security } = options;
  const kafka = new KafkaConnection({
    brokers,
    clientId: 'tocsin-topics',
    topicPrefix: prefix,
    logger: SILENT,
    security,
  });
  try {
    await kafka.requireAccess();
    for (let tries = 1; !(await createOrUpdate(kafka, options, tries)); tries += 1) {
      await pause(backOffMs(tries));
    }
  } finally {
    await kafka.stop();
  }
}

/** How often a broker may take longer to create topics than the client waits for an answer. */
const MAX_TIMEOUTS = 10;

/**
 * False when a broker does not know a new topic yet, and so cannot name the leaders of its partitions, or when it is slow: it
 * may have created the topics all the same.
 */
async function createOrUpdate(kafka: KafkaConnection, options: EnsureTopicsOptions, tries: number): Promise<boolean> {
  const { topics, partitions, replication = 1, logger = SILENT } = options;
  try {
    await kafka.ask(async (admin) => {
      const existing = new Set(await admin.listTopics());
      for (const topic of topics) {
        const name = kafka.wireName(topic);
        if (existing.has(name))
          await applySettings(
            admin,
            { name, kind: topic.kind, mayKeepLonger: topic.name === DeadLetters.name },
            logger,
          );
      }
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
    // Node finds the error classes of kafkajs only on its default export.
    if (error instanceof kafkajs.KafkaJSProtocolError && error.type === 'UNKNOWN_TOPIC_OR_PARTITION') return false;
    if (error instanceof kafkajs.KafkaJSRequestTimeoutError && tries < MAX_TIMEOUTS) return false;
    throw error;
  }
}

/** How a topic is created. A state topic has one partition. */
export function topicConfig(
  { kind }: TopicDefinition<never>,
  wireName: string,
  partitions: number,
  replication: number,
): ITopicConfig {
  const copies: Readonly<Record<string, string>> = replication >= 3 ? { 'min.insync.replicas': '2' } : {};
  const settings = { ...topicSettings(kind), ...copies };
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
