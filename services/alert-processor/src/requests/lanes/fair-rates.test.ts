import { describe, expect, it } from '@jest/globals';
import { acknowledge, addNote, byAlias, close, create } from '../../testing/commands-samples.ts';
import { FairRates, mayBeDelayed } from './fair-rates.ts';

const DISK = byAlias('disk');
const of = (id: string, type = 'API') => ({ integration: { id, name: id, type } });

describe('a command', () => {
  it('may be delayed if an integration sent it, unless it ends work or opens the alert of a heartbeat', () => {
    const created = create('disk');
    expect([created, addNote(DISK, 'n'), create('disk', of('mails', 'Email'))].map(mayBeDelayed)).toEqual([
      true,
      true,
      true,
    ]);
    expect([acknowledge(DISK), close(DISK)].map(mayBeDelayed)).toEqual([false, false]);
    expect(mayBeDelayed({ ...created, ...of('scheduling', 'System') })).toBe(false);
    expect(mayBeDelayed({ ...created, ofHeartbeat: true })).toBe(false);
  });
});

describe('the fair rate of an integration', () => {
  const SECOND = 1_000;
  const times = (count: number, countOne: () => boolean) =>
    Array.from({ length: count }, countOne).filter(Boolean).length;

  it('is 20 commands in two seconds, counted apart from those of others', () => {
    const rates = new FairRates(10);
    expect(times(30, () => rates.count(create('a', of('one')), 10 * SECOND))).toBe(20);
    expect(times(30, () => rates.count(create('a', of('two')), 10 * SECOND))).toBe(20);
    expect(times(30, () => rates.count(create('a', of('one')), 12 * SECOND))).toBe(20);
  });

  it('is counted by the time at which Kafka got the commands, whenever and in whichever order they are read', () => {
    const rates = new FairRates(10);
    const minute = Array.from({ length: 300 }, (_, index) => index * 200);
    const read = [...minute.filter((ms) => ms % 3 === 0), ...minute.filter((ms) => ms % 3 !== 0)];
    expect(read.every((ms) => rates.count(create('a', of('one')), ms))).toBe(true);
  });

  it('counts creates of priority P1 apart', () => {
    const rates = new FairRates(10);
    const urgent = create('a', { ...of('one'), alert: { priority: 'P1' } });
    expect(times(30, () => rates.count(create('a', of('one')), 0))).toBe(20);
    expect(times(30, () => rates.count(urgent, 0))).toBe(20);
  });
});

describe('an integration', () => {
  it('is alone once no other one has sent a command for ten seconds, by the time at which Kafka got them', () => {
    const rates = new FairRates(10);
    rates.count(create('a', of('quiet')), 0);
    rates.count(create('a', of('flood')), 60_000);
    expect(rates.isAlone(60_000)).toBe(true);
    rates.count(create('a', of('quiet')), 61_000);
    expect([61_000, 70_000].map((ms) => rates.isAlone(ms))).toEqual([false, false]);
    rates.count(create('a', of('flood')), 70_000);
    expect([71_000, 71_001].map((ms) => rates.isAlone(ms))).toEqual([false, true]);
  });

  it('is alone beside the commands of other services', () => {
    const rates = new FairRates(10);
    rates.count(create('a', of('flood')), 0);
    rates.count(create('a', of('scheduling', 'System')), 1);
    rates.count(create('a', of('flood')), 2);
    expect(rates.isAlone(2)).toBe(true);
  });
});
