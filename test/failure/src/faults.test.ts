import { describe, expect, it } from '@jest/globals';
import { SERVICES } from '@tocsin/events';
import { runFault, type System } from './fault.ts';
import { FAULTS, NO_FAULT } from './faults.ts';

describe('the faults of the failure suite', () => {
  const names = FAULTS.map(({ name }) => name);

  it('have names of their own that can be arguments', () => {
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z]+(-[a-z]+)*$/.test(name))).toEqual([]);
  });

  it.each(SERVICES)('kill and freeze a process of %s', (service) => {
    expect(names).toEqual(expect.arrayContaining([`${service}-killed`, `${service}-frozen`]));
  });

  it('need root only where a node is cut off or its disk is full', () => {
    const rooted = FAULTS.filter(({ needsRoot }) => needsRoot === true).map(({ name }) => name);
    expect(rooted).toEqual(['broker-cut-off', 'primary-cut-off', 'broker-disk-full', 'primary-disk-full']);
  });

  it('have a limit of the recovery: 15 s after the cause was there, and more where an engine or all services start again', () => {
    const limits = Object.fromEntries(FAULTS.map(({ name, recoverWithinMs }) => [name, recoverWithinMs / 1_000]));
    const { 'no-fault': none, ...ofFaults } = limits;
    expect(none).toBe(0);
    expect(Object.entries(ofFaults).filter(([, limit]) => limit !== 15)).toEqual([
      ['two-brokers-killed', 30],
      ['coordinator-and-consumer-killed', 20],
      ['broker-disk-full', 30],
      ['primary-disk-full', 30],
      ['clock-ahead', 120],
    ]);
  });
});

it('a fault lasts until all that was to be started again has, and its limit counts from the time that its cause is there', async () => {
  let now = 1_000;
  const takes = (ms: number) => () => {
    now += ms;
    return Promise.resolve();
  };
  const fault = { ...NO_FAULT, holdMs: 5_000, recoverWithinMs: 15_000 };
  const begin = () => takes(300)().then(() => takes(7_000));
  const clock = { now: () => now, pause: (ms: number) => takes(ms)() };
  expect(await runFault({ ...fault, begin }, {} as System, clock)).toEqual({
    beganAt: 1_000,
    removedAt: 13_300,
    recoveryLimitMs: 20_300,
  });
});
