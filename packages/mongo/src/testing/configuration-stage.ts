import { Escalations, nextVersion, type EscalationState, type Version } from '@tocsin/events';
import { testMongo } from '@tocsin/testkit';
import {
  connectMongo,
  ConfigurationCollection,
  EntityStates,
  migrate,
  Outbox,
  persistenceIndexes,
  statesOf,
  type AnnouncedKind,
  type Connection,
  type StateSource,
} from '../index.ts';
import { RecordingRelayPublisher } from './recording-relay-publisher.ts';

/** A configured thing, for tests; a draft is not published. */
export interface Thing {
  readonly id: string;
  readonly name: string;
  readonly note: { readonly text: string | undefined } | undefined;
  readonly draft: boolean;
  readonly createdAt: Date;
  readonly version: Version;
}

export const createdAt = new Date('2026-03-01T08:00:00Z');

export const thingOf = (id: string, changes: Partial<Thing> = {}): Thing => ({
  id,
  name: `Thing ${id}`,
  note: undefined,
  draft: false,
  createdAt,
  version: { epoch: createdAt.getTime(), n: 1 },
  ...changes,
});

/** The thing as its next write leaves it. */
export const next = (thing: Thing, changes: Partial<Thing>): Thing => ({
  ...thing,
  ...changes,
  version: nextVersion(thing.version),
});

const THINGS: AnnouncedKind<Thing, EscalationState> = {
  collection: 'things',
  conflict: ({ name }, index) => `Thing with ${index} [${name}] already exists.`,
  message: ({ id, name, draft, version }) =>
    draft ? undefined : { id, version, deleted: false, state: { id, name, description: '', rules: [] } },
};

/** A database of one test's own, with things as one replica of a service has them. */
export class ConfigurationStage {
  readonly connection: Connection;
  readonly publisher = new RecordingRelayPublisher();
  readonly source: StateSource<EscalationState>;
  readonly announcements: EntityStates<EscalationState>;
  readonly outbox: Outbox;
  readonly things: ConfigurationCollection<Thing>;
  readonly #replicas: Connection[] = [];

  private constructor(connection: Connection) {
    this.connection = connection;
    const logger = { warn: () => undefined, error: () => undefined };
    const { publisher } = this;
    this.source = statesOf(connection, THINGS);
    this.outbox = new Outbox({ connection, topics: [Escalations], publisher, logger });
    const { outbox, source } = this;
    this.announcements = new EntityStates({ connection, topic: Escalations, ...source, outbox, publisher, logger });
    this.things = new ConfigurationCollection(connection, THINGS, this.announcements);
  }

  static async open(): Promise<ConfigurationStage> {
    const connection = await connectMongo(await testMongo());
    const unique = { keys: { name: 1 }, options: { unique: true, name: 'name' } } as const;
    await migrate(connection, [...persistenceIndexes, { collection: 'things', ...unique, serves: 'one of each name' }]);
    return new ConfigurationStage(connection);
  }

  /** Another replica of the service: the same database through a connection of its own, closed with this one. */
  async replica(): Promise<ConfigurationStage> {
    const { uri } = await testMongo();
    const connection = await connectMongo({ uri, database: this.connection.name });
    this.#replicas.push(connection);
    return new ConfigurationStage(connection);
  }

  async close(): Promise<void> {
    await Promise.all(this.#replicas.map((replica) => replica.close()));
    await this.connection.dropDatabase();
    await this.connection.close();
  }

  /** The messages on the topic, in order. */
  published(): readonly unknown[] {
    return this.publisher.log.map(({ message }) => message);
  }
}
