import { describe, expect, it } from '@jest/globals';
import { type ChoiceSource, DivergenceError, ReplayedChoices, SeededChoices } from './choices.ts';
import { findProcess, Scheduler, type SimulatedProcess } from './scheduler.ts';

const START = Date.parse('2030-01-01T00:00:00Z');

const schedulerOf = (choices: ChoiceSource = new SeededChoices(1)) => new Scheduler({ choices, startsAtMs: START });

/** Two processes that each pass three points. Resolves with the order. */
async function race(choices: ChoiceSource): Promise<readonly string[]> {
  const scheduler = schedulerOf(choices);
  const order: string[] = [];
  const work = async (process: SimulatedProcess) => {
    for (const step of ['1', '2', '3']) {
      await process.pass(step);
      order.push(`${process.name}${step}`);
    }
  };
  for (const name of ['a', 'b']) {
    const process = scheduler.process(name);
    process.run(() => void work(process));
  }
  await scheduler.run(() => order.length === 6);
  return order;
}

describe('the order of the operations', () => {
  it('follows from the seed', async () => {
    const orders = new Set<string>();
    for (let seed = 0; seed < 50; seed += 1) {
      const order = await race(new SeededChoices(seed));
      expect(await race(new SeededChoices(seed))).toEqual(order);
      orders.add(order.join());
    }
    // Of the 20 orders in which a process does not overtake itself.
    expect(orders.size).toBeGreaterThan(10);
  });

  it('is that of the record in a replay', async () => {
    const seeded = new SeededChoices(7);
    const order = await race(seeded);
    expect(await race(new ReplayedChoices(seeded.record))).toEqual(order);
  });

  it('fails in a replay where the processes do something else', async () => {
    const seeded = new SeededChoices(7);
    await race(seeded);
    const scheduler = schedulerOf(new ReplayedChoices(seeded.record));
    for (const name of ['a', 'b', 'c']) void scheduler.process(name).pass('1');
    await expect(scheduler.run(() => false)).rejects.toThrow(DivergenceError);
  });
});

describe('time', () => {
  it('passes from timer to timer', async () => {
    const scheduler = schedulerOf();
    const process = scheduler.process('a');
    const woken: number[] = [];
    const sleep = async (delayMs: number) => {
      await process.sleep(delayMs);
      woken.push(scheduler.elapsedMs);
    };
    for (const delayMs of [86_400_000, 5, 60_000]) void sleep(delayMs);
    expect(await scheduler.run(() => woken.length === 3)).toBe(true);
    expect(woken).toEqual([5, 60_000, 86_400_000]);
    expect(scheduler.nowMs).toBe(START + 86_400_000);
  });

  it('is another one for each process, by its clock', () => {
    const scheduler = schedulerOf();
    expect(scheduler.process('ahead', 3_600_000).nowMs).toBe(START + 3_600_000);
    expect(scheduler.process('behind', -1_000).nowMs).toBe(START - 1_000);
  });

  it('does not fire a timer that was removed', async () => {
    const scheduler = schedulerOf();
    const process = scheduler.process('a');
    let isFired = false;
    process.setTimer(10, () => (isFired = true))();
    expect(await scheduler.run(() => isFired)).toBe(false);
  });
});

describe('a process', () => {
  it('is the current one in its work and its timers', async () => {
    const scheduler = schedulerOf();
    const names: string[] = [];
    for (const name of ['a', 'b']) {
      const process = scheduler.process(name);
      process.run(() => {
        const note = () => names.push(`${name} ${findProcess()?.name ?? ''}`);
        process.setTimer(1, note);
        void process.pass('x').then(note);
      });
    }
    await scheduler.run(() => names.length === 4);
    expect(names.toSorted()).toEqual(['a a', 'a a', 'b b', 'b b']);
    expect(findProcess()).toBeUndefined();
  });

  it('does nothing more when it is killed, and others go on', async () => {
    const scheduler = schedulerOf();
    const [killed, other] = [scheduler.process('killed'), scheduler.process('other')];
    const done: string[] = [];
    for (const process of [killed, other]) {
      void process.pass('x').then(() => done.push(process.name));
      process.setTimer(1, () => done.push(process.name));
    }
    killed.kill();
    void killed.pass('later').then(() => done.push('killed'));
    expect(await scheduler.run(() => false)).toBe(false);
    expect(done).toEqual(['other', 'other']);
  });

  it('waits while it is frozen, and fires the timers that became due when it goes on', async () => {
    const scheduler = schedulerOf();
    const [frozen, other] = [scheduler.process('frozen'), scheduler.process('other')];
    const fired: number[] = [];
    frozen.setTimer(1_000, () => fired.push(scheduler.elapsedMs));
    void frozen.pass('x').then(() => fired.push(-1));
    frozen.freeze();
    other.setTimer(5_000, () => {
      expect(fired).toEqual([]);
      frozen.thaw();
    });
    await scheduler.run(() => fired.length === 2);
    expect(fired.toSorted((one, two) => one - two)).toEqual([-1, 5_000]);
  });
});

it('a run keeps a log', async () => {
  const choices = new SeededChoices(1);
  const scheduler = new Scheduler({ choices, startsAtMs: START, timePassesOnceIn: 1_000_000 });
  const process = scheduler.process('a');
  void process.sleep(20).then(() => process.pass('writes'));
  await scheduler.run(() => false);
  process.kill();
  expect(scheduler.entries).toEqual([
    { atMs: 20, process: 'a', text: 'writes' },
    { atMs: 20, process: 'a', text: 'is killed' },
  ]);
});

it('a run ends after its steps', async () => {
  const scheduler = schedulerOf();
  const process = scheduler.process('a');
  const again = () => void process.setTimer(1, again);
  again();
  expect(await scheduler.run(() => false, { maxSteps: 100 })).toBe(false);
  expect(scheduler.elapsedMs).toBe(100);
});
