import { ManualClock } from '@tocsin/core';
import {
  type AlertCommand,
  AlertCommands,
  type BatchResult,
  type ConsumedBatch,
  type Decision,
  Decisions,
  type NoticeCommand,
  type Page,
  type PageMessage,
  type ShiftNotice,
  type VerificationEvent,
  SubscriptionEvents,
  VerificationEvents,
} from '@tocsin/events';
import { RecordingPublisher, StagedProcessor } from '@tocsin/kafka';
import {
  CheckpointTransactions,
  collectionOf,
  type Connection,
  connectMongo,
  DueWork,
  type DueWorkOptions,
  migrate,
  Outbox,
  persistenceIndexes,
} from '@tocsin/mongo';
import { testMongo } from '@tocsin/testkit';
import type { BundleLimits } from '../queue/next-message.ts';
import { noticeStages } from '../notices/consumer.ts';
import type { ExpandedNotice } from '../notices/notice.ts';
import { NoticeStore } from '../notices/store.ts';
import { pageStages } from '../pages/consumer.ts';
import type { ExpandedPage, ExpandRepetition } from '../pages/expanded-page.ts';
import type { RepeatSteps } from '../pages/task.ts';
import {
  DELIVERIES,
  DELIVERY_FIELDS,
  type DeliveryDocument,
  type PageDocument,
  RECIPIENT_QUEUES,
  toDelivery,
  toRepetitions,
} from '../messages/delivery-document.ts';
import type { Delivery } from '../messages/delivery.ts';
import type { Repetition } from '../pages/repetition.ts';
import type { ClaimedQueue } from '../queue/recipient-queue.ts';
import type { Slots } from '../queue/message-result.ts';
import { notifierIndexes } from '../messages/store.ts';
import { DeliveryStore } from '../queue/delivery-store.ts';
import { PageStore, type PreparedRepetitions, repetitionWork } from '../pages/store.ts';
import { NewDeliveries } from '../queue/new-delivery-store.ts';
import { RecipientQueues } from '../queue/recipient-queue-store.ts';
import { LATER } from './store-samples.ts';
import { ActStore, ReplyCodes } from '../answers/store.ts';
import { ReceiptStore } from '../receipts/store.ts';

export const silent = { warn: (): void => undefined, error: (): void => undefined };

type SettlePages = (
  batches: readonly ConsumedBatch<PageMessage>[],
  expand: (page: Page) => ExpandedPage,
  slots: Slots,
) => Promise<BatchResult>;

type SettleNotices = <N extends NoticeCommand | ShiftNotice>(
  batches: readonly ConsumedBatch<N>[],
  expand: (notice: N) => ExpandedNotice,
  slots: Slots,
) => Promise<BatchResult>;

/** The stores of a process on one database, and reads for tests. */
export interface MongoStores {
  readonly connection: Connection;
  readonly publisher: RecordingPublisher;
  readonly acts: ActStore;
  readonly codes: ReplyCodes;
  readonly deliveries: DeliveryStore;
  readonly queues: RecipientQueues;
  readonly receipts: ReceiptStore;
  readonly pageStore: PageStore;
  readonly noticeStore: NoticeStore;
  /** Processes pages, and expands them by `expand`. */
  readonly settlePages: SettlePages;
  /** Processes notices, and expands them by `expand`. */
  readonly settleNotices: SettleNotices;
  /** The transactions of consumers. */
  readonly transactions: CheckpointTransactions;
  /** The published messages of a topic, once all rows are published. */
  readonly published: (topic: { readonly name: string }) => Promise<readonly unknown[]>;
  readonly commands: () => Promise<readonly AlertCommand[]>;
  readonly decisions: () => Promise<readonly Decision[]>;
  readonly verifications: () => Promise<readonly VerificationEvent[]>;
  /** Claims all queues that are due at `at` or before. */
  readonly claim: (at: Date) => Promise<readonly ClaimedQueue[]>;
  /** Ends the leases of all queues, as after the death of their holders. */
  readonly expire: () => Promise<void>;
  /** Repeats the steps of pages that are due at `at` or before. */
  readonly repeatDue: (at: Date, expand: ExpandRepetition) => Promise<void>;
  /** The rows of pages and deliveries, by id. */
  readonly rows: () => Promise<readonly PageDocument[]>;
  /** The deliveries of all rows, by id. */
  readonly stored: () => Promise<readonly Delivery[]>;
  /** The next repetition of each page that has one. */
  readonly repetitions: () => Promise<readonly Repetition[]>;
  /** All stored documents as text, without decisions that are not published yet. */
  readonly kept: () => Promise<string>;
}

/** Options of the stores of one process. */
export interface StoreOptions {
  /** For how long queues are leased. */
  readonly leaseMs?: number;
  readonly bundles?: BundleLimits | undefined;
  /** The clock of the leases in milliseconds; real time by default. */
  readonly now?: () => number;
  /** Awaited in each transaction that begins messages, between its reads and its writes. */
  readonly whileBeginning?: () => Promise<void>;
}

/** The stores over `database`, or over one of their own; two over one database are two processes. */
export async function openMongoStores(
  over?: { uri: string; database: string },
  options: StoreOptions = {},
): Promise<MongoStores> {
  return storesOn(await openDatabase(over ?? (await testMongo())), options);
}

/** A connection to a database that has the indexes of the service. */
export async function openDatabase({ uri, database }: { uri: string; database: string }): Promise<Connection> {
  const connection = await connectMongo({ uri, database });
  await migrate(connection, [...persistenceIndexes, ...notifierIndexes]);
  return connection;
}

/** The stores of one more process over the database of `connection`. */
export function storesOn(
  connection: Connection,
  { bundles = new Map(), leaseMs = 60_000, now, whileBeginning }: StoreOptions = {},
): MongoStores {
  const publisher = new RecordingPublisher();
  const topics = [Decisions, VerificationEvents, SubscriptionEvents, AlertCommands];
  const outbox = new Outbox({ connection, publisher, topics, logger: silent });
  const queues = new RecipientQueues(connection, leaseMs, now === undefined ? {} : { now });
  const { leases } = queues;
  const release = leases.release.bind(leases);
  leases.release = async (given, session) => {
    // Transactions that begin messages release queues after they have chosen.
    if (session !== undefined) await whileBeginning?.();
    await release(given, session);
  };
  const deliveries = new DeliveryStore({ connection, outbox, queues, bundles });
  const receipts = new ReceiptStore({ connection, outbox, queues, onWaiting: () => undefined });
  const added = new NewDeliveries({ connection, queues, bundles, onWaiting: () => undefined });
  const pageStore = new PageStore({
    connection,
    outbox,
    deliveries: added,
    dueWork: { wakeAfterCommit: () => undefined },
  });
  const transactions = new CheckpointTransactions({ connection, racingIndexes: ['_id_'], gate: added.gate });
  const noticeStore = new NoticeStore({ connection, outbox, deliveries: added });
  const published = async ({ name }: { readonly name: string }) => {
    await outbox.flush();
    return publisher.published.filter(({ topic }) => topic === name).map(({ message }) => message);
  };
  const commands = async () => (await published(AlertCommands)) as readonly AlertCommand[];
  const decisions = async () => (await published(Decisions)) as readonly Decision[];
  const verifications = async () => (await published(VerificationEvents)) as readonly VerificationEvent[];
  const collection = <D extends { readonly _id: string }>() => collectionOf<D>(connection, DELIVERIES);
  const rows = () => collection<PageDocument>().find({}).sort({ _id: 1 }).toArray();
  const stored = async () =>
    (
      await collection<DeliveryDocument>()
        .find({ state: { $exists: true } }, { projection: DELIVERY_FIELDS, sort: { _id: 1 } })
        .toArray()
    ).map(toDelivery);
  const repetitions = async () => (await rows()).flatMap(toRepetitions);
  const kept = async () => {
    const names = (await connection.listCollections()).map(({ name }) => name).filter((name) => name !== 'outbox');
    return JSON.stringify(await Promise.all(names.map((name) => collectionOf(connection, name).find({}).toArray())));
  };
  const repeatDue = async (at: Date, expand: ExpandRepetition): Promise<void> => {
    const steps = { prepare: () => Promise.resolve(expand), giveUp: failing };
    await repetitionsOf({ connection, store: pageStore, steps, clock: new ManualClock(at) }).activate(
      new AbortController().signal,
    );
  };
  const claim = (at: Date) => queues.leases.claim(at, 100);
  const expire = async () => {
    await collectionOf(connection, RECIPIENT_QUEUES).updateMany({}, { $set: { leaseUntil: null } });
  };
  return {
    connection,
    publisher,
    acts: new ActStore({ connection, outbox }),
    codes: new ReplyCodes(connection),
    deliveries,
    queues,
    receipts,
    pageStore,
    noticeStore,
    settlePages: settlePagesIn(pageStore, transactions),
    settleNotices: settleNoticesIn(noticeStore, transactions),
    transactions,
    published,
    commands,
    claim,
    repeatDue,
    expire,
    rows,
    stored,
    repetitions,
    kept,
    decisions,
    verifications,
  };
}

/** Processes pages, and expands them by another function than that of the service. */
const settlePagesIn =
  (store: PageStore, transactions: CheckpointTransactions): SettlePages =>
  (batches, expand, slots) => {
    const users = { get: () => undefined, isDeleted: () => false, fetch: () => Promise.resolve(undefined) };
    const deliver = { reserveSlots: () => ({ ...slots, release: () => undefined }) };
    const ports = { store, deliver, users, clock: new ManualClock(new Date(0)) };
    return new StagedProcessor(pageStages(ports, expand), transactions).process(batches);
  };

/** As {@link settlePagesIn}, of notices. */
const settleNoticesIn =
  (store: NoticeStore, transactions: CheckpointTransactions): SettleNotices =>
  (batches, expand, slots) => {
    const deliver = { reserveSlots: () => ({ ...slots, release: () => undefined }) };
    const ports = { store, deliver, clock: new ManualClock(LATER), onNotice: () => undefined };
    const failed = () => {
      throw new Error('no notice is a dead letter');
    };
    return new StagedProcessor(noticeStages(ports, { expand, failed }), transactions).process(batches);
  };

/** The parts of the due work of pages. */
export interface RepetitionParts extends Pick<
  DueWorkOptions<PageDocument, unknown>,
  'clock' | 'connection' | 'transaction'
> {
  readonly store: Pick<PageStore, 'repeat'>;
  readonly steps: Pick<RepeatSteps, 'giveUp' | 'prepare'>;
}

/** The due work of pages, which begins when it is activated. */
export const repetitionsOf = ({
  steps,
  store,
  ...options
}: RepetitionParts): DueWork<PageDocument, PreparedRepetitions> =>
  new DueWork({ logger: silent, wake: () => undefined, ...options, ...repetitionWork(() => ({ steps, store })) });

const failing = (): never => {
  throw new Error('no page is given up');
};
