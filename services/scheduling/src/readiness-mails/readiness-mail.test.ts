import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { WallClock } from '@tocsin/rules';
import { closestMonday, nextMonday, noticeOf } from './readiness-mail.ts';
import type { Finding } from '../readiness/finding.ts';
import { userOf } from '../testing/on-call-samples.ts';

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'];
const instants = fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });

describe('the next Monday at nine', () => {
  it('is on the clocks of the zone, also across a change of these', () => {
    const next = (instant: string) => nextMonday(new Date(instant), 'Europe/Berlin').toISOString();
    expect(next('2026-03-23T07:59:59.999Z')).toBe('2026-03-23T08:00:00.000Z');
    // The clocks go forward on Sunday the 29th.
    expect(next('2026-03-23T08:00:00Z')).toBe('2026-03-30T07:00:00.000Z');
    expect(next('2026-10-19T07:00:00Z')).toBe('2026-10-26T08:00:00.000Z');
  });

  it('comes after the instant, within a week and a change of the clocks, on a Monday at nine', () => {
    fc.assert(
      fc.property(instants, fc.constantFrom(...ZONES), (instant, zone) => {
        const next = nextMonday(instant, zone);
        const wall = new Date(WallClock.of(zone).at(next.getTime()));
        expect([wall.getUTCDay(), wall.toISOString().slice(11)]).toEqual([1, '09:00:00.000Z']);
        const hours = (next.getTime() - instant.getTime()) / 3_600_000;
        expect(hours > 0 && hours <= 7 * 24 + 1).toBe(true);
      }),
    );
  });

  it('stays the Monday of its week where the zone changes', () => {
    fc.assert(
      fc.property(instants, fc.constantFrom(...ZONES), fc.constantFrom(...ZONES), (instant, before, after) => {
        const monday = nextMonday(instant, before);
        const moved = closestMonday(monday, after);
        expect(Math.abs(moved.getTime() - monday.getTime())).toBeLessThanOrEqual(27 * 3_600_000);
        expect(closestMonday(moved, before)).toEqual(monday);
      }),
    );
  });
});

describe('the mail of readiness', () => {
  const finding = (index: number): Finding => ({
    kind: 'schedule-gap',
    severity: index === 0 ? 'error' : 'warning',
    teamIds: [],
    entity: { type: 'schedule', id: String(index), name: '' },
    message: `It is number ${index}.`,
    remedy: 'Mend it.',
    path: '/',
  });

  it('lists the first 25 findings and counts all', () => {
    const times = { dueAt: new Date('2026-01-05T09:00:00Z'), now: new Date('2026-01-05T09:00:01Z') };
    const notice = noticeOf(
      userOf('ada'),
      { findings: Array.from({ length: 30 }, (_, index) => finding(index)), incompleteServices: ['alert-ingest'] },
      times,
    );
    expect(notice).toMatchObject({
      totalCount: 30,
      incompleteServices: ['alert-ingest'],
      errorCount: 1,
      at: '2026-01-05T09:00:01.000Z',
    });
    expect(notice?.findings).toHaveLength(25);
    expect(notice?.findings[0]).toEqual({ severity: 'error', message: 'It is number 0.', remedy: 'Mend it.' });
  });
});
