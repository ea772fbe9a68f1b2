import { describe, expect, it } from '@jest/globals';
import type { AlertEvent, AlertState } from '@tocsin/contracts';
import fc from 'fast-check';
import { observe, refusal, type Run } from './run.ts';
import { diskFull } from './run.samples.ts';

const event = (version: number, change: Partial<AlertState> = {}): AlertEvent => ({
  alertId: 'a1',
  version,
  state: { ...diskFull, ...change },
  facts: [],
  acceptedAt: '2026-01-01T00:00:00.000Z',
});

function after(...events: AlertEvent[]): { run: Run | undefined; kinds: string[] } {
  let run: Run | undefined;
  const kinds = events.map((each) => {
    const observation = observe(run, each);
    if (observation.kind !== 'stale') run = observation.run;
    return observation.kind;
  });
  return { run, kinds };
}

describe('observe', () => {
  it('starts a flow on go, and once a cycle', () => {
    expect(after(event(1), event(2), event(3, { cycle: 2 })).kinds).toEqual(['started', 'noted', 'started']);
  });

  it('does not start a flow that is held, suppressed, snoozed or over', () => {
    expect(after(event(1, { verdict: { kind: 'held' } })).kinds).toEqual(['noted']);
    expect(after(event(1, { verdict: { kind: 'suppressed', reason: 'policy' } })).kinds).toEqual(['noted']);
    expect(after(event(1, { snoozed: true })).kinds).toEqual(['noted']);
    expect(after(event(1, { status: 'closed' })).kinds).toEqual(['noted']);
  });

  it('goes on after an acknowledgement and ends with a close', () => {
    const { run, kinds } = after(event(1), event(2, { acknowledged: true }), event(3, { status: 'closed' }));
    expect(kinds).toEqual(['started', 'noted', 'stopped']);
    expect(run).toMatchObject({ running: false, epoch: 2 });
  });

  it('folds repeats and late arrivals', () => {
    expect(after(event(1), event(3), event(2), event(3)).kinds).toEqual(['started', 'noted', 'stale', 'stale']);
  });

  it('ends in the same state however often and late its events come', () => {
    const events = [
      event(1),
      event(2, { acknowledged: true }),
      event(3, { cycle: 2 }),
      event(4, { cycle: 2, status: 'closed' }),
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...events)), (noise) => {
        const seen = noise.flatMap((each) => events.filter(({ version }) => version <= each.version));
        expect(after(...seen, ...events).run).toMatchObject({ running: false, alertVersion: 4, cycle: 2 });
      }),
    );
  });

  it('voids the timers of what it ended by a new epoch', () => {
    const { run } = after(event(1), event(2, { status: 'closed' }));
    expect(run?.epoch).toBeGreaterThan(after(event(1)).run?.epoch ?? 0);
  });
});

describe('refusal', () => {
  const run = (change: Partial<AlertState>): Run => {
    const { run: known } = after(event(1, change));
    if (known === undefined) throw new Error('an event always leaves a run');
    return known;
  };

  it.each([
    [{}, 'if-not-acked', undefined],
    [{ acknowledged: true }, 'if-not-acked', 'the alert is acknowledged'],
    [{ acknowledged: true }, 'if-not-closed', undefined],
    [{ status: 'closed' as const }, 'if-not-closed', 'the alert is closed'],
  ] as const)('of %j under %s is %s', (change, condition, expected) => {
    expect(refusal(run(change), condition)).toBe(expected);
  });
});
