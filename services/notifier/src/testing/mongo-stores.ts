import { ManualClock } from '@tocsin/clock';
import { AlertCommands, Decisions, VerificationEvents, type Decision, type VerificationEvent } from '@tocsin/contracts';
import { RecordingPublisher } from '@tocsin/messaging';
import {
  collectionOf,
  connectMongo,
  DueWork,
  migrate,
  Outbox,
  persistenceIndexes,
  type Connection,
  type DueWorkOptions,
} from '@tocsin/persistence';
import { testMongo } from '@tocsin/testing';
import type { BundleLimits } from '../domain/next-message.ts';
import type { ExpandRepetition } from '../ports/flow-store.ts';
import type { RepeatSteps } from '../application/repeat-steps.ts';
import type { PageDocument } from '../storage/delivery-document.ts';
import { notifierIndexes, TURNS } from '../storage/documents.ts';
import { MongoActStore } from '../storage/mongo-act-store.ts';
import { MongoAlertStandings } from '../storage/mongo-alert-standings.ts';
import { MongoDeliveryStore } from '../storage/mongo-delivery-store.ts';
import { MongoFlowStore } from '../storage/mongo-flow-store.ts';
import { MongoNewDeliveries } from '../storage/mongo-new-deliveries.ts';
import { MongoReceiptStore } from '../storage/mongo-receipt-store.ts';
import { MongoTurns } from '../storage/mongo-turns.ts';
import { repetitionWork, type PreparedRepetitions } from '../storage/repetition-work.ts';
import type { StoresUnderTest } from './stores-under-test.ts';

export const silent = { warn: (): void => undefined, error: (): void => undefined };

export interface MongoStores extends StoresUnderTest {
  readonly flows: MongoFlowStore;
  readonly connection: Connection;
  readonly publisher: RecordingPublisher;
  readonly acts: MongoActStore;
  /** What was published, by topic, once all of it is. */
  readonly published: (topic: { readonly name: string }) => Promise<readonly unknown[]>;
}

/** How time passes for the stores of a process. */
export interface StoreTime {
  /** Milliseconds by which the process judges its leases; real time unless given. */
  readonly now?: () => number;
  /** Waited for in each transaction that begins messages, between what it reads and what it writes. */
  readonly whileBeginning?: () => Promise<void>;
}

/** The stores over `database`, or over one of their own; two over one database are two processes. Turns are leased for `leaseMs`. */
export async function openMongoStores(
  over?: { uri: string; database: string },
  leaseMs = 60_000,
  bundles: BundleLimits = new Map(),
  { now, whileBeginning }: StoreTime = {},
): Promise<MongoStores> {
  const { uri, database } = over ?? (await testMongo());
  const connection = await connectMongo({ uri, database });
  await migrate(connection, [...persistenceIndexes, ...notifierIndexes]);
  const publisher = new RecordingPublisher();
  const topics = [Decisions, VerificationEvents, AlertCommands];
  const outbox = new Outbox({ connection, publisher, topics, logger: silent });
  const turns = new MongoTurns(connection, leaseMs, now === undefined ? {} : { now });
  const standings = new MongoAlertStandings(connection);
  const ofDeliveries: typeof standings.ofDeliveries = async (...asked) => {
    await whileBeginning?.();
    return standings.ofDeliveries(...asked);
  };
  const deliveries = new MongoDeliveryStore({ connection, outbox, turns, standings: { ofDeliveries }, bundles });
  const receipts = new MongoReceiptStore({ connection, outbox, turns, onWaiting: () => undefined });
  const added = new MongoNewDeliveries({ connection, turns, standings, bundles, onWaiting: () => undefined });
  const flows = new MongoFlowStore({
    connection,
    outbox,
    standings,
    deliveries: added,
    dueWork: { written: () => undefined },
  });
  const published = async ({ name }: { readonly name: string }) => {
    await outbox.flush();
    return publisher.published.filter(({ topic }) => topic === name).map(({ message }) => message);
  };
  const decisions = async () => (await published(Decisions)) as readonly Decision[];
  const verifications = async () => (await published(VerificationEvents)) as readonly VerificationEvent[];
  const acts = new MongoActStore({ connection, outbox });
  const kept = async () => {
    const names = (await connection.listCollections()).map(({ name }) => name).filter((name) => name !== 'outbox');
    return JSON.stringify(await Promise.all(names.map((name) => collectionOf(connection, name).find({}).toArray())));
  };
  const repeatDue = async (at: Date, expand: ExpandRepetition): Promise<void> => {
    const steps = { prepare: () => Promise.resolve(expand), giveUp: failing };
    await repetitionsOf({ connection, store: flows, steps, clock: new ManualClock(at) }).activate(
      new AbortController().signal,
    );
  };
  const claim = (at: Date) => turns.leases.claim(at, 100);
  const expire = async () => {
    await collectionOf(connection, TURNS).updateMany({}, { $set: { leaseUntil: null } });
  };
  return {
    connection,
    publisher,
    acts,
    published,
    standings,
    deliveries,
    flows,
    receipts,
    claim,
    repeatDue,
    expire,
    kept,
    decisions,
    verifications,
  };
}

/** What the due work of pages is made of. */
export interface RepetitionParts extends Pick<
  DueWorkOptions<PageDocument, unknown>,
  'clock' | 'connection' | 'transaction'
> {
  readonly store: Pick<MongoFlowStore, 'repeat'>;
  readonly steps: Pick<RepeatSteps, 'giveUp' | 'prepare'>;
}

/** The due work of pages as the service has it, which does nothing until it is activated. */
export const repetitionsOf = ({
  steps,
  store,
  ...options
}: RepetitionParts): DueWork<PageDocument, PreparedRepetitions> =>
  new DueWork({ logger: silent, wake: () => undefined, ...options, ...repetitionWork(() => ({ steps, store })) });

const failing = (): never => {
  throw new Error('no page is given up');
};
