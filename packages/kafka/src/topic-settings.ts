import { STATE_COMPACTION_LAG_MS, STATE_SEGMENT_MS, TOPIC_DAYS, type TopicKind } from '@tocsin/events';
import kafkajs, { type Admin, type ConfigEntries } from 'kafkajs';
import type { MessagingLogger } from './ports.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

const RETENTION_MS = TOPIC_DAYS * DAY_MS;

/** The largest message in bytes, key and value together. */
export const MAX_MESSAGE_BYTES: Readonly<Record<TopicKind, number>> = {
  commands: 1_000_000,
  events: 1_000_000,
  state: 2_000_000,
};
/** Room for headers and for what Kafka adds to a message. */
const OVERHEAD_BYTES = 48_576;

/**
 * The settings that consumers rely on: commands and events are kept for 14 days whatever their size, and state is compacted. We
 * set these on every topic, also on those that an operator created. All other settings are the operator's.
 */
export function topicSettings(kind: TopicKind): Readonly<Record<string, string>> {
  const kept =
    kind === 'state'
      ? {
          'cleanup.policy': 'compact',
          'delete.retention.ms': String(DAY_MS),
          'min.compaction.lag.ms': String(STATE_COMPACTION_LAG_MS),
          'segment.ms': String(STATE_SEGMENT_MS),
        }
      : { 'cleanup.policy': 'delete', 'retention.ms': String(RETENTION_MS), 'retention.bytes': '-1' };
  return {
    ...kept,
    // Late commands are recognised by the brokers' clock.
    ...(kind === 'commands' && { 'message.timestamp.type': 'LogAppendTime' }),
    'max.message.bytes': String(MAX_MESSAGE_BYTES[kind] + OVERHEAD_BYTES),
  };
}

export interface ExistingTopic {
  /** With the installation's prefix. */
  readonly name: string;
  readonly kind: TopicKind;
  /** Whether an operator may set a longer retention than Tocsin sets. */
  readonly mayKeepLonger: boolean;
}

/** A setting with another value than Tocsin sets. `found` is undefined where we may not read it. */
interface Difference {
  readonly key: string;
  readonly wanted: string;
  readonly found: string | undefined;
}

/**
 * Gives an existing topic the settings of its kind, and keeps its other settings. Where we may not read or change them, all stay
 * as they are and the log names each wrong one. Several processes may do this at once.
 *
 * @throws why the cluster does not answer.
 */
export async function applySettings(admin: Admin, topic: ExistingTopic, logger: MessagingLogger): Promise<void> {
  let wrong: readonly Difference[] = differences(topicSettings(topic.kind), new Map());
  try {
    const entries = await settingsOf(admin, topic.name);
    const found = new Map(entries.map(({ configName, configValue }) => [configName, configValue]));
    const wanted = wantedOf(topic, found);
    wrong = differences(wanted, found);
    if (wrong.length === 0) return;
    await replace(admin, topic.name, { ...setByHand(entries), ...wanted });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    for (const difference of wrong) logRefused(topic.name, difference, error, logger);
    return;
  }
  for (const { key, wanted: to, found: from } of wrong)
    logger.info({ topic: topic.name, key, from, to }, `Topic ${topic.name}: ${key} was ${from} and is ${to} now.`);
}

function wantedOf(topic: ExistingTopic, found: ReadonlyMap<string, string>): Readonly<Record<string, string>> {
  const wanted = topicSettings(topic.kind);
  const retentionMs = Number(found.get('retention.ms') ?? 0);
  const isLonger = retentionMs === -1 || retentionMs > RETENTION_MS;
  return topic.mayKeepLonger && isLonger ? { ...wanted, 'retention.ms': String(retentionMs) } : wanted;
}

async function settingsOf(admin: Admin, name: string): Promise<readonly ConfigEntries[]> {
  const resources = [{ type: kafkajs.ConfigResourceTypes.TOPIC, name }];
  const answer = await admin.describeConfigs({ resources, includeSynonyms: false });
  return answer.resources.flatMap(({ configEntries }) => configEntries);
}

function differences(
  wanted: Readonly<Record<string, string>>,
  found: ReadonlyMap<string, string>,
): readonly Difference[] {
  return Object.entries(wanted)
    .map(([key, value]) => ({ key, wanted: value, found: found.get(key) }))
    .filter((difference) => difference.found !== difference.wanted);
}

function setByHand(entries: readonly ConfigEntries[]): Readonly<Record<string, string>> {
  const ofTopic = entries.filter(({ configSource }) => configSource === kafkajs.ConfigSource.TOPIC_CONFIG);
  return Object.fromEntries(ofTopic.map(({ configName, configValue }) => [configName, configValue]));
}

/** kafkajs can only replace all settings of a topic at once: those left out fall back to the brokers' defaults. */
async function replace(admin: Admin, name: string, settings: Readonly<Record<string, string>>): Promise<void> {
  const configEntries = Object.entries(settings).map(([key, value]) => ({ name: key, value }));
  const resources = [{ type: kafkajs.ConfigResourceTypes.TOPIC, name, configEntries }];
  await admin.alterConfigs({ resources, validateOnly: false });
}

/** Whether the cluster refused the request: we lack a right, or a policy of the cluster forbids the value. */
function isRefusal(error: unknown): error is Error {
  return error instanceof kafkajs.KafkaJSProtocolError && !error.retriable;
}

function logRefused(topic: string, { key, wanted, found }: Difference, error: Error, logger: MessagingLogger): void {
  const fields = { topic, key, found, wanted, err: error };
  const is = found === undefined ? `whether ${key} is ${wanted} is not known` : `${key} is ${found}, not ${wanted}`;
  const line = `Topic ${topic}: ${is}, and we may not change it (${error.message}). Set it by hand.`;
  if (key === 'message.timestamp.type') logger.error(fields, `${line} Until then late commands are processed.`);
  else logger.warn(fields, line);
}
