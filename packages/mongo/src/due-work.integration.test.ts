import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ManualClock, systemClock, UnavailableError } from '@tocsin/core';
import {
  deathOf,
  docsExamined,
  eventually,
  monitoredUri,
  startMongo,
  testMongo,
  type PointOfDeath,
} from '@tocsin/testkit';
import { inTransaction } from './index.ts';
import { DueStage, THINGS } from './testing/due-stage.ts';

jest.setTimeout(120_000);

const WAIT = { timeoutMs: 100_000, everyMs: 20 };
const SCRIPT = fileURLToPath(new URL('./testing/killed-due-work.ts', import.meta.url));
const inMs = (milliseconds: number): Date => new Date(Date.now() + milliseconds);
const ids = (count: number): string[] => Array.from({ length: count }, (_, index) => `t${index}`);
const once = (...all: readonly string[]) => new Map(all.map((id) => [id, 1]));

let uri: string;
let stage: DueStage;

beforeEach(async () => {
  const mongo = await testMongo();
  uri = mongo.uri;
  stage = await DueStage.open(mongo);
});

afterEach(async () => {
  jest.restoreAllMocks();
  await stage.close();
});

describe('due work', () => {
  it('does the due work, the longest due first, and leaves the rest', async () => {
    const order: string[] = [];
    const lags: number[] = [];
    const metrics = { timerLag: (_: string, seconds: number) => void lags.push(seconds) };
    const process = await stage.process({
      before: (due) => void order.push(...due.map(({ _id }) => _id)),
      clock: new ManualClock(new Date('2026-03-01T08:00:00Z')),
      metrics,
    });
    await stage.add(new Date('2026-03-01T07:59:00Z'), 'second');
    await stage.add(new Date('2026-03-01T07:58:00Z'), 'first');
    await stage.add(new Date('2026-03-01T08:00:00.700Z'), 'later');
    expect(await process.dueWork.countDue()).toBe(2);
    expect(await process.activate()).toEqual({ pauseMs: 700 });
    expect([order, lags]).toEqual([
      ['first', 'second'],
      [120, 60],
    ]);
    expect(await process.dueWork.countDue()).toBe(0);
    expect(await process.dueWork.earliest()).toEqual(new Date('2026-03-01T08:00:00.700Z'));
  });

  it('does each of many once when two processes race for them', async () => {
    const all = ids(3_000);
    await stage.add(inMs(-60_000), ...all);
    const processes = [await stage.process(), await stage.process()];
    for (const process of processes) process.start();
    await eventually(async () => {
      expect(await processes[0]?.dueWork.countDue()).toBe(0);
    }, WAIT);
    expect(await stage.done()).toEqual(once(...all));
    expect(processes.flatMap(({ errors }) => errors)).toEqual([]);
  });

  it('skips a document that does not fulfil its condition until it does, without a pause for others or an endless run', async () => {
    const held = new Set(['held']);
    const process = await stage.process({ condition: () => ({ _id: { $nin: [...held] } }) });
    await stage.add(inMs(-60_000), 'held');
    await stage.add(inMs(-1_000), 'other');
    expect(await process.activate()).toEqual({ pauseMs: 1_000 });
    expect(await stage.done()).toEqual(once('other'));
    expect(await process.dueWork.countDue()).toBe(1);
    held.clear();
    await process.activate();
    expect(await stage.done()).toEqual(once('held', 'other'));
  });

  it('does at most as many together as one transaction is to have', async () => {
    const sizes: number[] = [];
    const process = await stage.process({ batch: 30, after: (due) => void sizes.push(due.length) });
    await stage.add(inMs(-1_000), ...ids(100));
    await process.activate();
    expect(sizes).toEqual([30, 30, 30, 10]);
  });

  it('does fewer together where they are large', async () => {
    const sizes: number[] = [];
    const process = await stage.process({ after: (due) => void sizes.push(due.length) });
    const all = ids(20);
    await stage.add(inMs(-1_000), ...all);
    await stage.things.updateMany({}, { $set: { content: 'x'.repeat(1_000_000) } });
    await stage.add(inMs(-900), 'huge');
    await stage.things.updateOne({ _id: 'huge' }, { $set: { content: 'x'.repeat(5_000_000) } });
    await process.activate();
    expect(sizes).toEqual([4, 4, 4, 4, 4, 1]);
    expect(await stage.done()).toEqual(once(...all, 'huge'));
  });

  it('examines no document that it does not read where 20 000 are due: in its looks, its transactions and past paused ones', async () => {
    await stage.add(inMs(-60_000), ...ids(20_000));
    const process = await stage.process({
      batch: 100,
      before: () => {
        throw new Error('unavailable');
      },
    });
    await expect(process.activate()).rejects.toThrow('unavailable');
    await process.dueWork.earliest();
    const { finds } = process;
    const [inTransactions, looks] = [true, false].map((is) =>
      finds.filter((find) => (find.startTransaction === true) === is),
    );
    expect(inTransactions?.map(({ filter }) => filter._id?.$in?.length)).toEqual(expect.arrayContaining([100, 50, 1]));
    expect(looks?.map(({ filter }) => filter._id?.$nin?.length)).toEqual(expect.arrayContaining([0, 1, 9]));
    for (const find of finds) {
      const { $in, $nin = [] } = find.filter._id ?? {};
      const toRead = $in?.length ?? (find.limit ?? Infinity) + $nin.length;
      expect([find, await docsExamined(stage.connection, find)]).toEqual([find, toRead]);
    }
  });

  it('asks only when the next document is due while none is', async () => {
    await stage.add(inMs(3_600_000), ...ids(3));
    const process = await stage.process();
    for (let runs = 0; runs < 3; runs += 1) expect(await process.activate()).toEqual({ pauseMs: 1_000 });
    expect(process.finds.map(({ limit }) => limit)).toEqual([1, 1, 1]);
    await stage.add(inMs(-1_000), 'due');
    await process.activate();
    expect(await stage.done()).toEqual(once('due'));
  });

  it('wakes its task after the commit of due work before the next look, and for nothing else', async () => {
    const process = await stage.process();
    await process.activate();
    const write = (due: readonly (Date | undefined)[], fails = false) =>
      inTransaction(stage.connection, (session) => {
        process.dueWork.wakeAfterCommit(session, due);
        expect(process.wakes).toBe(0);
        return fails ? Promise.reject(new TypeError('odd')) : Promise.resolve();
      });
    await write([inMs(3_600_000), undefined]);
    await expect(write([inMs(10)], true)).rejects.toThrow('odd');
    expect(process.wakes).toBe(0);
    await write([inMs(3_600_000), inMs(10)]);
    expect(process.wakes).toBe(1);
  });

  it('finds what this process writes before the start of its looks at once, and what others write there within two seconds', async () => {
    let aheadMs = 0;
    const now = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => now() + aheadMs);
    const process = await stage.process();
    for (let step = 0; step < 16; step += 1) {
      await stage.add(inMs(-10), `step ${step}`);
      await process.activate();
      aheadMs += 9_000;
    }
    await process.activate();
    await stage.add(inMs(-600_000), 'of another process');
    await process.activate();
    const isDone = async (id: string) => (await stage.done()).has(id);
    const atOnce = await isDone('of another process');
    aheadMs += 2_000;
    await process.activate();
    expect([atOnce, await isDone('of another process')]).toEqual([false, true]);
    await inTransaction(stage.connection, async (session) => {
      const nextDueAt = inMs(-600_000);
      await stage.things.insertOne({ _id: 'own', nextDueAt }, { session });
      process.dueWork.wakeAfterCommit(session, [nextDueAt]);
    });
    await process.activate();
    expect(await isDone('own')).toBe(true);
  });
});

describe('due work that is held back', () => {
  const at = (seconds: number) => new Date(Date.parse('2026-03-01T08:00:00Z') + seconds * 1_000);

  it('is done up to the given instant, found again after 50 ms, and without a query where nothing is due', async () => {
    let until: Date | undefined;
    const asked: Date[] = [];
    const clock = new ManualClock(at(0));
    const process = await stage.process({
      clock,
      dueUntil: (earliest) => {
        asked.push(earliest);
        return Promise.resolve(until);
      },
    });
    await stage.add(at(10), 'first', 'second');
    await process.activate();
    expect(asked).toEqual([]);
    clock.moveTo(at(20));
    expect(await process.activate()).toEqual({ pauseMs: 50 });
    until = at(9);
    expect(await process.activate()).toEqual({ pauseMs: 50 });
    expect((await stage.done()).size).toBe(0);
    until = at(10);
    expect(await process.activate()).toEqual({ pauseMs: 50 });
    expect(await stage.done()).toEqual(once('first'));
    until = at(60);
    await stage.add(at(21), 'later');
    expect((await process.activate()).pauseMs).toBe(1_000);
    expect(await stage.done()).toEqual(once('first', 'second'));
    expect(new Set(asked.map((instant) => instant.getTime() - at(10).getTime()))).toEqual(new Set([0, 1]));
  });

  it('is not done where another process writes it meanwhile, and it is due later than the instant', async () => {
    const clock = new ManualClock(at(20));
    const process = await stage.process({
      clock,
      dueUntil: async () => {
        await stage.things.updateOne({ _id: 'moved' }, { $set: { nextDueAt: at(15) } });
        return at(12);
      },
    });
    await stage.add(at(10), 'moved', 'other');
    await process.activate();
    expect(await stage.done()).toEqual(once('other'));
  });
});

describe('due work whose process dies or stands still', () => {
  it.each<PointOfDeath>([
    { when: 'after', command: 'find', collection: THINGS },
    { when: 'after', command: 'update', collection: THINGS },
    { when: 'before', command: 'commitTransaction' },
    { when: 'after', command: 'commitTransaction' },
  ])('is done once where it is killed $when $command', async (point) => {
    const all = ids(5);
    await stage.add(inMs(-1_000), ...all);
    const child = spawn(
      process.execPath,
      ['--conditions=source', SCRIPT, monitoredUri(uri), stage.connection.name, JSON.stringify(point)],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    expect((await deathOf(child, stage.connection)).signal).toBe('SIGKILL');
    await (await stage.process()).activate();
    expect(await stage.done()).toEqual(once(...all));
  });

  /** A process that stands still in its first transaction, before or after it writes, until `thaw` is called. */
  async function frozenProcess(when: 'before' | 'after') {
    const { promise: thawed, resolve: thaw } = Promise.withResolvers<undefined>();
    const { promise: reached, resolve: reach } = Promise.withResolvers<undefined>();
    let isFrozen = false;
    const freeze = async (): Promise<void> => {
      isFrozen = true;
      reach(undefined);
      await thawed;
    };
    const prepare = () => (isFrozen ? thawed : Promise.resolve(undefined));
    const frozen = await stage.process({ [when]: freeze, prepare });
    return {
      frozen,
      reached,
      thaw: () => {
        thaw(undefined);
      },
    };
  }

  it.each(['before', 'after'] as const)('is done once where it is frozen %s it writes', async (when) => {
    const { frozen, reached, thaw } = await frozenProcess(when);
    await stage.add(inMs(-60_000), 'held');
    const froze = frozen.activate();
    await reached;
    const others = ids(9);
    await stage.add(inMs(-1_000), ...others);
    const process = await stage.process();
    process.start();
    // The documents that it holds delay no other one.
    await eventually(async () => {
      expect([...(await stage.done()).keys()]).toEqual(expect.arrayContaining(others));
    }, WAIT);
    thaw();
    await froze;
    await eventually(async () => {
      expect(await process.dueWork.countDue()).toBe(0);
    }, WAIT);
    expect(await stage.done()).toEqual(once('held', ...others));
    expect(process.errors).toEqual([]);
  });

  /**
   * A process that is frozen in its transaction with the documents `held`. `othersDone` does the due work besides. On a machine so slow
   * that MongoDB aborts the transaction before that, it is tried again.
   */
  async function whileHeld(held: readonly string[], othersDone: () => Promise<void>): Promise<void> {
    for (let tries = 0; tries < 5; tries += 1) {
      const { frozen, reached, thaw } = await frozenProcess('after');
      await stage.add(inMs(-60_000), ...held);
      const froze = frozen.activate();
      await reached;
      await othersDone();
      const done = await stage.done();
      thaw();
      await froze;
      if (held.some((id) => done.has(id))) {
        await stage.clear();
        continue;
      }
      return;
    }
    throw new Error('What a frozen process holds was done before the others, each time.');
  }

  it('does not hold up one of the hundreds of others that are found with a document of a frozen process', async () => {
    const others = ids(400);
    await whileHeld(['held'], async () => {
      await stage.add(inMs(-1_000), ...others);
      // One run of the task, so none of them is left for after a pause.
      await (await stage.process()).activate();
      expect([...(await stage.done()).keys()]).toEqual(expect.arrayContaining(others));
    });
    expect(await stage.done()).toEqual(once('held', ...others));
  });

  it('does not hold up others where a frozen process has the hundred documents that are due first', async () => {
    const held = Array.from({ length: 100 }, (_, index) => `held ${index}`);
    const others = ids(20);
    await whileHeld(held, async () => {
      await stage.add(inMs(-1_000), ...others);
      const process = await stage.process({ batch: 100 });
      process.start();
      await eventually(async () => {
        expect([...(await stage.done()).keys()]).toEqual(expect.arrayContaining(others));
      }, WAIT);
      await process.stop();
      expect(process.errors).toEqual([]);
    });
    expect(await stage.done()).toEqual(once(...held, ...others));
  });

  it('is done by one process alone where the clock of another is a minute ahead', async () => {
    const ahead = await stage.process({
      clock: { ...systemClock, now: () => inMs(60_000), whenMoved: () => () => undefined },
    });
    const process = await stage.process();
    const all = ids(20);
    await stage.add(inMs(30_000), ...all);
    await process.activate();
    expect((await stage.done()).size).toBe(0);
    await Promise.all([ahead.activate(), process.activate()]);
    await process.activate();
    expect(await stage.done()).toEqual(once(...all));
  });

  it('does all work that fell due while the database was unavailable, once the database answers', async () => {
    const own = await startMongo();
    const ownStage = await DueStage.open({ uri: `${own.uri}&serverSelectionTimeoutMS=500`, database: 'due' });
    const process = await ownStage.process();
    const all = ids(50);
    try {
      await ownStage.add(inMs(500), ...all);
      process.start();
      await own.kill();
      const failed = await process.activate().then(
        () => false,
        () => true,
      );
      expect(failed).toBe(true);
      await own.restart();
      await eventually(async () => {
        expect(await ownStage.done()).toEqual(once(...all));
      }, WAIT);
    } finally {
      await ownStage.close();
      await own.stop();
    }
  });
});

describe('due work that fails', () => {
  it('does not hold up others, is tried again later, and is done when that succeeds', async () => {
    let isBad = true;
    let tries = 0;
    const process = await stage.process({
      before: (due) => {
        if (!due.some(({ _id }) => _id === 't0')) return;
        if (due.length === 1) tries += 1;
        if (isBad) throw new Error('unavailable');
      },
    });
    const all = ids(50);
    await stage.add(inMs(-60_000), ...all);
    await process.activate();
    expect(await stage.done()).toEqual(once(...all.slice(1)));
    expect(process.errors).toEqual(['A due document cannot be processed. It is tried again later.']);
    await process.activate();
    expect(tries).toBe(1);
    process.start();
    await eventually(() => {
      expect(tries).toBeGreaterThan(1);
    }, WAIT);
    isBad = false;
    await eventually(async () => {
      expect(await stage.done()).toEqual(once(...all));
    }, WAIT);
    expect(process.skipped).toEqual([]);
  });

  it('waits for a second at most where all fail, and fails the run of its task', async () => {
    let isUnavailable = true;
    const process = await stage.process({
      before: () => {
        if (isUnavailable) throw new Error('unavailable');
      },
    });
    const all = ids(30);
    await stage.add(inMs(-60_000), ...all);
    for (let times = 0; times < 3; times += 1) await expect(process.activate()).rejects.toThrow('unavailable');
    isUnavailable = false;
    process.start();
    await eventually(async () => {
      expect(await stage.done()).toEqual(once(...all));
    }, WAIT);
  });

  it('does not hold up others where its try takes longer than a run of the task', async () => {
    let aheadMs = 0;
    const now = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => now() + aheadMs);
    const process = await stage.process({
      before: (due) => {
        if (!due.some(({ _id }) => _id === 't0')) return;
        aheadMs += 11_000;
        throw new UnavailableError('The transaction took too long.');
      },
    });
    const all = ids(50);
    await stage.add(inMs(-60_000), ...all);
    for (let runs = 0; runs < 4; runs += 1) await process.activate();
    expect(await stage.done()).toEqual(once(...all.slice(1)));
  });

  it('does not hold up others while a try of it lasts', async () => {
    const { promise: ended, resolve: end } = Promise.withResolvers<undefined>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<undefined>();
    let tries = 0;
    const process = await stage.process({
      before: async (due) => {
        if (!due.some(({ _id }) => _id === 'slow')) return;
        tries += 1;
        begin(undefined);
        await ended;
      },
    });
    await stage.add(inMs(-60_000), 'slow');
    process.start();
    await begun;
    const others = ids(50);
    await stage.add(inMs(-60_000), ...others);
    await eventually(async () => {
      expect(await stage.done()).toEqual(once(...others));
    }, WAIT);
    expect(tries).toBe(1);
    end(undefined);
    await eventually(async () => {
      expect(await stage.done()).toEqual(once('slow', ...others));
    }, WAIT);
  });

  it('does not hold up others where many before them fail', async () => {
    const bad = new Set(ids(12));
    const process = await stage.process({
      before: (due) => {
        if (due.some(({ _id }) => bad.has(_id))) throw new Error('unavailable');
      },
    });
    const all = ids(14);
    await stage.add(inMs(-60_000), ...all);
    await expect(process.activate()).rejects.toThrow('unavailable');
    await process.activate();
    expect(await stage.done()).toEqual(once(...all.slice(12)));
  });

  it('is skipped where it is refused each time, and none of the others is', async () => {
    const careful: string[][] = [];
    const process = await stage.process({
      before: (due, { onlyFirstItem }) => {
        if (onlyFirstItem) careful.push(due.map(({ _id }) => _id));
        if (due.some(({ _id }) => _id === 't7')) throw new TypeError('odd');
      },
    });
    const all = ids(20);
    await stage.add(inMs(-60_000), ...all);
    process.start();
    await eventually(async () => {
      expect(await process.dueWork.countDue()).toBe(0);
    }, WAIT);
    expect(await stage.done()).toEqual(once(...all.filter((id) => id !== 't7')));
    expect(process.skipped).toEqual([['t7', 'TypeError: odd']]);
    expect(new Set(careful.flat())).toEqual(new Set(['t7']));
  });

  it('is not skipped where every document is refused, because the process may have a defect', async () => {
    let isBad = true;
    let tries = 0;
    const process = await stage.process({
      before: (_, { onlyFirstItem }) => {
        if (onlyFirstItem) tries += 1;
        if (isBad) throw new TypeError('odd');
      },
    });
    const all = ids(3);
    await stage.add(inMs(-60_000), ...all);
    process.start();
    // Each of them was tried again after its pause.
    await eventually(() => {
      expect(tries).toBeGreaterThan(6);
    }, WAIT);
    expect([await process.dueWork.countDue(), process.skipped]).toEqual([3, []]);
    isBad = false;
    await eventually(async () => {
      expect(await stage.done()).toEqual(once(...all));
    }, WAIT);
  });

  it('does the first due item of a document that is refused as a whole', async () => {
    const process = await stage.process({
      before: (_, { onlyFirstItem }) => {
        if (!onlyFirstItem) throw new TypeError('odd');
      },
    });
    await stage.add(inMs(-60_000), 'one');
    await process.activate();
    expect([await stage.done(), process.skipped]).toEqual([once('one'), []]);
  });
});
