import { describe, expect, it, jest } from '@jest/globals';
import { ManualClock, UnavailableError } from '@tocsin/core';
import { CommandProgress } from './command-progress.ts';
import { KAFKA_TIMEOUT_MS, ProcessedUntil } from './processed-until.ts';

const START = Date.parse('2026-01-05T08:00:00.000Z');
const second = (seconds: number) => new Date(START + seconds * 1_000);

/** A log of two partitions that end at 10, of which all commands are processed. */
function setUp() {
  const clock = new ManualClock(second(0));
  const log = {
    clock,
    ends: [10, 10],
    positions: [10, 10] as (number | undefined)[],
    isKafkaUnavailable: false,
    /** Kafka answers once it is resolved. */
    answers: Promise.resolve(undefined),
    asked: 0,
    looks: 0,
    nowMs: 0,
    /** Called while Kafka answers. */
    whileAsked: (): void => undefined,
  };
  const progress = new CommandProgress({
    logBounds: async () => {
      log.asked += 1;
      if (log.isKafkaUnavailable) throw new Error('no broker');
      log.whileAsked();
      await log.answers;
      return new Map(log.ends.map((end, partition) => [partition, { start: 0, end }]));
    },
    kafkaTimeoutMs: KAFKA_TIMEOUT_MS,
    positions: () => {
      log.looks += 1;
      const known = log.positions.flatMap((position, partition) =>
        position === undefined ? [] : [[partition, position] as const],
      );
      return Promise.resolve(new Map(known));
    },
    nowMs: () => log.nowMs,
    onKafka: () => undefined,
  });
  const stuck: number[] = [];
  const processed = new ProcessedUntil({
    progress,
    clock,
    nowMs: () => log.nowMs,
    onStuck: (partition) => void stuck.push(partition),
  });
  return { log, processed, stuck };
}

describe('the instant before which every accepted command is processed', () => {
  it('is known where Kafka answers later than a read waits', async () => {
    jest.useFakeTimers();
    const { log, processed } = setUp();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    log.answers = promise;
    const reached = processed.reach(second(0));
    await jest.advanceTimersByTimeAsync(1_100);
    resolve(undefined);
    expect(await reached).toEqual(second(0));
    jest.useRealTimers();
  });

  it('is now where none waits, without a further question for earlier due work', async () => {
    const { log, processed } = setUp();
    expect(await processed.reach(second(0))).toEqual(second(0));
    log.clock.moveTo(second(60));
    expect(await processed.reach(second(30))).toEqual(second(60));
    const { asked, looks } = log;
    expect(await processed.reach(second(60))).toEqual(second(60));
    expect(await processed.reach(second(45))).toEqual(second(60));
    expect([log.asked, log.looks]).toEqual([asked, looks]);
  });

  it('is the instant of the question to Kafka, and not of its answer', async () => {
    const { log, processed } = setUp();
    log.whileAsked = () => {
      log.clock.moveTo(second(5));
    };
    expect(await processed.reach(second(0))).toEqual(second(0));
  });

  it.each([
    ['never processed', undefined],
    ['processed in part', 9],
  ])('is not reached while a partition is %s, and is once its commands of then are processed', async (_, position) => {
    const { log, processed } = setUp();
    log.positions[1] = position;
    expect(await processed.reach(second(0))).toBeUndefined();
    // Commands that are accepted later do not delay it.
    log.ends[1] = 50;
    log.positions[1] = 10;
    expect(await processed.reach(second(0))).toEqual(second(0));
  });

  it('does not wait for partitions that were never written', async () => {
    const { log, processed } = setUp();
    log.ends[1] = 0;
    log.positions[1] = undefined;
    expect(await processed.reach(second(0))).toEqual(second(0));
  });

  it.each([
    [30, 30],
    [400, 405],
  ])('moves on with a queue of %s s that never ends, at most %s s behind', async (queueSeconds, maxSeconds) => {
    const { log, processed } = setUp();
    const behind: number[] = [];
    // One command comes and one is processed each second, and something falls due.
    for (let now = 0; now <= 4 * queueSeconds; now += 1) {
      log.clock.moveTo(second(now));
      log.ends[0] = 10 + queueSeconds + now;
      log.positions[0] = 10 + now;
      const until = await processed.reach(second(now));
      if (now > 2 * queueSeconds) behind.push(now - ((until?.getTime() ?? 0) - START) / 1_000);
    }
    expect(Math.min(...behind)).toBe(queueSeconds);
    expect(Math.max(...behind)).toBeLessThanOrEqual(maxSeconds);
  });

  it('asks Kafka once a second while commands wait, and once more for due work', async () => {
    const { log, processed } = setUp();
    log.positions[0] = 0;
    await processed.reach(second(0));
    const { asked } = log;
    for (let times = 0; times < 10; times += 1) await processed.reach(second(0));
    expect(log.asked).toBe(asked);
    log.clock.moveTo(second(0.5));
    await processed.reach(second(0.5));
    await processed.reach(second(0.5));
    expect(log.asked).toBe(asked + 1);
    log.clock.moveTo(second(1.5));
    await processed.reach(second(0.5));
    expect(log.asked).toBe(asked + 2);
  });

  it('does not move while Kafka is unavailable, then follows the processed records, and is now once Kafka answers', async () => {
    const { log, processed } = setUp();
    log.positions[0] = 9;
    expect(await processed.reach(second(0))).toBeUndefined();
    log.isKafkaUnavailable = true;
    log.clock.moveTo(second(10));
    expect(await processed.reach(second(10))).toBeUndefined();
    log.positions[0] = 10;
    expect(await processed.reach(second(10))).toEqual(second(0));
    log.isKafkaUnavailable = false;
    log.nowMs += 1_000;
    expect(await processed.reach(second(10))).toEqual(second(10));
  });

  it('is not taken from the position of an earlier topic of the name', async () => {
    const { log, processed } = setUp();
    log.ends[0] = 3;
    expect(await processed.reach(second(0))).toBeUndefined();
    expect(await processed.reach(second(0))).toBeUndefined();
    log.positions[0] = 2;
    expect(await processed.reach(second(0))).toBeUndefined();
    log.positions[0] = 3;
    expect(await processed.reach(second(0))).toEqual(second(0));
    log.ends[0] = 0;
    log.clock.moveTo(second(1));
    expect(await processed.reach(second(1))).toEqual(second(1));
  });

  it('is reached again where the topic was made anew while commands waited', async () => {
    const { log, processed } = setUp();
    log.positions[0] = 4;
    expect(await processed.reach(second(0))).toBeUndefined();
    log.ends[0] = 3;
    log.positions[0] = 3;
    log.clock.moveTo(second(1));
    expect(await processed.reach(second(1))).toEqual(second(1));
  });

  describe('of which a partition is stuck', () => {
    /** Something falls due each second from `from` until before `to`. Returns the last instant that was reached. */
    async function pass(
      { log, processed }: ReturnType<typeof setUp>,
      from: number,
      to: number,
    ): Promise<Date | undefined> {
      let until: Date | undefined;
      for (let now = from; now < to; now += 1) {
        log.clock.moveTo(second(now));
        log.nowMs = now * 1_000;
        until = await processed.reach(second(now));
      }
      return until;
    }

    it('waits for its commands for two minutes, and then no more until some of them are processed', async () => {
      const stage = setUp();
      const { log, stuck } = stage;
      log.positions[1] = 4;
      expect(await pass(stage, 0, 120)).toBeUndefined();
      expect(stuck).toEqual([]);
      expect(await pass(stage, 120, 130)).toEqual(second(129));
      expect(stuck).toEqual([1]);
      // Also what falls due an hour later.
      expect(await pass(stage, 3_600, 3_601)).toEqual(second(3_600));
      log.positions[1] = 5;
      expect(await pass(stage, 3_601, 3_605)).toEqual(second(3_600));
      log.positions[1] = 10;
      expect(await pass(stage, 3_605, 3_606)).toEqual(second(3_605));
      expect(stuck).toEqual([1]);
    });

    it('waits for the commands of a queue that gets shorter, however slowly', async () => {
      const stage = setUp();
      stage.log.positions[1] = 4;
      expect(await pass(stage, 0, 110)).toBeUndefined();
      stage.log.positions[1] = 5;
      expect(await pass(stage, 110, 220)).toBeUndefined();
      expect(stage.stuck).toEqual([]);
    });

    it('is found also after a queue of an hour', async () => {
      const stage = setUp();
      stage.log.ends[1] = 10_000;
      for (let now = 0; now < 3_600; now += 100) {
        stage.log.positions[1] = 11 + now;
        await pass(stage, now, now + 100);
      }
      expect(stage.stuck).toEqual([]);
      expect(await pass(stage, 3_600, 3_740)).toEqual(second(3_739));
      expect(stage.stuck).toEqual([1]);
    });

    it('is one whose log has lost records that were processed, until new ones are processed', async () => {
      const stage = setUp();
      stage.log.ends[1] = 9;
      expect(await pass(stage, 0, 110)).toBeUndefined();
      expect(await pass(stage, 110, 130)).toEqual(second(129));
      expect(stage.stuck).toEqual([1]);
      stage.log.ends[1] = 11;
      stage.log.positions[1] = 11;
      expect(await pass(stage, 130, 131)).toEqual(second(130));
    });

    it('counts no time in which Kafka was unavailable, or in which nothing was due', async () => {
      const stage = setUp();
      stage.log.positions[1] = 4;
      expect(await pass(stage, 0, 110)).toBeUndefined();
      stage.log.isKafkaUnavailable = true;
      expect(await pass(stage, 110, 115)).toBeUndefined();
      stage.log.isKafkaUnavailable = false;
      expect(await pass(stage, 115, 225)).toBeUndefined();
      expect(await pass(stage, 300, 410)).toBeUndefined();
      expect(stage.stuck).toEqual([]);
    });
  });

  it('is not known while the database is unavailable', async () => {
    const progress = {
      query: () => Promise.reject(new UnavailableError('unavailable')),
      positions: () => Promise.reject(new UnavailableError('unavailable')),
    };
    const processed = new ProcessedUntil({
      progress,
      clock: new ManualClock(second(0)),
      nowMs: () => 0,
      onStuck: () => undefined,
    });
    await expect(processed.reach(second(0))).rejects.toThrow(UnavailableError);
  });
});
