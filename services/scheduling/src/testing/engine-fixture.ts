import { afterAll } from '@jest/globals';
import {
  AlertCommands,
  Decisions,
  Pages,
  type AlertCommand,
  type AlertEvent,
  type AlertFact,
  type AlertState,
  type BatchResult,
  type ConsumedBatch,
  type Decision,
  type Page,
  type PageMessage,
  type TopicDefinition,
} from '@tocsin/events';
import { RecordingPublisher } from '@tocsin/kafka';
import { connectMongo, migrate, persistenceIndexes, type Connection } from '@tocsin/mongo';
import { emptiedDatabase, monitoredUri, testMongo } from '@tocsin/testkit';
import type { EscalationEngineOptions } from '../paging/operations.ts';
import type { Escalation } from '../escalations/escalation.ts';
import type { EscalationState } from '../paging/escalation-state.ts';
import { escalationStateIndexes } from '../paging/store.ts';
import { configurationSample, openEngine, start, type ConfigurationSample, type OpenEngine } from './open-engine.ts';
import { openAlert } from './alert-samples.ts';

/** The messages that an engine has published. */
interface PublishedMessages {
  /** The messages on the topic of pages, in order. */
  readonly messages: readonly PageMessage[];
  readonly pages: readonly Page[];
  readonly commands: readonly AlertCommand[];
  readonly decisions: readonly Decision[];
}

/** The engine on a database, with its surroundings. Its outbox publishes at once. */
export interface EngineFixture
  extends ConfigurationSample, Pick<OpenEngine, 'deadLetter' | 'dueWork' | 'engine' | 'store'> {
  readonly connection: Connection;
  readonly published: PublishedMessages;
  /** The latencies of the starts, in seconds. */
  readonly routed: readonly number[];
  /** Processes events as the consumer does. Their records get the next offsets of their partition. */
  readonly receiveEvents: (batch: ConsumedBatch<AlertEvent>) => Promise<BatchResult>;
  /** Processes the event of a version of the alert. */
  readonly receive: (
    version: number,
    change?: Partial<AlertState>,
    facts?: readonly AlertFact[],
  ) => Promise<BatchResult>;
  /** The escalation state of the alert. */
  readonly state: () => Promise<EscalationState | undefined>;
  /** How many rules found no recipient. */
  readonly withoutRecipient: () => number;
  /** How many flows are exhausted. */
  readonly exhausted: () => number;
  /** Advances the clock by minutes, and does the due work. */
  readonly advance: (minutes: number) => Promise<void>;
  /** The ids of the users who were paged, in order. */
  readonly paged: () => readonly string[];
}

/** Gives engines with the configuration of `configurationSample` to one test after the other of a file, each on an empty database. */
export function useEngines(): (
  escalation?: Partial<Escalation>,
  options?: Pick<EscalationEngineOptions, 'beginTrace'>,
) => Promise<EngineFixture> {
  let opened: Connection | undefined;

  afterAll(async () => {
    await opened?.dropDatabase();
    await opened?.close();
  });

  const empty = emptiedDatabase(async () => {
    const { uri, database } = await testMongo();
    opened = await connectMongo({ uri: monitoredUri(uri), database });
    await migrate(opened, [...persistenceIndexes, ...escalationStateIndexes]);
    return opened;
  });
  return async (escalation, options) => engineOn(await empty(), configurationSample(escalation), options);
}

function engineOn(
  connection: Connection,
  configured: ConfigurationSample,
  options?: Pick<EscalationEngineOptions, 'beginTrace'>,
): EngineFixture {
  const publisher = new RecordingPublisher();
  const routed: number[] = [];
  let withoutRecipient = 0;
  let exhausted = 0;
  const opened = openEngine({
    connection,
    publisher,
    configured,
    options: {
      ...options,
      onRouted: (seconds) => routed.push(seconds),
      onNoRecipient: (count) => (withoutRecipient += count),
      onExhausted: (count) => (exhausted += count),
    },
  });
  const { deadLetter, dueWork, engine, outbox, processDue, store } = opened;
  const published = publishedBy(publisher);
  /** By partition: the offset of the next record. */
  const next = new Map<number, number>();
  const receiveEvents: EngineFixture['receiveEvents'] = async (batch) => {
    const { partition, records } = batch;
    const first = next.get(partition) ?? 0;
    const numbered = records.map((record, index) => ({ ...record, offset: first + index }));
    const result = await opened.receiveEvents({ ...batch, records: numbered });
    if (result.outcome === 'done') next.set(partition, first + records.length);
    await outbox.flush();
    return result;
  };
  return {
    ...configured,
    connection,
    dueWork,
    engine,
    published,
    routed,
    receiveEvents,
    store,
    receive: (version, change, facts = []) => receiveEvents(batchOf(0, { version, facts: [...facts] }, change)),
    deadLetter: async (record, reason) => {
      const result = await deadLetter(record, reason);
      await outbox.flush();
      return result;
    },
    state: async () => (await store.find(['a1'])).get('a1'),
    withoutRecipient: () => withoutRecipient,
    exhausted: () => exhausted,
    advance: async (minutes) => {
      configured.clock.advance(minutes * 60_000);
      await processDue();
      await outbox.flush();
    },
    paged: () => published.pages.map(({ userId }) => userId),
  };
}

function publishedBy(publisher: RecordingPublisher): PublishedMessages {
  // A parsed message has no trace: on the topic it is a header.
  const to = <T>({ name, schema }: TopicDefinition<T>): readonly T[] =>
    publisher.published
      .filter(({ topic }) => topic === name)
      .map(({ message }) => {
        schema.parse(message);
        return message as T;
      });
  return {
    get messages() {
      return to(Pages);
    },
    get pages() {
      return to(Pages).filter((message) => message.kind === 'page');
    },
    get commands() {
      return to(AlertCommands);
    },
    get decisions() {
      return to(Decisions);
    },
  };
}

/** Records of several batches, as one batch. */
export function batchOfRecords(records: ConsumedBatch<AlertEvent>['records']): ConsumedBatch<AlertEvent> {
  return { topic: 'alert-events.v1', partition: 0, clusterId: 'c1', records };
}

/** One event of the alert, as a batch of its own. */
export function batchOf(
  offset: number,
  { facts, trace, version }: Pick<AlertEvent, 'version' | 'facts' | 'trace'>,
  change: Partial<AlertState> = {},
): ConsumedBatch<AlertEvent> {
  const value = {
    alertId: 'a1',
    version,
    state: openAlert(change),
    facts,
    acceptedAt: start.toISOString(),
    ...(trace !== undefined && { trace }),
  };
  return batchOfRecords([{ offset, key: 'a1', timestampMs: 0, value }]);
}
