import { ManualClock } from '@tocsin/core';
import {
  type NoticeCommand,
  NoticeCommands,
  Roles,
  Sessions,
  ShadowSwitches,
  type StateMessage,
  type SubscriptionEvent,
  Teams,
  type TopicDefinition,
  Users,
  type VerificationEvent,
} from '@tocsin/events';
import { type BatchProcessor, RecordingPublisher, StagedProcessor } from '@tocsin/kafka';
import {
  CheckpointTransactions,
  type Connection,
  EntityStates,
  Outbox,
  statesOf,
  type StateSource,
} from '@tocsin/mongo';
import { openStores, type Stores } from '../compose-stores.ts';
import { ROLE } from '../roles/store.ts';
import { SESSION } from '../sessions/store.ts';
import { SWITCH } from '../shadow/store.ts';
import { TEAM } from '../teams/store.ts';
import { subscriptionEvents, verificationEvents } from '../users/consumer.ts';
import { USER } from '../users/store.ts';

export const silent = { warn: (): void => undefined, error: (): void => undefined };

/** One process's view of a database: stores, and what they publish. */
export interface MongoDirectory extends Stores {
  readonly connection: Connection;
  readonly verifications: BatchProcessor<VerificationEvent>;
  readonly endedSubscriptions: BatchProcessor<SubscriptionEvent>;
  readonly publisher: RecordingPublisher;
  /** Not started: it publishes when it is flushed. */
  readonly outbox: Outbox;
  /** The notices that were published, oldest first, once all are. */
  readonly notices: () => Promise<readonly NoticeCommand[]>;
}

/** The stores of one process on a database that is migrated; several may be opened on one. */
export function mongoDirectory(connection: Connection): MongoDirectory {
  const publisher = new RecordingPublisher();
  const outbox = new Outbox({
    connection,
    publisher,
    topics: [NoticeCommands, Users, Teams, Roles, Sessions, ShadowSwitches],
    logger: silent,
  });
  const statesFrom = <T>(topic: TopicDefinition<StateMessage<T>>, source: StateSource<T>) =>
    new EntityStates({ connection, topic, ...source, outbox, publisher, logger: silent });
  const announcements = {
    users: statesFrom(Users, statesOf(connection, USER)),
    teams: statesFrom(Teams, statesOf(connection, TEAM)),
    roles: statesFrom(Roles, statesOf(connection, ROLE)),
    sessions: statesFrom(Sessions, statesOf(connection, SESSION)),
    switches: statesFrom(ShadowSwitches, statesOf(connection, SWITCH)),
  };
  const stores = openStores({ connection, announcements, outbox });
  return {
    ...stores,
    connection,
    publisher,
    outbox,
    verifications: new StagedProcessor(verificationEvents(stores.users), new CheckpointTransactions({ connection })),
    endedSubscriptions: new StagedProcessor(
      subscriptionEvents({ users: stores.users, clock: new ManualClock(new Date('2026-01-02T00:00:00Z')) }),
      new CheckpointTransactions({ connection }),
    ),
    notices: async () => {
      await outbox.flush();
      const published = publisher.published.filter(({ topic }) => topic === NoticeCommands.name);
      return published.map(({ message }) => NoticeCommands.schema.parse(message));
    },
  };
}
