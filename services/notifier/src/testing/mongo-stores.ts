import { AlertCommands, Decisions, type Decision } from '@tocsin/contracts';
import { RecordingPublisher } from '@tocsin/messaging';
import { collectionOf, connectMongo, migrate, Outbox, persistenceIndexes, type Connection } from '@tocsin/persistence';
import { claimedTimers, testMongo, type Steering } from '@tocsin/testing';
import { timerIndexes, Timers, type DueTimer } from '@tocsin/timers';
import type { BundleLimits } from '../domain/next-message.ts';
import { notifierIndexes, REPEAT_TIMERS, TURNS } from '../storage/documents.ts';
import { MongoActStore } from '../storage/mongo-act-store.ts';
import { MongoAlertStandings } from '../storage/mongo-alert-standings.ts';
import { MongoDeliveryStore } from '../storage/mongo-delivery-store.ts';
import { MongoFlowStore, type RepetitionTimer } from '../storage/mongo-flow-store.ts';
import { MongoNewDeliveries } from '../storage/mongo-new-deliveries.ts';
import { MongoReceiptStore } from '../storage/mongo-receipt-store.ts';
import { MongoTurns } from '../storage/mongo-turns.ts';
import type { StoresUnderTest } from './stores-under-test.ts';

export const silent = { warn: (): void => undefined, error: (): void => undefined };

export interface MongoStores extends StoresUnderTest<RepetitionTimer> {
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
  const indexes = [...notifierIndexes, ...timerIndexes(REPEAT_TIMERS)];
  await migrate(connection, [...persistenceIndexes, ...indexes]);
  const publisher = new RecordingPublisher();
  const outbox = new Outbox({ connection, publisher, topics: [Decisions, AlertCommands], logger: silent });
  const turns = new MongoTurns(connection, leaseMs, now === undefined ? {} : { now });
  const repetitions = claimer<RepetitionTimer['payload']>(connection, REPEAT_TIMERS);
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
    timers: repetitions.timers,
  });
  const published = async ({ name }: { readonly name: string }) => {
    await outbox.flush();
    return publisher.published.filter(({ topic }) => topic === name).map(({ message }) => message);
  };
  const decisions = async () => (await published(Decisions)) as readonly Decision[];
  const acts = new MongoActStore({ connection, outbox });
  const kept = async () => {
    const names = (await connection.listCollections()).map(({ name }) => name).filter((name) => name !== 'outbox');
    return JSON.stringify(await Promise.all(names.map((name) => collectionOf(connection, name).find({}).toArray())));
  };
  const claims = { claim: (at: Date) => turns.leases.claim(at, 100), claimRepetitions: repetitions.claim };
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
    ...claims,
    expire,
    kept,
    decisions,
  };
}

function claimer<P>(connection: Connection, collection: string) {
  return claimedTimers(
    (steering: Steering<DueTimer<P>>) => new Timers<P>({ connection, collection, logger: silent, ...steering }),
  );
}
