import type { StateMessage, TopicDefinition } from '@tocsin/contracts';
import { NoticeCommands, Teams, Users } from '@tocsin/contracts';
import { RecordingPublisher } from '@tocsin/messaging';
import { EntityStates, Outbox, Revision, type Connection, type StateSource } from '@tocsin/persistence';
import { ConfigurationWrites } from '../storage/configuration-writes.ts';
import { teamSource, userSource } from '../storage/mongo-states.ts';
import { MongoRoleStore } from '../storage/mongo-role-store.ts';
import { MongoTeamStore } from '../storage/mongo-team-store.ts';
import { MongoUserLots } from '../storage/mongo-user-lots.ts';
import { MongoUserStore } from '../storage/mongo-user-store.ts';
import { MongoVerificationEventStore } from '../storage/mongo-verification-event-store.ts';

export const silent = { warn: (): void => undefined, error: (): void => undefined };

/** One process's view of a database: stores, and what they announce. */
export interface MongoDirectory {
  readonly connection: Connection;
  readonly users: MongoUserStore;
  readonly lots: MongoUserLots;
  readonly teams: MongoTeamStore;
  readonly roles: MongoRoleStore;
  readonly verifications: MongoVerificationEventStore;
  readonly publisher: RecordingPublisher;
  /** Not started: it publishes when it is flushed. */
  readonly outbox: Outbox;
  /** The ids of the notices that were published, once none waits. */
  readonly sent: () => Promise<readonly string[]>;
}

/** The stores of one process on a database that is migrated; several may be opened on one. */
export function mongoDirectory(connection: Connection): MongoDirectory {
  const publisher = new RecordingPublisher();
  const revision = new Revision(connection);
  const outbox = new Outbox({ connection, publisher, topics: [NoticeCommands, Users, Teams], logger: silent });
  const writesOf = <T>(topic: TopicDefinition<StateMessage<T>>, source: StateSource<T>) =>
    new ConfigurationWrites({
      connection,
      revision,
      announcements: new EntityStates({ connection, topic, ...source, outbox, publisher, logger: silent }),
    });
  const userWrites = writesOf(Users, userSource(connection));
  return {
    connection,
    publisher,
    outbox,
    users: new MongoUserStore({ connection, writes: userWrites, notices: outbox }),
    roles: new MongoRoleStore(connection),
    verifications: new MongoVerificationEventStore(connection, userWrites),
    lots: new MongoUserLots(connection, userWrites),
    teams: new MongoTeamStore(connection, writesOf(Teams, teamSource(connection))),
    sent: async () => {
      await outbox.flush();
      const published = publisher.published.filter(({ topic }) => topic === NoticeCommands.name);
      return published.map(({ message }) => NoticeCommands.schema.parse(message).noticeId);
    },
  };
}
