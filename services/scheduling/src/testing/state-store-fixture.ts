import { afterEach } from '@jest/globals';
import {
  type AlertCommand,
  AlertCommands,
  type AlertEvent,
  type BatchResult,
  type ConsumedBatch,
  type Decision,
  Decisions,
  type Page,
  type PageMessage,
  Pages,
  type TopicDefinition,
} from '@tocsin/events';
import { RecordingPublisher, StagedProcessor } from '@tocsin/kafka';
import {
  CheckpointTransactions,
  type Connection,
  connectMongo,
  migrate,
  Outbox,
  persistenceIndexes,
  type Session,
} from '@tocsin/mongo';
import { testMongo } from '@tocsin/testkit';
import { applyEvent } from '../paging/apply-event.ts';
import { Effects } from '../paging/effects.ts';
import { type EscalationState, foldChanges, type LookUp, type PageOrigin } from '../paging/escalation-state.ts';
import type { StateChange } from '../paging/state-change.ts';
import { escalationStateIndexes, EscalationStateStore } from '../paging/store.ts';
import { diskFull } from './alert-samples.ts';
import { silent } from './killed-process.ts';

type ReceiveEvents = (
  batches: readonly ConsumedBatch<AlertEvent>[],
  decide: (state: EscalationState | undefined, event: AlertEvent) => StateChange | undefined,
) => Promise<BatchResult>;

/** A store, with the messages of its outbox. */
export interface StoreUnderTest {
  readonly store: EscalationStateStore;
  /** Processes alert events with another decision than that of the service. */
  readonly receiveEvents: ReceiveEvents;
  /** Its messages on the topic of pages, in order. */
  readonly messages: () => Promise<readonly PageMessage[]>;
  readonly commands: () => Promise<readonly AlertCommand[]>;
  readonly decisions: () => Promise<readonly Decision[]>;
  /** The instants that were passed to the due work of the process. */
  readonly instants: readonly (Date | undefined)[];
}

/** Opens a store on a database of its own for each test of a file. */
export function useStateStores(): () => Promise<StoreUnderTest> {
  const connections: Connection[] = [];

  afterEach(async () => {
    await Promise.all(
      connections.splice(0).map((connection) => connection.dropDatabase().then(() => connection.close())),
    );
  });

  return async () => {
    const { uri, database } = await testMongo();
    const connection = await connectMongo({ uri, database });
    connections.push(connection);
    await migrate(connection, [...persistenceIndexes, ...escalationStateIndexes]);
    return storeOn(connection);
  };
}

function storeOn(connection: Connection): StoreUnderTest {
  const publisher = new RecordingPublisher();
  const outbox = new Outbox({ connection, publisher, topics: [Pages, AlertCommands, Decisions], logger: silent });
  const published = async <T>({ name, schema }: TopicDefinition<T>): Promise<readonly T[]> => {
    await outbox.flush();
    return publisher.published.filter(({ topic }) => topic === name).map(({ message }) => schema.parse(message));
  };
  const instants: (Date | undefined)[] = [];
  const wakeAfterCommit = (_: unknown, due: readonly (Date | undefined)[]): void => {
    instants.push(...due);
  };
  const store = new EscalationStateStore({ connection, outbox, dueWork: { wakeAfterCommit } });
  return {
    instants,
    store,
    receiveEvents: receiveEventsIn(store, connection),
    messages: () => published(Pages),
    commands: () => published(AlertCommands),
    decisions: () => published(Decisions),
  };
}

const receiveEventsIn =
  (store: EscalationStateStore, connection: Connection): ReceiveEvents =>
  (batches, decideOne) =>
    new StagedProcessor<AlertEvent, Session, void, ReadonlyMap<string, EscalationState>, readonly StateChange[]>(
      {
        read: (session, records) =>
          store.find(
            records.map(({ value }) => value.alertId),
            session,
          ),
        decide: (states, records) =>
          foldChanges(
            records.map(({ value }) => value),
            states,
            ({ alertId }) => alertId,
            decideOne,
          ),
        write: (session, changes) => store.write(session, changes),
      },
      new CheckpointTransactions({ connection }),
    ).process(batches);

export const DUE = new Date('2026-01-01T00:05:00Z');

export const event = (version: number): AlertEvent => ({
  alertId: 'a1',
  version,
  state: diskFull,
  facts: [],
  acceptedAt: '2026-01-01T00:00:00.000Z',
});

export const batch = (events: readonly AlertEvent[], firstOffset = 0): ConsumedBatch<AlertEvent> => ({
  topic: 'alert-events.v1',
  partition: 0,
  clusterId: 'c1',
  records: events.map((value, index) => ({ offset: firstOffset + index, key: 'a1', timestampMs: 1, value })),
});

const origin: PageOrigin = {
  routeId: 'b',
  rule: '0',
  repeatNumber: 0,
  isStopped: false,
  cancelOn: 'ack',
  dueAt: DUE,
  why: 'a test',
};

export const lookUp: LookUp = {
  id: 'b/0?user:ada',
  target: { type: 'user', id: 'ada' },
  choice: 'next',
  attempt: 2,
  dueAt: DUE,
  route: { origin, targets: ['team:ops', 'user:ada'], attempt: 3 },
  since: DUE,
};

function pageOf(state: EscalationState): Page {
  const effects = new Effects(state, DUE);
  effects.page('ada', 'ada@example.com', origin);
  return effects.pages[0] ?? (undefined as never);
}

/** Starts an escalation state with one page, and takes over later states. */
export function decide(state: EscalationState | undefined, of: AlertEvent): StateChange | undefined {
  const applied = applyEvent(state, of);
  if (applied === undefined) return undefined;
  const fresh = applied.opening !== undefined;
  return {
    at: DUE,
    state: applied.state,
    cancels: applied.cancels,
    pages: fresh ? [pageOf(applied.state)] : [],
    commands: [],
    decisions: [],
    withoutRecipient: 0,
    exhausted: 0,
  };
}
