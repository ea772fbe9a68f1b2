import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tocsin/clock';
import { UnavailableError } from '@tocsin/errors';
import { CommandProgress } from './command-progress.ts';
import { SettledUntil } from './settled-until.ts';

const START = Date.parse('2026-01-05T08:00:00.000Z');
const second = (seconds: number) => new Date(START + seconds * 1_000);

/** A log of two partitions that end at 10, of which all commands are settled. */
function setUp() {
  const clock = new ManualClock(second(0));
  const log = {
    clock,
    ends: [10, 10],
    positions: [10, 10] as (number | undefined)[],
    isKafkaAway: false,
    asked: 0,
    looks: 0,
    nowMs: 0,
    /** What happens while Kafka answers. */
    whileAsked: (): void => undefined,
  };
  const progress = new CommandProgress({
    logBounds: () => {
      log.asked += 1;
      if (log.isKafkaAway) return Promise.reject(new Error('no broker'));
      log.whileAsked();
      return Promise.resolve(new Map(log.ends.map((end, partition) => [partition, { start: 0, end }])));
    },
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
  const settled = new SettledUntil({
    progress,
    clock,
    nowMs: () => log.nowMs,
    onStuck: (partition) => void stuck.push(partition),
  });
  return { log, settled, stuck };
}

describe('the instant before which every accepted command is settled', () => {
  it('is now where none waits, and what was due before costs no further question', async () => {
    const { log, settled } = setUp();
    expect(await settled.reach(second(0))).toEqual(second(0));
    log.clock.moveTo(second(60));
    expect(await settled.reach(second(30))).toEqual(second(60));
    const { asked, looks } = log;
    expect(await settled.reach(second(60))).toEqual(second(60));
    expect(await settled.reach(second(45))).toEqual(second(60));
    expect([log.asked, log.looks]).toEqual([asked, looks]);
  });

  it('is that at which Kafka was asked, and not that of its answer', async () => {
    const { log, settled } = setUp();
    log.whileAsked = () => {
      log.clock.moveTo(second(5));
    };
    expect(await settled.reach(second(0))).toEqual(second(0));
  });

  it.each([
    ['never settled', undefined],
    ['settled in part', 9],
  ])('is not reached while a partition is %s, and is once its commands of then are settled', async (_, position) => {
    const { log, settled } = setUp();
    log.positions[1] = position;
    expect(await settled.reach(second(0))).toBeUndefined();
    // Commands that are accepted later do not delay it.
    log.ends[1] = 50;
    log.positions[1] = 10;
    expect(await settled.reach(second(0))).toEqual(second(0));
  });

  it('does not wait for partitions that were never written', async () => {
    const { log, settled } = setUp();
    log.ends[1] = 0;
    log.positions[1] = undefined;
    expect(await settled.reach(second(0))).toEqual(second(0));
  });

  it.each([
    [30, 30],
    [400, 405],
  ])('moves on with a queue of %s s that never ends, at most %s s behind', async (queueSeconds, maxSeconds) => {
    const { log, settled } = setUp();
    const behind: number[] = [];
    // One command comes and one is settled each second, and something falls due.
    for (let now = 0; now <= 4 * queueSeconds; now += 1) {
      log.clock.moveTo(second(now));
      log.ends[0] = 10 + queueSeconds + now;
      log.positions[0] = 10 + now;
      const until = await settled.reach(second(now));
      if (now > 2 * queueSeconds) behind.push(now - ((until?.getTime() ?? 0) - START) / 1_000);
    }
    expect(Math.min(...behind)).toBe(queueSeconds);
    expect(Math.max(...behind)).toBeLessThanOrEqual(maxSeconds);
  });

  it('asks Kafka once a second while commands wait, and once more for what falls due', async () => {
    const { log, settled } = setUp();
    log.positions[0] = 0;
    await settled.reach(second(0));
    const { asked } = log;
    for (let times = 0; times < 10; times += 1) await settled.reach(second(0));
    expect(log.asked).toBe(asked);
    log.clock.moveTo(second(0.5));
    await settled.reach(second(0.5));
    await settled.reach(second(0.5));
    expect(log.asked).toBe(asked + 1);
    log.clock.moveTo(second(1.5));
    await settled.reach(second(0.5));
    expect(log.asked).toBe(asked + 2);
  });

  it('stays where it is while Kafka is away, goes on with what is settled, and is now once Kafka answers', async () => {
    const { log, settled } = setUp();
    log.positions[0] = 9;
    expect(await settled.reach(second(0))).toBeUndefined();
    log.isKafkaAway = true;
    log.clock.moveTo(second(10));
    expect(await settled.reach(second(10))).toBeUndefined();
    log.positions[0] = 10;
    expect(await settled.reach(second(10))).toEqual(second(0));
    log.isKafkaAway = false;
    log.nowMs += 1_000;
    expect(await settled.reach(second(10))).toEqual(second(10));
  });

  it('is not taken from the position of an earlier topic of the name', async () => {
    const { log, settled } = setUp();
    log.ends[0] = 3;
    expect(await settled.reach(second(0))).toBeUndefined();
    expect(await settled.reach(second(0))).toBeUndefined();
    log.positions[0] = 2;
    expect(await settled.reach(second(0))).toBeUndefined();
    log.positions[0] = 3;
    expect(await settled.reach(second(0))).toEqual(second(0));
    log.ends[0] = 0;
    log.clock.moveTo(second(1));
    expect(await settled.reach(second(1))).toEqual(second(1));
  });

  it('is reached again where the topic was made anew while commands waited', async () => {
    const { log, settled } = setUp();
    log.positions[0] = 4;
    expect(await settled.reach(second(0))).toBeUndefined();
    log.ends[0] = 3;
    log.positions[0] = 3;
    log.clock.moveTo(second(1));
    expect(await settled.reach(second(1))).toEqual(second(1));
  });

  describe('of which a partition is stuck', () => {
    /** Something falls due each second from `from` until before `to`. Returns the last instant that was reached. */
    async function pass(
      { log, settled }: ReturnType<typeof setUp>,
      from: number,
      to: number,
    ): Promise<Date | undefined> {
      let until: Date | undefined;
      for (let now = from; now < to; now += 1) {
        log.clock.moveTo(second(now));
        log.nowMs = now * 1_000;
        until = await settled.reach(second(now));
      }
      return until;
    }

    it('waits for its commands for two minutes, and then no more until some of them are settled', async () => {
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

    it('is one whose log has lost records that were settled, until new ones are settled', async () => {
      const stage = setUp();
      stage.log.ends[1] = 9;
      expect(await pass(stage, 0, 110)).toBeUndefined();
      expect(await pass(stage, 110, 130)).toEqual(second(129));
      expect(stage.stuck).toEqual([1]);
      stage.log.ends[1] = 11;
      stage.log.positions[1] = 11;
      expect(await pass(stage, 130, 131)).toEqual(second(130));
    });

    it('counts no time in which Kafka was away, or in which nothing was due', async () => {
      const stage = setUp();
      stage.log.positions[1] = 4;
      expect(await pass(stage, 0, 110)).toBeUndefined();
      stage.log.isKafkaAway = true;
      expect(await pass(stage, 110, 115)).toBeUndefined();
      stage.log.isKafkaAway = false;
      expect(await pass(stage, 115, 225)).toBeUndefined();
      expect(await pass(stage, 300, 410)).toBeUndefined();
      expect(stage.stuck).toEqual([]);
    });
  });

  it('is not known while the database is away', async () => {
    const progress = {
      query: () => Promise.reject(new UnavailableError('away')),
      positions: () => Promise.reject(new UnavailableError('away')),
    };
    const settled = new SettledUntil({
      progress,
      clock: new ManualClock(second(0)),
      nowMs: () => 0,
      onStuck: () => undefined,
    });
    await expect(settled.reach(second(0))).rejects.toThrow(UnavailableError);
  });
});
