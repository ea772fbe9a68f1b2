import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import { partitionOf } from '@tocsin/kafka';
import { CommandProgress } from './command-progress.ts';
import { ProcessedCommands } from './processed-commands.ts';

const PARTITIONS = 3;
const DISK = partitionOf('disk', PARTITIONS);
const OTHER = (DISK + 1) % PARTITIONS;

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A log whose partitions end at 10, of which all commands are processed. */
function setUp() {
  const log = {
    ends: new Map([0, 1, 2].map((partition) => [partition, { start: 0, end: 10 }])),
    positions: new Map([0, 1, 2].map((partition) => [partition, 10])),
    /** Called in each pause, in order. */
    whilePaused: [] as (() => void)[],
    /** Answers the next question to Kafka. */
    answer: (): Promise<unknown> => Promise.resolve(),
    asked: 0,
    looks: 0,
    pauses: 0,
    nowMs: 0,
    kafka: [] as string[],
  };
  const nowMs = () => log.nowMs;
  const progress = new CommandProgress({
    logBounds: async () => {
      log.asked += 1;
      await log.answer();
      return new Map(log.ends);
    },
    positions: () => {
      log.looks += 1;
      return Promise.resolve(new Map(log.positions));
    },
    nowMs,
    onKafka: (state, error) => log.kafka.push(error instanceof Error ? `${state}: ${error.message}` : state),
  });
  const pause = (milliseconds: number) => {
    log.pauses += 1;
    log.nowMs += milliseconds;
    log.whilePaused.shift()?.();
    return Promise.resolve();
  };
  const commands = new ProcessedCommands({ progress, pause, nowMs });
  return { commands, log };
}

describe('a wait for accepted commands', () => {
  it('at rest costs one question to Kafka and one look at the positions, and no pause', async () => {
    const { commands, log } = setUp();
    expect(await commands.waitUntilProcessed('disk', 'key')).toBe(true);
    expect([log.asked, log.looks, log.pauses]).toEqual([1, 1, 0]);
  });

  it('ends when the consumer, which was frozen, has processed the records that Kafka had at the call', async () => {
    const { commands, log } = setUp();
    log.ends.set(DISK, { start: 0, end: 12 });
    const nothing = () => undefined;
    const moves = (position: number) => () => {
      // Commands that are accepted meanwhile prolong no wait.
      log.ends.set(DISK, { start: 0, end: 100 });
      log.positions.set(DISK, position);
    };
    log.whilePaused.push(nothing, moves(11), nothing, moves(12), moves(13));
    expect(await commands.waitUntilProcessed('disk', 'key')).toBe(true);
    expect([log.asked, log.pauses]).toEqual([1, 4]);
  });

  it('ends when more is processed than Kafka had at the call, as in a partition that is never at rest', async () => {
    const { commands, log } = setUp();
    log.ends.set(DISK, { start: 0, end: 12 });
    log.whilePaused.push(() => log.positions.set(DISK, 15));
    expect(await commands.waitUntilProcessed('disk', 'key')).toBe(true);
    expect(log.pauses).toBe(1);
    log.positions.set(DISK, 13);
    expect(await commands.waitUntilProcessed('disk', 'key')).toBe(true);
    expect(log.pauses).toBe(1);
  });

  it('waits only for the partition of its key', async () => {
    const { commands, log } = setUp();
    log.ends.set(OTHER, { start: 0, end: 1_000 });
    expect(await commands.waitUntilProcessed('disk', 'key')).toBe(true);
    expect(log.pauses).toBe(0);
  });

  it.each([
    ['empty, and was never processed', { start: 0, end: 0 }, undefined],
    ['emptied by retention, and was never processed', { start: 10, end: 10 }, undefined],
    ['made anew and empty', { start: 0, end: 0 }, 10],
  ])('does not pause for a partition that is %s', async (_, bounds, position) => {
    const { commands, log } = setUp();
    log.ends.set(DISK, bounds);
    log.positions.delete(DISK);
    if (position !== undefined) log.positions.set(DISK, position);
    expect(await commands.waitUntilProcessed('disk', 'key')).toBe(true);
    expect(log.pauses).toBe(0);
  });

  it('ends after 2 s, the time of the question to Kafka included', async () => {
    const { commands, log } = setUp();
    log.ends.set(DISK, { start: 0, end: 12 });
    expect(await commands.waitUntilProcessed('disk', 'key')).toBe(true);
    expect(log.pauses).toBe(80);
    log.answer = () => {
      log.nowMs += 500;
      return Promise.resolve();
    };
    expect(await commands.waitUntilProcessed('disk', 'key')).toBe(true);
    expect(log.pauses).toBe(80 + 60);
  });

  it('shares one question among the callers that came before it began', async () => {
    const { commands, log } = setUp();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    log.answer = () => promise;
    const first = Array.from({ length: 50 }, () => commands.waitUntilProcessed('disk', 'key'));
    await turn();
    expect(log.asked).toBe(1);
    // These may have written after the question was answered, so the answer says nothing about them.
    const second = Array.from({ length: 50 }, () => commands.waitUntilProcessed('disk', 'key'));
    await turn();
    expect(log.asked).toBe(1);
    resolve(undefined);
    expect(new Set(await Promise.all([...first, ...second]))).toEqual(new Set([true]));
    expect([log.asked, log.looks]).toEqual([2, 2]);
  });

  it('fails while the database is unavailable, and only then', async () => {
    const { log } = setUp();
    const progress = new CommandProgress({
      logBounds: () => Promise.resolve(log.ends),
      positions: () =>
        log.looks++ === 0 ? Promise.reject(new UnavailableError('unavailable')) : Promise.resolve(log.positions),
      nowMs: () => 0,
      onKafka: () => undefined,
    });
    const commands = new ProcessedCommands({ progress, pause: () => Promise.resolve(), nowMs: () => 0 });
    await expect(commands.waitUntilProcessed('disk', 'key')).rejects.toThrow(UnavailableError);
    expect(await commands.waitUntilProcessed('disk', 'key')).toBe(true);
  });
});

describe('while Kafka is unavailable', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  it('and leaves the request unanswered, the first reader waits 1 s for it, and later ones do not', async () => {
    jest.useFakeTimers();
    const { commands, log } = setUp();
    log.nowMs = 60_000;
    log.answer = () => new Promise(() => undefined);
    const first = commands.waitUntilProcessed('disk', 'key');
    await jest.advanceTimersByTimeAsync(999);
    const second = commands.waitUntilProcessed('disk', 'key');
    await jest.advanceTimersByTimeAsync(1);
    expect(await Promise.all([first, second, commands.waitUntilProcessed('disk', 'key')])).toEqual([
      false,
      false,
      false,
    ]);
    expect(log.asked).toBe(1);
  });

  it('no reader waits, and one a second asks it, until it answers', async () => {
    const { commands, log } = setUp();
    log.nowMs = 60_000;
    log.answer = () => Promise.reject(new Error('no broker'));
    for (let read = 0; read < 10; read += 1) expect(await commands.waitUntilProcessed('disk', 'key')).toBe(false);
    expect(log.asked).toBe(1);
    log.nowMs += 1_000;
    for (let read = 0; read < 10; read += 1) expect(await commands.waitUntilProcessed('disk', 'key')).toBe(false);
    expect(log.asked).toBe(2);
    log.answer = () => Promise.resolve();
    log.nowMs += 1_000;
    for (let read = 0; read < 10; read += 1) expect(await commands.waitUntilProcessed('disk', 'key')).toBe(true);
    expect([log.asked, log.pauses]).toEqual([12, 0]);
    expect(log.kafka).toEqual(['open: no broker', 'closed']);
  });
});

describe('readers that wait', () => {
  it('are 2000 at most, 1500 of one key, of another its part of the rest: others are answered at once', async () => {
    const { commands, log } = setUp();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    log.answer = () => promise;
    const read = (key: string, count: number) =>
      Array.from({ length: count }, () => commands.waitUntilProcessed('disk', key));
    const waiting = read('noisy', 1_500);
    expect(await commands.waitUntilProcessed('disk', 'noisy')).toBe(false);
    waiting.push(...read('quiet', 375));
    expect(await commands.waitUntilProcessed('disk', 'quiet')).toBe(false);
    waiting.push(...read('third', 1));
    resolve(undefined);
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([true]));
    expect(await commands.waitUntilProcessed('disk', 'noisy')).toBe(true);
  });
});
