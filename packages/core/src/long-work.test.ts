import { describe, expect, it } from '@jest/globals';
import { flatMapInSteps, inSteps, LongWork, mapInSteps } from './long-work.ts';

/** Long work on a clock that goes on where the test says. */
function steeredWork() {
  let nowMs = 0;
  const work = new LongWork(() => nowMs);
  const lasts = <T>(ms: number, result: T): T => {
    nowMs += ms;
    return result;
  };
  return { work, lasts };
}

/** The events, with `turn` where the event loop ran in between. */
function recorder() {
  const order: string[] = [];
  const count = () => {
    if (order.at(-1) !== 'turn') order.push('turn');
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  const stop = () => {
    clearImmediate(counting);
    return order.filter((what, index) => what !== 'turn' || (index > 0 && index < order.length - 1));
  };
  return { record: (what: string) => void order.push(what), stop };
}

describe('LongWork', () => {
  it('lets the event loop run after each 4 ms', async () => {
    const { work, lasts } = steeredWork();
    const { record, stop } = recorder();
    const doubled = await mapInSteps(
      [1, 2, 3, 4],
      (item) => {
        record(`item ${item}`);
        return lasts(2, item * 2);
      },
      work,
    );
    expect(doubled).toEqual([2, 4, 6, 8]);
    expect(stop()).toEqual(['item 1', 'item 2', 'turn', 'item 3', 'item 4']);
  });

  it('counts the work of one turn together, that of all callers', async () => {
    const { work, lasts } = steeredWork();
    const { record, stop } = recorder();
    const some = (name: string) =>
      flatMapInSteps(
        [1, 2],
        (item) => {
          record(`${name} ${item}`);
          return lasts(3, [item]);
        },
        work,
      );
    await Promise.all([some('a'), some('b')]);
    expect(stop().filter((what) => what !== 'turn')).toEqual(['a 1', 'b 1', 'a 2', 'b 2']);
  });

  it('resumes in the order in which work paused, each in a turn of its own', async () => {
    const { work } = steeredWork();
    const { record, stop } = recorder();
    const pausing = async (name: string) => {
      for (const round of [1, 2]) {
        await work.pause();
        record(`${name} ${round}`);
      }
    };
    await Promise.all(['a', 'b', 'c'].map(pausing));
    expect(stop()).toEqual(['a 1', 'turn', 'b 1', 'turn', 'c 1', 'turn', 'a 2', 'turn', 'b 2', 'turn', 'c 2']);
  });

  it('begins to count anew in each turn', async () => {
    const { work, lasts } = steeredWork();
    expect(work.isPauseDue()).toBe(false);
    lasts(4, undefined);
    expect(work.isPauseDue()).toBe(true);
    await new Promise(setImmediate);
    expect(work.isPauseDue()).toBe(false);
  });

  it('returns what steps return, and throws what they throw', async () => {
    const { work, lasts } = steeredWork();
    const steps = function* (fails: boolean) {
      yield lasts(5, 'first');
      if (fails) throw new RangeError('broken');
      yield lasts(5, 'second');
      return 'done';
    };
    expect(await inSteps(steps(false), work)).toBe('done');
    await expect(inSteps(steps(true), work)).rejects.toThrow('broken');
  });
});
