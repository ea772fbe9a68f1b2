import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/errors';
import { eventually } from '@tocsin/testing';
import { collectionOf } from './index.ts';
import { EPOCH, message, StateOutboxStage } from './testing/state-outbox-stage.ts';

const HOUR_MS = 3_600_000;

let stage: StateOutboxStage;

beforeEach(async () => {
  stage = await StateOutboxStage.open();
});

afterEach(() => stage.close());

describe('StateOutbox', () => {
  it('publishes the latest state of what was committed, and forgets that it changed', async () => {
    const box = stage.outbox();
    await stage.write(box, 'a');
    await stage.write(box, 'a');
    await stage.write(box, 'b');
    expect(await box.pending()).toBe(2);
    await box.flush();
    expect(stage.publisher.log.map(({ message: each }) => each)).toEqual([message('a', 2), message('b', 1)]);
    expect(await box.pending()).toBe(0);
  });

  it('lets each of many writers at the same time see its own change published', async () => {
    const box = stage.outbox();
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        await stage.write(box, `t${index}`);
        await box.flush();
        expect(stage.last(`t${index}`)).toEqual(message(`t${index}`, 1));
      }),
    );
  });

  it('publishes that an entity is gone, and erases its key a day later', async () => {
    const box = stage.outbox();
    await stage.write(box, 'a');
    await stage.remove(box, 'a', 2);
    await box.flush();
    const gone = { id: 'a', version: { epoch: EPOCH, n: 2 }, deleted: true };
    expect(stage.last('a')).toEqual(gone);
    expect(await box.pending()).toBe(0);

    stage.start(box);
    stage.clock.advance(23 * HOUR_MS);
    await box.publishNow(['a']);
    expect(stage.last('a')).toEqual(gone);
    stage.clock.advance(2 * HOUR_MS);
    await eventually(() => {
      expect(stage.last('a')).toBeNull();
    });
    await eventually(async () => {
      expect(await collectionOf(stage.connection, 'dirty').countDocuments()).toBe(0);
    });
  });

  it('publishes everything when it starts, in bounded pages', async () => {
    await stage.things.insertMany(Array.from({ length: 250 }, (_, index) => ({ _id: `t${index}`, n: 1 })));
    const pages: number[] = [];
    stage.publisher.before = (messages) => {
      pages.push(messages.length);
      return Promise.resolve();
    };
    stage.start(stage.outbox());
    await eventually(() => {
      expect(stage.publisher.compacted().size).toBe(250);
    });
    expect(Math.max(...pages)).toBeLessThanOrEqual(100);
  });

  it('never throws when it cannot publish, and catches up by itself', async () => {
    const box = stage.outbox();
    stage.start(box);
    let away = true;
    stage.publisher.before = () => (away ? Promise.reject(new UnavailableError('Kafka is away.')) : Promise.resolve());
    await stage.write(box, 'a');
    await box.flush();
    expect(await box.pending()).toBe(1);
    away = false;
    await eventually(async () => {
      expect(await box.pending()).toBe(0);
    });
    expect(stage.last('a')).toEqual(message('a', 1));
  });

  it('does not hold the writer up when publishing hangs', async () => {
    const box = stage.outbox();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    stage.publisher.before = async () => promise;
    await stage.write(box, 'a');
    await box.flush();
    resolve(undefined);
    await eventually(() => {
      expect(stage.last('a')).toEqual(message('a', 1));
    });
  });

  it('publishes the changes of many writers together once publishing no longer hangs', async () => {
    const box = stage.outbox();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const pages: number[] = [];
    stage.publisher.before = async (messages) => {
      pages.push(messages.length);
      await promise;
    };
    const ids = Array.from({ length: 30 }, (_, index) => `t${index}`);
    const flushes: Promise<void>[] = [];
    for (const id of ids) {
      await stage.write(box, id);
      flushes.push(box.flush());
    }
    await Promise.all(flushes);
    resolve(undefined);
    await eventually(() => {
      expect(ids.map((id) => stage.last(id))).toEqual(ids.map((id) => message(id, 1)));
    });
    expect(pages).toEqual([1, 29]);
  });

  it('says with an error that a change which must be announced was not', async () => {
    const box = stage.outbox();
    await stage.write(box, 'a');
    stage.publisher.before = () => Promise.reject(new UnavailableError('Kafka is away.'));
    await expect(box.publishNow(['a'])).rejects.toThrow(UnavailableError);
    stage.publisher.before = () => new Promise(() => undefined);
    await expect(box.publishNow(['a'], { deadlineMs: 50 })).rejects.toThrow(UnavailableError);
  });

  it('announces at once what must be announced', async () => {
    const box = stage.outbox();
    await stage.write(box, 'a');
    await box.publishNow(['a']);
    expect(stage.last('a')).toEqual(message('a', 1));
    expect(await box.pending()).toBe(0);
  });
});
