import { Escalations, type EscalationState, type StateMessage } from '@tocsin/events';
import { testMongo } from '@tocsin/testkit';
import type { mongo } from 'mongoose';
import {
  collectionOf,
  connectMongo,
  EntityStates,
  inTransaction,
  migrate,
  Outbox,
  persistenceIndexes,
  type Connection,
  type EntityStatesOptions,
} from '../index.ts';
import { RecordingRelayPublisher } from './recording-relay-publisher.ts';

interface Thing {
  readonly _id: string;
  readonly n: number;
}

const EPOCH = 1_700_000_000_000;

/** The message about a thing that was written `n` times. */
export function message(id: string, n: number): StateMessage<EscalationState> {
  const state = { id, name: `name ${n}`, description: '', rules: [] };
  return { id, version: { epoch: EPOCH, n }, deleted: false, state };
}

/** The message about a thing that was deleted as its version `n`. */
export function tombstone(id: string, n: number): StateMessage<EscalationState> {
  return { id, version: { epoch: EPOCH, n }, deleted: true };
}

/** A process of a service. */
export interface Replica {
  readonly outbox: Outbox;
  readonly announcements: EntityStates<EscalationState>;
}

/** Things in a database of one test's own, and the processes that publish their states. */
export class EntityStatesStage {
  readonly connection: Connection;
  readonly things: mongo.Collection<Thing>;
  readonly publisher = new RecordingRelayPublisher();
  readonly #started: Outbox[] = [];

  private constructor(connection: Connection) {
    this.connection = connection;
    this.things = collectionOf(connection, 'things');
  }

  static async open(): Promise<EntityStatesStage> {
    const connection = await connectMongo(await testMongo());
    await migrate(connection, [...persistenceIndexes, { collection: 'things', keys: { _id: 1 }, serves: 'this test' }]);
    return new EntityStatesStage(connection);
  }

  async close(): Promise<void> {
    await Promise.all(this.#started.map((outbox) => outbox.stop()));
    await this.connection.dropDatabase();
    await this.connection.close();
  }

  replica(options: Partial<EntityStatesOptions<EscalationState>> = {}): Replica {
    const { connection, things } = this;
    const { publisher = this.publisher } = options;
    const logger = { warn: () => undefined, error: () => undefined };
    const outbox = new Outbox({ connection, publisher, topics: [Escalations], logger, renewEveryMs: 50 });
    const announcements = new EntityStates({
      connection,
      topic: Escalations,
      load: async (ids, session) => {
        const found = await things.find({ _id: { $in: [...ids] } }, { ...(session && { session }) }).toArray();
        return new Map(found.map(({ _id, n }) => [_id, message(_id, n)]));
      },
      ids: async function* () {
        for await (const { _id } of things.find()) yield _id;
      },
      outbox,
      publisher,
      logger,
      ...options,
    });
    return { outbox, announcements };
  }

  start({ outbox }: Replica): void {
    this.#started.push(outbox);
    outbox.start();
  }

  async write({ announcements }: Replica, id: string): Promise<void> {
    await inTransaction(this.connection, async (session) => {
      const options = { session, upsert: true, returnDocument: 'after' } as const;
      const written = await this.things.findOneAndUpdate({ _id: id }, { $inc: { n: 1 } }, options);
      await announcements.addStates(session, written === null ? [] : [message(id, written.n)]);
    });
  }

  async remove({ announcements }: Replica, id: string, n: number): Promise<void> {
    await inTransaction(this.connection, async (session) => {
      await this.things.deleteOne({ _id: id }, { session });
      await announcements.addTombstone(session, id, { epoch: EPOCH, n });
    });
  }

  /** The last message of the topic about the thing. */
  last(id: string): unknown {
    return this.publisher.compacted().get(id);
  }

  /** Every message, in its order. */
  messages(): readonly unknown[] {
    return this.publisher.log.map(({ message: each }) => each);
  }
}
