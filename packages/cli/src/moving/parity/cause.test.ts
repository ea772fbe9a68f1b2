import { describe, expect, it } from '@jest/globals';
import type { Layer } from '../../timeline.ts';
import type { Json } from '../json.ts';
import { causesOf, type PlannedSchedule } from './cause.ts';
import type { ParitySchedule } from './side.ts';

const NOTHING: Layer = { rotations: [] };
const ROTATION: Json = {
  ...{ id: 'r', name: 'Days', type: 'weekly', length: 1, startDate: '2026-03-02T08:00:00Z' },
  participants: [{ type: 'user', id: 'a', username: 'ada@example.com' }],
  timeRestriction: { type: 'time-of-day', restriction: { startHour: 8, startMin: 0, endHour: 18, endMin: 0 } },
};

const layer = (from: string, until: string): Layer => ({
  rotations: [
    { name: 'Days', periods: [{ startDate: from, endDate: until, type: 'override', recipient: { type: 'none' } }] },
  ],
});
const planned = (
  change: Partial<ParitySchedule> = {},
  plan: Partial<PlannedSchedule['plan']> = {},
): PlannedSchedule => ({
  schedule: { id: 's', name: 'Ops', enabled: true, zone: 'Europe/Berlin', rotations: [ROTATION], ...change },
  plan: { final: NOTHING, overrides: NOTHING, forwarding: NOTHING, ...plan },
});
const difference = (from: string, until: string) => ({
  ...{ from: Date.parse(from), until: Date.parse(until) },
  ...{ opsgenie: ['ada'], tocsin: [], onlyOpsgenie: ['ada'], onlyTocsin: [] },
});
const SUMMER = difference('2026-07-01T08:00:00Z', '2026-07-01T09:00:00Z');
const UNKNOWN = 'The definitions of both sides are alike: the cause is not known.';

describe('the probable cause of differences', () => {
  it.each([
    [{ enabled: false }, 'It is enabled in Opsgenie and disabled in Tocsin.'],
    [{ zone: 'Europe/London' }, 'Its time zone is Europe/Berlin in Opsgenie and Europe/London in Tocsin.'],
    [{ rotations: [] }, 'Tocsin lacks the rotation [Days].'],
    [{ rotations: [ROTATION, { ...ROTATION, id: 'n', name: 'Nights' }] }, 'Opsgenie lacks the rotation [Nights].'],
    [{ rotations: [{ ...ROTATION, length: 2, type: 'daily' }] }, 'The rotation [Days] differs in type, length.'],
    [{ rotations: [{ ...ROTATION, endDate: '2027-01-01T00:00:00Z' }] }, 'The rotation [Days] differs in endDate.'],
    [
      { rotations: [{ ...ROTATION, id: 'x', timeRestriction: null }] },
      'The rotation [Days] differs in timeRestriction.',
    ],
    [{ rotations: [{ ...ROTATION, participants: [] }] }, 'The rotation [Days] differs in participants.'],
  ])('is what the definitions differ in: %j', (change, cause) => {
    expect(causesOf([SUMMER], planned(), planned(change))).toEqual([cause]);
  });

  it('is no difference in how the same is written', () => {
    const written: Json = {
      ...{
        timeRestriction: {
          restriction: { endMin: '0', endHour: '18', startMin: 0, startHour: 8 },
          type: 'time-of-day',
        },
      },
      ...{ name: 'Days', type: 'weekly', startDate: '2026-03-02T09:00:00+01:00', endDate: null },
      participants: [{ username: 'Ada@example.com', type: 'user', id: 'other' }],
    };
    expect(causesOf([SUMMER], planned(), planned({ rotations: [written] }))).toEqual([UNKNOWN]);
  });

  it('is an override or forwarding of a side that holds all differences', () => {
    const around = layer('2026-07-01T00:00:00Z', '2026-07-02T00:00:00Z');
    expect(causesOf([SUMMER], planned({}, { overrides: around }), planned())).toEqual([
      'All differences are within overrides.',
    ]);
    expect(causesOf([SUMMER], planned(), planned({}, { forwarding: around }))).toEqual([
      'All differences are within forwarding.',
    ]);
    const other = difference('2026-08-01T08:00:00Z', '2026-08-01T09:00:00Z');
    expect(causesOf([SUMMER, other], planned({}, { overrides: around }), planned())).toEqual([UNKNOWN]);
  });

  it('is a change of the clock where all differences are short and beside one', () => {
    const spring = difference('2026-03-29T00:00:00Z', '2026-03-29T01:00:00Z');
    expect(causesOf([spring], planned(), planned())).toEqual([expect.stringContaining('on which the clock changes')]);
    expect(causesOf([spring, SUMMER], planned(), planned())).toEqual([UNKNOWN]);
    const zone = 'Europe/Nowhere';
    expect(causesOf([spring], planned({ zone }), planned({ zone }))).toEqual([UNKNOWN]);
  });
});
