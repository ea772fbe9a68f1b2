import { describe, expect, it } from '@jest/globals';
import { ManualClock, UnavailableError } from '@tocsin/core';
import { removeInBatches } from '@tocsin/service';
import type { Kept } from './retention.ts';
import { type InBatches, Retention } from './retention-task.ts';
import type { RetentionStore } from './retention-store.ts';

const NOW = new Date('2027-01-05T08:20:00.000Z');
const daysBefore = (days: number, minutes = 0): Date => new Date(NOW.getTime() - days * 86_400_000 + minutes * 60_000);

/** Holds instants, and removes up to three at once. */
class Instants implements Pick<RetentionStore, 'oldest' | 'remove'> {
  readonly held: Record<Kept, Date[]> = { alerts: [], statuses: [], removals: [] };
  looks = 0;
  failing: Error | undefined;

  oldest(kind: Kept): Promise<Date | undefined> {
    return Promise.resolve(this.held[kind].toSorted((a, b) => a.getTime() - b.getTime())[0]);
  }

  remove(kind: Kept, until: Date): Promise<number> {
    this.looks += 1;
    if (this.failing !== undefined) return Promise.reject(this.failing);
    const gone = this.held[kind].filter((at) => at <= until).slice(0, 3);
    this.held[kind] = this.held[kind].filter((at) => !gone.includes(at));
    return Promise.resolve(gone.length);
  }
}

function setUp() {
  const rows = new Instants();
  const clock = new ManualClock(NOW);
  const removed: (readonly [Kept, number])[] = [];
  let rests = 0;
  const stop = new AbortController();
  const rest = () => Promise.resolve(void (rests += 1));
  const inBatches: InBatches = (remove) => removeInBatches(remove, { stopping: stop.signal, rest });
  const retention = new Retention({
    rows,
    clock,
    periods: { alerts: 365, statuses: 7, removals: 15 },
    onRemoved: (kind, count) => removed.push([kind, count]),
  });
  const sweep = () => retention.sweep(inBatches);
  return { rows, clock, removed, rests: () => rests, retention, stop, sweep };
}

describe('retention', () => {
  it('removes each kind after its own time, in batches with a rest after each', async () => {
    const { rows, sweep, removed, rests } = setUp();
    const kept = [daysBefore(7), daysBefore(365), daysBefore(364)];
    rows.held.alerts = [...Array.from({ length: 7 }, (_, n) => daysBefore(366 + n)), ...kept];
    rows.held.statuses = [daysBefore(8), daysBefore(6)];
    rows.held.removals = [daysBefore(16), daysBefore(14)];
    await sweep();
    expect(rows.held).toEqual({ alerts: kept, statuses: [daysBefore(6)], removals: [daysBefore(14)] });
    expect(removed).toEqual([
      ['alerts', 3],
      ['alerts', 3],
      ['alerts', 1],
      ['statuses', 1],
      ['removals', 1],
    ]);
    expect(rests()).toBe(5);
  });

  it('sweeps once an hour, on the hour', async () => {
    const { rows, retention, clock, sweep } = setUp();
    rows.held.alerts = [daysBefore(365)];
    await sweep();
    const looks = rows.looks;
    clock.moveTo(new Date('2027-01-05T08:59:59.999Z'));
    await sweep();
    expect([rows.looks, rows.held.alerts.length, await retention.due()]).toEqual([looks, 1, 0]);
    clock.advance(1);
    expect(await retention.due()).toBe(1);
    await sweep();
    expect([rows.held.alerts.length, await retention.due()]).toEqual([0, 0]);
  });

  it('predicts when something is due for removal', async () => {
    const { rows, retention } = setUp();
    expect(await retention.nextDueAt()).toBeUndefined();
    rows.held.alerts = [daysBefore(300)];
    rows.held.statuses = [daysBefore(2), daysBefore(1)];
    expect(await retention.nextDueAt()).toEqual(daysBefore(-5, 40));
  });

  it('goes on in the same hour after a failure', async () => {
    const { rows, sweep } = setUp();
    rows.held.alerts = [daysBefore(400)];
    rows.failing = new UnavailableError('unavailable');
    await expect(sweep()).rejects.toThrow('unavailable');
    rows.failing = undefined;
    await sweep();
    expect(rows.held.alerts).toEqual([]);
  });

  it('begins no batch once it is stopped', async () => {
    const { rows, stop, sweep } = setUp();
    rows.held.alerts = [daysBefore(400)];
    stop.abort();
    await sweep();
    expect(rows.held.alerts).toHaveLength(1);
  });
});
