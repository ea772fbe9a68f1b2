import { expect, it } from '@jest/globals';
import { SeededChoices } from './scheduler/choices.ts';
import { type SimulatedWork, World } from './world.ts';

/** Processes that do nothing. */
const IDLE: SimulatedWork = {
  prepare: () => Promise.resolve(),
  start: () => undefined,
  violations: () => Promise.resolve([]),
  done: () => 0,
};
const SEEDS = Array.from({ length: 20 }, (_, seed) => seed);

it('a run ends only when each process that was frozen has gone on for five seconds', async () => {
  let thawed = 0;
  for (const seed of SEEDS) {
    const world = new World(new SeededChoices(seed));
    const { log, violations } = await world.run(IDLE);
    expect(violations).toEqual([]);
    const frozen = new Set<string>();
    for (const { atMs, process, text } of log) {
      if (text === 'is frozen') frozen.add(process);
      else frozen.delete(process);
      if (text !== 'goes on') continue;
      thawed += 1;
      expect(atMs).toBeLessThanOrEqual(world.scheduler.elapsedMs - 5_000);
    }
    expect(frozen).toEqual(new Set());
  }
  expect(thawed).toBeGreaterThan(SEEDS.length);
});

it('a command that is not built breaks a promise, also where its sender catches the error', async () => {
  const start: SimulatedWork['start'] = (_, connection) => {
    connection.db?.command({ fsync: 1 }).catch(() => undefined);
  };
  const { violations } = await new World(new SeededChoices(1)).run({ ...IDLE, start });
  expect(violations).toEqual(['NotBuiltError: The MongoDB in memory has no command fsync.']);
});

it('the clocks of the machines are wrong, each by another time', async () => {
  const world = new World(new SeededChoices(1));
  const offsets: number[] = [];
  await world.run({ ...IDLE, start: ({ nowMs }) => void offsets.push(nowMs - world.scheduler.nowMs) });
  expect(new Set([0, ...offsets]).size).toBe(offsets.length + 1);
  expect(Math.max(...offsets.map(Math.abs))).toBeLessThanOrEqual(3_600_000);
});
