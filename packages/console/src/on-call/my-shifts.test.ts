import { describe, expect, test } from '@jest/globals';
import { isOnCall, schedulesThroughOthers, timesOf } from './my-shifts.ts';
import type { OnCall } from './queries.ts';

const shift = (schedule: string, from: number, until: number) => ({ schedule, from, until });

describe('when a user is on call', () => {
  const shifts = [shift('Ops', 0, 10), shift('Net', 5, 20), shift('Web', 10, 30)];

  test('A shift is on from its start until its end, and the next one begins later.', () => {
    expect(timesOf(shifts, 5)).toEqual({ now: [shifts[0], shifts[1]], next: shifts[2] });
    expect(timesOf(shifts, 10)).toEqual({ now: [shifts[1], shifts[2]], next: undefined });
    expect(timesOf(shifts, 30)).toEqual({ now: [], next: undefined });
  });
});

const user = (name: string) => ({ type: 'user' as const, id: name, name });
const schedule = (
  name: string,
  ...onCallParticipants: Extract<OnCall, { onCallParticipants: unknown }>['onCallParticipants']
): OnCall => ({
  _parent: { id: name, name, enabled: true },
  onCallParticipants,
});

describe('a user who is on call through a team', () => {
  const team = { type: 'team' as const, id: 'sre', name: 'SRE', onCallParticipants: [user('ada')] };
  const escalation = { type: 'escalation' as const, id: 'late', name: 'Late', onCallParticipants: [team] };

  test('They are on call at each depth.', () => {
    expect(isOnCall(schedule('Ops', user('grace'), escalation), 'ada')).toBe(true);
    expect(isOnCall(schedule('Ops', user('grace'), escalation), 'eve')).toBe(false);
  });

  test('A team of the name of the user is not the user.', () => {
    expect(isOnCall(schedule('Ops', { type: 'team', id: 'ada', name: 'ada' }), 'ada')).toBe(false);
  });

  test('Schedules in which they have a shift of their own are not among those through others.', () => {
    const onCalls = [schedule('Ops', escalation), schedule('Net', user('ada')), schedule('Web', user('grace'))];

    expect(schedulesThroughOthers(onCalls, [shift('Net', 0, 1)], 'ada')).toEqual(['Ops']);
  });
});
