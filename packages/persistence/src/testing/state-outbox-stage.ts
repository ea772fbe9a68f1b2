import { ManualClock } from '@tocsin/clock';
import { Escalations, type EscalationState, type StateMessage } from '@tocsin/contracts';
import { testMongo } from '@tocsin/testing';
import type { mongo } from 'mongoose';
import {
  collectionOf,
  connectMongo,
  inTransaction,
  migrate,
  persistenceIndexes,
  StateOutbox,
  type Connection,
  type StateOutboxOptions,
} from '../index.ts';
import { RecordingRelayPublisher } from './recording-relay-publisher.ts';

interface Thing {
  readonly _id: string;
  readonly n: number;
}

export const EPOCH = 1_700_000_000_000;

/** What is published of a thing that was written `n` times. */
export function message(id: string, n: number): StateMessage<EscalationState> {
  const state = { id, name: `name ${n}`, description: '', rules: [] };
  return { id, version: { epoch: EPOCH, n }, deleted: false, state };
}

/** Things in a database of one test's own, and the outboxes that announce them. */
export class StateOutboxStage {
  readonly connection: Connection;
  readonly things: mongo.Collection<Thing>;
  readonly publisher = new RecordingRelayPublisher();
  readonly clock = new ManualClock(new Date('2026-03-01T08:00:00Z'));
  readonly #started: StateOutbox<EscalationState>[] = [];

  private constructor(connection: Connection) {
    this.connection = connection;
    this.things = collectionOf(connection, 'things');
  }

  static async open(): Promise<StateOutboxStage> {
    const connection = await connectMongo(await testMongo());
    await migrate(connection, [...persistenceIndexes, { collection: 'things', keys: { _id: 1 }, serves: 'this test' }]);
    return new StateOutboxStage(connection);
  }

  async close(): Promise<void> {
    await Promise.all(this.#started.map((outbox) => outbox.stop()));
    await this.connection.dropDatabase();
    await this.connection.close();
  }

  outbox(options: Partial<StateOutboxOptions<EscalationState>> = {}): StateOutbox<EscalationState> {
    const { connection, things, publisher, clock } = this;
    return new StateOutbox({
      connection,
      topic: Escalations,
      load: async (ids) => {
        const found = await things.find({ _id: { $in: [...ids] } }).toArray();
        return new Map(found.map(({ _id, n }) => [_id, message(_id, n)]));
      },
      ids: async function* () {
        for await (const { _id } of things.find()) yield _id;
      },
      publisher,
      logger: { warn: () => undefined, error: () => undefined },
      clock,
      sweepEveryMs: 50,
      eraseEveryMs: 50,
      abandonedMs: 300,
      ...options,
    });
  }

  start(box: StateOutbox<EscalationState>): void {
    this.#started.push(box);
    box.start();
  }

  async write(box: StateOutbox<EscalationState>, id: string): Promise<void> {
    await inTransaction(this.connection, async (session) => {
      await this.things.updateOne({ _id: id }, { $inc: { n: 1 } }, { session, upsert: true });
      await box.changed(session, id);
    });
  }

  async remove(box: StateOutbox<EscalationState>, id: string, n: number): Promise<void> {
    await inTransaction(this.connection, async (session) => {
      await this.things.deleteOne({ _id: id }, { session });
      await box.deleted(session, id, { epoch: EPOCH, n });
    });
  }

  /** What the topic says last of the thing. */
  last(id: string): unknown {
    return this.publisher.compacted().get(id);
  }

  /** `work` is done in the middle of the next `times` publications, after their states were read. */
  meanwhile(work: () => Promise<void>, times = 1): void {
    let left = times;
    this.publisher.before = async () => {
      if (left === 0) return;
      left -= 1;
      await work();
    };
  }
}
