import { type CalendarDate, DAY_MS, midnightOf } from './zone.ts';

/** How much of a schedule is shown. */
export interface Range {
  /** In the address of the page. */
  readonly key: string;
  readonly name: string;
  readonly interval: number;
  readonly unit: 'days' | 'weeks' | 'months';
}

const TWO_WEEKS: Range = { key: '2w', name: '2 weeks', interval: 2, unit: 'weeks' };

export const RANGES: readonly Range[] = [
  { key: '1d', name: '1 day', interval: 1, unit: 'days' },
  { key: '1w', name: '1 week', interval: 1, unit: 'weeks' },
  TWO_WEEKS,
  { key: '1m', name: '1 month', interval: 1, unit: 'months' },
  { key: '3m', name: '3 months', interval: 3, unit: 'months' },
];

/** The range of a key in an address, whatever that says. */
export const rangeOf = (key: string | undefined): Range => RANGES.find((range) => range.key === key) ?? TWO_WEEKS;

/** The date one range later, or earlier: a month leads to the same day of the next one, or to its last day. */
export function moved(date: CalendarDate, { interval, unit }: Range, direction: 1 | -1): CalendarDate {
  const midnight = midnightOf(date) ?? 0;
  const count = interval * direction;
  if (unit !== 'months') return dateText(midnight + count * (unit === 'weeks' ? 7 : 1) * DAY_MS);
  const from = new Date(midnight);
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + count];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return dateText(Date.UTC(year, month, Math.min(from.getUTCDate(), lastDay)));
}

const dateText = (wall: number): CalendarDate => new Date(wall).toISOString().slice(0, 10);
