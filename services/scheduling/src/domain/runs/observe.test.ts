import { describe, expect, it } from '@jest/globals';
import type { AlertEvent, AlertState, FlowStart } from '@tocsin/contracts';
import { observe } from './observe.ts';
import { diskFull } from '../../testing/run-samples.ts';
import type { Run } from './run.ts';

const flow: FlowStart = { version: 1, responders: 1, began: true };

const event = (version: number, change: Partial<AlertState> = {}): AlertEvent => ({
  alertId: 'a1',
  version,
  facts: [],
  acceptedAt: '2026-01-01T00:00:00.000Z',
  state: { ...diskFull, flow, ...change },
});

const cycle2 = { cycle: 2, flow: { ...flow, version: 3 } };

/** What each of `events` begins, in the order in which they come, and the run after them. */
function after(...events: AlertEvent[]): { run: Run | undefined; begun: readonly (string | undefined)[] } {
  let run: Run | undefined;
  const begun = events.map((each) => {
    const observation = observe(run, each);
    if (observation.kind === 'stale') return 'stale';
    run = observation.run;
    return observation.cycleStart?.how;
  });
  return { run, begun };
}

describe('observe', () => {
  it('begins a cycle that goes once', () => {
    expect(after(event(1), event(2), event(3, cycle2)).begun).toEqual(['pages', undefined, 'pages']);
  });

  it('begins it with the first of its events to come, with those who were there at first', () => {
    const late = event(4, { responders: [{ type: 'user', id: 'ada' }, ...diskFull.responders] });
    const observation = observe(undefined, late);
    expect(observation).toMatchObject({ cycleStart: { version: 1, responders: [{ id: 'ada' }], how: 'pages' } });
    expect(after(late, event(1), event(2)).begun).toEqual(['pages', 'stale', 'stale']);
  });

  it('begins nothing that is held, suppressed, snoozed or over', () => {
    const silent: readonly Partial<AlertState>[] = [
      { verdict: { kind: 'held' } },
      { verdict: { kind: 'suppressed', reason: 'policy' } },
      { snoozed: true },
      { status: 'closed' },
    ];
    expect(silent.flatMap((state) => after(event(1, state)).begun)).toEqual(silent.map(() => undefined));
  });

  it('begins nothing that began in silence, as where a snooze ends by an acknowledgement', () => {
    const acked = event(4, { cycle: 2, acknowledged: true, flow: { version: 3, responders: 1, began: false } });
    expect(after(event(1), acked).begun).toEqual(['pages', undefined]);
  });

  it('begins nothing that was stopped since, also where word of the stop comes later', () => {
    const [snoozed, acked] = [event(2, { snoozed: true }), event(3, { acknowledged: true })];
    expect(after(snoozed, event(1), acked).begun).toEqual([undefined, 'stale', undefined]);
    expect(after(acked, snoozed).run).toMatchObject({ begun: true, stoppedVersion: 2 });
  });

  it('hears nothing of a cycle that is over, and nothing of a closed alert', () => {
    expect(after(event(3, cycle2), event(1), event(2, { snoozed: true })).begun).toEqual(['pages', 'stale', 'stale']);
    expect(after(event(9, { status: 'closed' }), event(1), event(3, cycle2)).begun).toEqual([
      undefined,
      'stale',
      'stale',
    ]);
  });

  it('goes on after an acknowledgement and ends with a close, of which nothing is kept but that', () => {
    const { run } = after(event(1), event(2, { acknowledged: true }));
    expect(run).toMatchObject({ stoppedVersion: 0, alert: { acknowledged: true } });
    expect(after(event(1), event(3, { status: 'closed' })).run).toMatchObject({ stoppedVersion: 3, branches: [] });
  });

  it('keeps nothing of the content of a deleted alert, whatever comes late, and is not brought back (A6)', () => {
    const details = { secret: 'secret' };
    const told = {
      message: 'secret',
      alias: 'secret',
      description: 'secret',
      details,
      tags: ['secret'],
      owner: 'secret',
    };
    const [first, second] = [event(1, told), event(2, { ...told, snoozed: true })];
    const { begun, run } = after(first, event(3, { ...told, status: 'deleted' }), second, first);
    expect(begun).toEqual(['pages', undefined, 'stale', 'stale']);
    expect(run).toMatchObject({ alertId: 'a1', alertVersion: 3, alert: { status: 'deleted', responders: [] } });
    expect(JSON.stringify(run)).not.toContain('secret');
  });
});
