import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { defineTopic } from '@tocsin/events';
import { UnavailableError } from '@tocsin/core';
import { eventually } from '@tocsin/testkit';
import { z } from 'zod';
import {
  collectionOf,
  inTransaction,
  forTopic,
  Outbox,
  persistenceIndexes,
  type Connection,
  type OutboxOptions,
} from './index.ts';
import { Gate, gatedConnection, type Point } from './testing/gated-process.ts';
import { dropDatabase, openDatabase } from './testing/own-database.ts';
import { RecordingRelayPublisher } from './testing/recording-relay-publisher.ts';

const facts = defineTopic({ name: 'facts.v1', kind: 'events', schema: z.string(), key: (message: string) => message });

let connection: Connection;
let publisher: RecordingRelayPublisher;
let started: Outbox[];

beforeEach(async () => {
  connection = await openDatabase(persistenceIndexes);
  publisher = new RecordingRelayPublisher();
  started = [];
});

afterEach(async () => {
  await Promise.all(started.map((outbox) => outbox.stop()));
  await dropDatabase(connection);
});

function outbox(options: Partial<OutboxOptions> = {}): Outbox {
  const logger = { warn: () => undefined, error: () => undefined };
  return new Outbox({ connection, publisher, topics: [facts], logger, leaseMs: 300, renewEveryMs: 50, ...options });
}

function start(box: Outbox): void {
  started.push(box);
  box.start();
}

async function commit(box: Outbox, messages: readonly string[]): Promise<void> {
  await inTransaction(connection, (session) => box.add(session, facts, messages));
}

/** `connection`, but no change stream can be opened. */
function unwatched(of: Connection): Connection {
  const watch = (): never => {
    throw new UnavailableError('No change stream can be opened.');
  };
  return { db: { collection: (name: string) => collectionOf(of, name), watch } } as unknown as Connection;
}

const published = (): unknown[] => publisher.log.map(({ message }) => message);

const LONG = { leaseMs: 600_000, renewEveryMs: 300_000 };

describe('Outboxes of several processes, each with several topics,', () => {
  it('have a relay for each topic while the releases know different ones', async () => {
    const other = defineTopic({ ...facts, name: 'others.v1' });
    const older = outbox(LONG);
    start(older);
    await older.flush();
    const newer = outbox({ ...LONG, topics: [facts, other] });
    start(newer);
    await newer.flush();
    await inTransaction(connection, (session) =>
      newer.addAll(session, [forTopic(facts, ['one']), forTopic(other, ['two'])]),
    );
    await commit(older, ['three']);
    await eventually(() => {
      expect(new Set(published())).toEqual(new Set(['one', 'two', 'three']));
    });
  });

  it('leave one topic alone to another process where theirs cannot publish to it', async () => {
    const other = defineTopic({ ...facts, name: 'others.v1' });
    const options = { topics: [facts, other], leaseMs: 600_000 };
    const first = outbox(options);
    publisher.before = (messages) =>
      messages.includes('refused') ? Promise.reject(new UnavailableError('No right to write.')) : Promise.resolve();
    start(first);
    await first.flush();
    const theirs = new RecordingRelayPublisher();
    start(outbox({ ...options, publisher: theirs }));
    await inTransaction(connection, (session) =>
      first.addAll(session, [forTopic(facts, ['one']), forTopic(other, ['refused'])]),
    );
    await eventually(() => {
      expect(theirs.log.map(({ message }) => message)).toEqual(['refused']);
    });
    await commit(first, ['two']);
    await eventually(() => {
      expect(published()).toEqual(['one', 'two']);
    });
  });

  it.each<Point>(['after take', 'before search', 'after search'])(
    'go on with another relay of all topics when theirs dies %s of its renewal',
    async (point) => {
      const other = defineTopic({ ...facts, name: 'others.v1' });
      const topics = [facts, other];
      let isToDie = false;
      const died = Promise.withResolvers<undefined>();
      const gate = new Gate((reached) => {
        if (isToDie && reached === point) died.resolve(undefined);
        return isToDie && reached === point;
      });
      const dead = outbox({ topics, connection: gatedConnection(connection, gate) });
      start(dead);
      await dead.flush();
      isToDie = true;
      await died.promise;
      const survivor = outbox({ topics });
      await inTransaction(connection, (session) =>
        survivor.addAll(session, [forTopic(facts, ['one']), forTopic(other, ['two'])]),
      );
      start(survivor);
      try {
        await eventually(() => {
          expect(new Set(published())).toEqual(new Set(['one', 'two']));
        });
      } finally {
        // So that its outbox can be stopped.
        isToDie = false;
        gate.thaw();
      }
    },
  );

  it('ask their database twice for each renewal at rest, however many topics there are', async () => {
    const topics = ['one.v1', 'two.v1', 'three.v1'].map((name) => defineTopic({ ...facts, name }));
    const steps: Point[] = [];
    const gate = new Gate((point) => {
      steps.push(point);
      return false;
    });
    const box = outbox({ topics, connection: gatedConnection(connection, gate) });
    start(box);
    await box.flush();
    await eventually(() => {
      expect(steps.slice(-8)).toEqual(
        ['take', 'search', 'take', 'search'].flatMap((step) => [`before ${step}`, `after ${step}`]),
      );
    });
  });

  it('find a row that no commit and no change stream reported', async () => {
    const box = outbox({ connection: unwatched(connection) });
    start(box);
    await box.flush();
    await commit(outbox(), ['one']);
    await eventually(() => {
      expect(published()).toEqual(['one']);
    });
  });
});
