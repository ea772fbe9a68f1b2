import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tocsin/clock';
import { UnavailableError } from '@tocsin/errors';
import { batchOf, engineFixture, start, type EngineFixture } from '../../engine-fixture.contract.ts';
import { Retention } from './retention.ts';

const DAY_MINUTES = 24 * 60;

const retentionOf = ({ clock, store }: Pick<EngineFixture, 'clock' | 'store'>) =>
  new Retention({ runs: store, clock, days: 30, rest: () => Promise.resolve() });

/** Answers each time how many are removed, of the instants that it is asked for. */
function lots(...answers: readonly (number | Error)[]) {
  const asked: Date[] = [];
  const rest = [...answers];
  const remove = (until: Date): Promise<number> => {
    asked.push(until);
    const next = rest.shift() ?? 0;
    return typeof next === 'number' ? Promise.resolve(next) : Promise.reject(next);
  };
  return { asked, runs: { remove } };
}

describe('the retention of runs', () => {
  it('removes lot by lot, with a rest after each, what changed last so many days before the clock', async () => {
    const { asked, runs } = lots(500, 500, 7);
    let rests = 0;
    const rest = () => Promise.resolve(void (rests += 1));
    await new Retention({ runs, clock: new ManualClock(start), days: 30, rest }).sweep();
    expect(asked).toEqual(Array(4).fill(new Date(start.getTime() - 30 * DAY_MINUTES * 60_000)));
    expect(rests).toBe(3);
  });

  it('goes on with the next sweep after a failure', async () => {
    const { asked, runs } = lots(500, new UnavailableError('away'), 3);
    const clock = new ManualClock(start);
    const retention = new Retention({ runs, clock, days: 30, rest: () => Promise.resolve() });
    await expect(retention.sweep()).rejects.toThrow('away');
    await retention.sweep();
    expect(asked).toHaveLength(4);
  });

  it('begins no lot once it is stopped', async () => {
    const { asked, runs } = lots(500, 500);
    const rest = () => {
      retention.stop();
      return Promise.resolve();
    };
    const retention: Retention = new Retention({ runs, clock: new ManualClock(start), days: 30, rest });
    await retention.sweep();
    expect(asked).toHaveLength(1);
  });

  it('leaves a flow alone whose alert is open, however old it is, and one that Kafka may still tell of', async () => {
    const fixture = await engineFixture();
    await fixture.settle(1);
    await fixture.advance(365 * DAY_MINUTES);
    await retentionOf(fixture).sweep();
    await fixture.settle(2, { status: 'closed' });
    await fixture.advance(29 * DAY_MINUTES);
    await retentionOf(fixture).sweep();
    const paged = fixture.paged();
    await fixture.engine.settleEvents(batchOf(2, { version: 1, facts: [] }));
    expect(fixture.paged()).toEqual(paged);
  });

  it('lets an event of a closed alert come after its run is gone, and begins nothing', async () => {
    const fixture = await engineFixture();
    await fixture.settle(1);
    await fixture.settle(2, { status: 'closed' });
    const paged = fixture.paged();
    await fixture.advance(30 * DAY_MINUTES);
    await retentionOf(fixture).sweep();
    expect((await fixture.store.find(['a1'])).size).toBe(0);
    await fixture.settle(3, { status: 'closed', tags: ['late'] });
    await fixture.advance(60);
    expect([fixture.paged(), fixture.store.timers.size]).toEqual([paged, 0]);
  });
});
