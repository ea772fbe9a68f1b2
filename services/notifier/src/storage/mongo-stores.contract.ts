import { Decisions, type Decision } from '@tocsin/contracts';
import { RecordingPublisher } from '@tocsin/messaging';
import { connectMongo, migrate, Outbox, persistenceIndexes, type Connection } from '@tocsin/persistence';
import { claimedTimers, testMongo, type Steering } from '@tocsin/testing';
import { timerIndexes, Timers, type DueTimer } from '@tocsin/timers';
import { notifierIndexes, REPEAT_TIMERS, STEP_TIMERS } from './documents.ts';
import { MongoAlertStandings } from './mongo-alert-standings.ts';
import { MongoDeliveryStore, type StepTimer } from './mongo-delivery-store.ts';
import { MongoFlowStore, type RepetitionTimer } from './mongo-flow-store.ts';
import type { StoresUnderTest } from './stores-under-test.contract.ts';

export const silent = { warn: (): void => undefined, error: (): void => undefined };

export interface MongoStores extends StoresUnderTest<StepTimer, RepetitionTimer> {
  readonly connection: Connection;
  readonly publisher: RecordingPublisher;
}

/** The stores over `database`, or over one of their own; two over one database are two processes. */
export async function openMongoStores(over?: { uri: string; database: string }): Promise<MongoStores> {
  const { uri, database } = over ?? (await testMongo());
  const connection = await connectMongo({ uri, database });
  const indexes = [...notifierIndexes, ...timerIndexes(STEP_TIMERS), ...timerIndexes(REPEAT_TIMERS)];
  await migrate(connection, [...persistenceIndexes, ...indexes]);
  const publisher = new RecordingPublisher();
  const outbox = new Outbox({ connection, publisher, topics: [Decisions], logger: silent });
  const steps = claimer<null>(connection, STEP_TIMERS);
  const repetitions = claimer<RepetitionTimer['payload']>(connection, REPEAT_TIMERS);
  const standings = new MongoAlertStandings(connection);
  const deliveries = new MongoDeliveryStore({ connection, outbox, timers: steps.timers, standings });
  const flows = new MongoFlowStore({ connection, outbox, deliveries, standings, timers: repetitions.timers });
  const decisions = async () => {
    await outbox.flush();
    return publisher.published.map(({ message }) => message as Decision);
  };
  const claims = { claim: steps.claim, claimRepetitions: repetitions.claim };
  return { connection, publisher, standings, deliveries, flows, ...claims, decisions };
}

function claimer<P>(connection: Connection, collection: string) {
  return claimedTimers(
    (steering: Steering<DueTimer<P>>) => new Timers<P>({ connection, collection, logger: silent, ...steering }),
  );
}
