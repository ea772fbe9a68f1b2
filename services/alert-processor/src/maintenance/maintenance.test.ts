import { describe, expect, it } from '@jest/globals';
import { MAINTENANCE_TYPES, type MaintenanceBody, type MaintenanceTime } from '@tocsin/api';
import fc from 'fast-check';
import { aMaintenance, disabledIntegration } from '../testing/maintenance-samples.ts';
import {
  cancelled,
  endingAt,
  lastingOf,
  type Maintenance,
  maintenanceAt,
  maintenanceStatus,
  replaced,
} from './maintenance.ts';

const START = new Date('2026-03-02T08:00:00.000Z');
const END = new Date('2026-03-02T09:00:00.000Z');
const after = (instant: Date, byMs: number) => new Date(instant.getTime() + byMs);
const [BEFORE, DURING] = [after(START, -1), after(START, 1)];

const scheduled = aMaintenance({ startsAt: START, endsAt: END });
const instants = fc.integer({ min: -5, max: 5 }).map((ms) => after(START, ms));
const maybe = fc.option(instants, { nil: undefined });
const isInForce = (window: Maintenance, at: Date) =>
  maintenanceAt([window], at).silencing({ id: 'int-1' }) !== undefined;
const body = (time: MaintenanceTime): MaintenanceBody => ({
  description: 'Other',
  rules: [disabledIntegration('other')],
  time,
});

describe('the status of a window', () => {
  it('is active exactly while the window is in force, whatever the instant', () => {
    fc.assert(
      fc.property(instants, maybe, instants, (startsAt, endsAt, at) => {
        const window = aMaintenance({ startsAt, endsAt });
        expect(maintenanceStatus(window, at) === 'active').toBe(isInForce(window, at));
      }),
    );
  });

  it('of a cancelled window is cancelled from then on, and the window is no longer in force', () => {
    fc.assert(
      fc.property(instants, maybe, instants, instants, (startsAt, endsAt, cancelledAt, at) => {
        const window = aMaintenance({ startsAt, endsAt, cancelledAt });
        expect(maintenanceStatus(window, at)).toBe('cancelled');
        expect(isInForce(window, at)).toBe(isInForce({ ...window, cancelledAt: undefined }, at) && at < cancelledAt);
      }),
    );
  });

  it('changes at the start and at the end, to the millisecond', () => {
    expect([BEFORE, START, after(END, -1), END].map((at) => maintenanceStatus(scheduled, at))).toEqual([
      'planned',
      'active',
      'active',
      'past',
    ]);
  });
});

describe('a window', () => {
  it.each([
    ['for-5-minutes', 5 * 60_000],
    ['for-30-minutes', 30 * 60_000],
    ['for-1-hour', 3_600_000],
  ] as const)('of type %s lasts that long from when it is written', (type, ms) => {
    expect(lastingOf({ type }, START)).toEqual({ type, startsAt: START, endsAt: after(START, ms) });
  });

  it('of type indefinitely begins when it is written and has no end', () => {
    expect(lastingOf({ type: 'indefinitely' }, START)).toEqual({
      type: 'indefinitely',
      startsAt: START,
      endsAt: undefined,
    });
  });

  it('that is planned is replaced as a whole, and begins at once unless its type is schedule', () => {
    const type = 'schedule';
    const later = { type, startDate: END, endDate: after(END, 1) } as const;
    expect(replaced(scheduled, body(later), BEFORE)).toEqual({
      ...scheduled,
      ...{ description: 'Other', rules: [disabledIntegration('other')], startsAt: END, endsAt: after(END, 1) },
    });
    for (const each of MAINTENANCE_TYPES.filter((one) => one !== 'schedule'))
      expect(replaced(scheduled, body({ type: each }), BEFORE)).toMatchObject({ type: each, startsAt: BEFORE });
  });

  it.each([
    [START, 'active. Its end date can be changed.'],
    [END, 'past.'],
  ])('is not replaced at %j', (now, why) => {
    const refused = `Only a planned maintenance can be updated, and this one is ${why}`;
    expect(replaced(scheduled, body({ type: 'for-1-hour' }), now)).toEqual({ refused });
  });

  it.each(MAINTENANCE_TYPES)('of type %s becomes a schedule with the new end', (type) => {
    const active = aMaintenance({ type, startsAt: START, endsAt: type === 'indefinitely' ? undefined : END });
    const endsAt = after(DURING, 1);
    expect(endingAt(active, endsAt, DURING)).toEqual({ ...active, type: 'schedule', endsAt });
  });

  it('refuses an end in the past', () => {
    const refused = { refused: 'should be in the future', field: 'endDate' };
    expect(endingAt(scheduled, DURING, DURING)).toEqual(refused);
    expect(endingAt(scheduled, BEFORE, DURING)).toEqual(refused);
  });

  it.each([
    [BEFORE, 'planned'],
    [END, 'past'],
  ])('refuses another end at %j', (now, status) => {
    const refused = `Only the end date of an active maintenance can be changed, and this one is ${status}.`;
    expect(endingAt(scheduled, after(END, 1_000), now)).toEqual({ refused });
  });

  it('can be cancelled while it is planned or active, but only once', () => {
    for (const now of [BEFORE, START]) expect(cancelled(scheduled, now)).toEqual({ ...scheduled, cancelledAt: now });
    const refused = (status: string) => ({
      refused: `Only a planned or active maintenance can be cancelled, and this one is ${status}.`,
    });
    expect(cancelled(scheduled, END)).toEqual(refused('past'));
    expect(cancelled({ ...scheduled, cancelledAt: START }, DURING)).toEqual(refused('cancelled'));
  });
});
