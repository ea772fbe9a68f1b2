import { describe, expect, it } from '@jest/globals';
import { type CountedRequest, TrafficCounter } from './traffic-counter.ts';

const at = (time: string) => new Date(`2026-01-01T${time}:00Z`);

const request = (time: string, rest: Partial<CountedRequest> = {}): CountedRequest => ({
  integrationId: 'a',
  at: at(time),
  effect: 'alert',
  ...rest,
});

const counterOf = (...requests: readonly CountedRequest[]): TrafficCounter => {
  const counter = new TrafficCounter();
  for (const each of requests) counter.count(each);
  return counter;
};

describe('the counts of an integration', () => {
  it('are of one hour, and tell alerts, other writes and refusals apart', () => {
    const refusal = { status: 422, operation: 'create-alert' };
    const counter = counterOf(
      request('08:00'),
      request('08:10', { effect: 'write' }),
      request('08:20', { refusal }),
      request('08:59'),
      request('09:00'),
    );
    expect(counter.takeChanged(10)).toEqual([
      {
        integrationId: 'a',
        hour: at('08:00'),
        writes: 4,
        alerts: 2,
        refused: 1,
        lastRequestAt: at('08:59'),
        lastAlertAt: at('08:59'),
        lastRefusal: { at: at('08:20'), ...refusal },
      },
      expect.objectContaining({ hour: at('09:00'), writes: 1, alerts: 1, refused: 0, lastRefusal: undefined }),
    ]);
  });

  it('have of a read the time alone, also where it was refused', () => {
    const counter = counterOf(request('08:00', { effect: 'read', refusal: { status: 404, operation: 'get-alert' } }));
    expect(counter.takeChanged(10)).toMatchObject([
      { writes: 0, alerts: 0, refused: 0, lastRequestAt: at('08:00'), lastRefusal: undefined },
    ]);
  });

  it('are taken once, until they change, and go on rising', () => {
    const counter = counterOf(request('08:00'));
    expect(counter.takeChanged(10)).toHaveLength(1);
    expect(counter.takeChanged(10)).toEqual([]);
    counter.count(request('08:01'));
    expect(counter.takeChanged(10)).toMatchObject([{ alerts: 2 }]);
  });

  it('are taken as many as asked for, and again after they were given back', () => {
    const counter = counterOf(request('08:00'), request('08:00', { integrationId: 'b' }));
    const taken = counter.takeChanged(1);
    expect(taken).toHaveLength(1);
    counter.giveBack(taken);
    expect(
      counter
        .takeChanged(10)
        .map(({ integrationId }) => integrationId)
        .toSorted(),
    ).toEqual(['a', 'b']);
  });

  it('are forgotten after their hour, but not before they were taken', () => {
    const counter = counterOf(request('08:00'));
    counter.forgetPastHours(at('09:00'));
    const taken = counter.takeChanged(10);
    expect(taken).toHaveLength(1);
    counter.forgetPastHours(at('08:59'));
    counter.giveBack(taken);
    expect(counter.takeChanged(10)).toEqual(taken);
    counter.forgetPastHours(at('09:00'));
    counter.giveBack(taken);
    expect(counter.takeChanged(10)).toEqual([]);
  });

  it('are kept for a bounded number of integrations', () => {
    const counter = new TrafficCounter();
    for (let n = 0; n < 50_001; n += 1) counter.count(request('08:00', { integrationId: String(n) }));
    counter.count(request('08:01', { integrationId: '0' }));
    const taken = counter.takeChanged(100_000);
    expect(taken).toHaveLength(50_000);
    expect(taken.find(({ integrationId }) => integrationId === '0')?.alerts).toBe(2);
  });
});
