import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { defineTopic } from '@tocsin/events';
import { eventually, testMongo } from '@tocsin/testkit';
import { z } from 'zod';
import { connectMongo, inTransaction, migrate, Outbox, persistenceIndexes, type Connection } from './index.ts';
import { RecordingRelayPublisher } from './testing/recording-relay-publisher.ts';

const facts = defineTopic({ name: 'facts.v1', kind: 'events', schema: z.string(), key: (message: string) => message });
const HOUR_MS = 3_600_000;
const RealDate = Date;

/** From now on this process believes that it is `byMs` later than it is. */
function shiftClock(byMs: number): void {
  globalThis.Date = class extends RealDate {
    constructor(...given: ConstructorParameters<typeof RealDate> | []) {
      // A date that is made of something means the same on every clock.
      super(...((given.length === 0 ? [RealDate.now() + byMs] : given) as [number]));
    }

    static override now(): number {
      return RealDate.now() + byMs;
    }
  } as DateConstructor;
}

let connection: Connection;
let publisher: RecordingRelayPublisher;
let ended: (() => Promise<void>)[];

beforeEach(async () => {
  connection = await connectMongo(await testMongo());
  await migrate(connection, persistenceIndexes);
  publisher = new RecordingRelayPublisher();
  ended = [];
});

afterEach(async () => {
  globalThis.Date = RealDate;
  for (const end of ended) await end();
  await connection.dropDatabase();
  await connection.close();
});

function outbox(): Outbox {
  const logger = { warn: () => undefined, error: () => undefined };
  const box = new Outbox({ connection, publisher, topics: [facts], logger, renewEveryMs: 20 });
  ended.push(() => box.stop());
  return box;
}

const add = (box: Outbox, message: string): Promise<void> =>
  inTransaction(connection, (session) => box.add(session, facts, [message]));
const published = (): unknown[] => publisher.log.map(({ message }) => message);

describe('A process whose clock is an hour ahead', () => {
  it('leaves the rows to the process that relays them', async () => {
    const relaying = outbox();
    relaying.start();
    await relaying.flush();
    shiftClock(HOUR_MS);
    const ahead = outbox();
    const publish = jest.spyOn(publisher, 'publish');
    ahead.start();
    await ahead.flush();
    await add(ahead, 'one');
    await eventually(() => {
      expect(published()).toEqual(['one']);
    });
    expect(publish).toHaveBeenCalledTimes(1);
  });
});

describe('A process whose clock is an hour behind', () => {
  it('publishes the rows of processes that ended', async () => {
    await add(outbox(), 'left behind');
    shiftClock(-HOUR_MS);
    outbox().start();
    await eventually(() => {
      expect(published()).toEqual(['left behind']);
    });
  });
});
