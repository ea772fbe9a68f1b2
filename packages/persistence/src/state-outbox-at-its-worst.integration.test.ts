import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Escalations } from '@tocsin/contracts';
import { eventually } from '@tocsin/testing';
import { DirtyRows } from './dirty-rows.ts';
import { message, StateOutboxStage } from './testing/state-outbox-stage.ts';

let stage: StateOutboxStage;

beforeEach(async () => {
  stage = await StateOutboxStage.open();
});

afterEach(() => stage.close());

describe('StateOutbox at its worst moment', () => {
  it('leaves the last state on the topic when an entity changes twice while it is being published', async () => {
    const box = stage.outbox();
    await stage.write(box, 'a');
    stage.meanwhile(() => stage.write(box, 'a'), 2);
    await box.flush();
    expect(stage.last('a')).toEqual(message('a', 3));
    await box.flush();
    expect(stage.last('a')).toEqual(message('a', 3));
    expect(await box.pending()).toBe(0);
  });

  it('leaves the last state on the topic when another replica published it before a slower one published an older', async () => {
    const slow = stage.outbox();
    const fast = stage.outbox();
    await stage.write(slow, 'a');
    stage.meanwhile(async () => {
      await stage.write(fast, 'a');
      await fast.flush();
    });
    await slow.flush();
    expect(stage.publisher.log.map(({ message: each }) => each)).toEqual([
      message('a', 2),
      message('a', 1),
      message('a', 2),
    ]);
  });

  it('leaves the word that it is gone on the topic when a slower replica published its state after that', async () => {
    const slow = stage.outbox();
    const fast = stage.outbox();
    await stage.write(slow, 'a');
    stage.meanwhile(async () => {
      await stage.remove(fast, 'a', 2);
      await fast.flush();
    });
    await slow.flush();
    expect(stage.last('a')).toMatchObject({ deleted: true });
    expect(await slow.pending()).toBe(0);
  });

  it('publishes a tombstone again that another replica has on the topic, and has not settled yet', async () => {
    const fast = stage.outbox();
    await stage.write(fast, 'a');
    await stage.remove(fast, 'a', 2);
    const rows = new DirtyRows(stage.connection, Escalations.name);
    const published = await rows.of(['a']);
    await rows.republishTombstones(['a']);
    await rows.settle(published);
    await stage.outbox().publishNow(['a']);
    expect(stage.last('a')).toMatchObject({ deleted: true });
    expect(await fast.pending()).toBe(0);
  });

  it('publishes what a killed process had committed and not published', async () => {
    await stage.write(stage.outbox(), 'a');
    const nothing = async function* (): AsyncIterable<string> {
      yield* await Promise.resolve<string[]>([]);
    };
    const survivor = stage.outbox({ ids: nothing });
    stage.start(survivor);
    await eventually(async () => {
      expect(await survivor.pending()).toBe(0);
    });
    expect(stage.last('a')).toEqual(message('a', 1));
  });
});
