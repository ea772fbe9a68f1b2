import type { Answer } from '../api/answer.ts';

/** When something holds, on the wall clock of its zone. */
export type TimeRestriction = NonNullable<Answer<'get-routing-rule'>['data']['timeRestriction']>;

const two = (value: number): string => String(value).padStart(2, '0');
const clock = (hour: number, minute: number): string => `${two(hour)}:${two(minute)}`;
const day = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;

interface TimeOfDay {
  readonly startHour: number;
  readonly startMin: number;
  readonly endHour: number;
  readonly endMin: number;
}

/** The restriction to all of the day, which says that there is none. */
export const ALL_DAY: TimeRestriction = {
  type: 'time-of-day',
  restriction: { startHour: 0, startMin: 0, endHour: 0, endMin: 0 },
};

/** Whether there is no restriction. */
export const isAlways = (restriction: TimeRestriction | undefined): boolean =>
  restriction === undefined || JSON.stringify(hoursOf(restriction)) === JSON.stringify(hoursOf(ALL_DAY));

/** A restriction in words; `always` where there is none. */
export function restrictionText(restriction: TimeRestriction | undefined): string {
  if (restriction === undefined || isAlways(restriction)) return 'always';
  if (restriction.type === 'time-of-day') {
    const { endHour, endMin, startHour, startMin } = restriction.restriction;
    return `from ${clock(startHour, startMin)} to ${clock(endHour, endMin)} each day`;
  }
  return restriction.restrictions
    .map(
      (each) =>
        `from ${day(each.startDay)} ${clock(each.startHour, each.startMin)} to ${day(each.endDay)} ${clock(each.endHour, each.endMin)}`,
    )
    .join(', and ');
}

/** The hours of each day that a form has, such as `22:00`; undefined where it is no such restriction. */
export function hoursOf(
  restriction: TimeRestriction | undefined,
): { readonly from: string; readonly to: string } | undefined {
  if (restriction?.type !== 'time-of-day') return undefined;
  const { endHour, endMin, startHour, startMin } = restriction.restriction;
  return { from: clock(startHour, startMin), to: clock(endHour, endMin) };
}

/** The restriction to the hours of each day; a time that is not complete is midnight. */
export function dailyRestriction(from: string, to: string): TimeRestriction {
  return { type: 'time-of-day', restriction: timesOf(from, to) };
}

function timesOf(from: string, to: string): TimeOfDay {
  const [startHour = 0, startMin = 0] = from.split(':').map(Number);
  const [endHour = 0, endMin = 0] = to.split(':').map(Number);
  return { startHour, startMin, endHour, endMin };
}

type Spans = Extract<TimeRestriction, { readonly type: 'weekday-and-time-of-day' }>['restrictions'];
type Span = Spans[number];
type Day = Span['startDay'];

/** The days of the week, Monday first. */
export const DAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export const dayOptions = DAYS.map((value) => ({ value, name: day(value) }));

/** How many stretches of a week a restriction has at most. */
export const MAX_STRETCHES = 15;

/** A stretch of each week, as a form has it. */
export interface Stretch {
  readonly startDay: Day;
  readonly from: string;
  readonly endDay: Day;
  readonly to: string;
}

export const NEW_STRETCH: Stretch = { startDay: 'monday', from: '08:00', endDay: 'friday', to: '18:00' };

/** The stretches of a week that a form has; undefined where it is no such restriction. */
export function stretchesOf(restriction: TimeRestriction | undefined): readonly Stretch[] | undefined {
  if (restriction?.type !== 'weekday-and-time-of-day') return undefined;
  return restriction.restrictions.map(({ endDay, endHour, endMin, startDay, startHour, startMin }) => ({
    startDay,
    from: clock(startHour, startMin),
    endDay,
    to: clock(endHour, endMin),
  }));
}

/** The restriction to stretches of each week; a time that is not complete is midnight. */
export const weeklyRestriction = (stretches: readonly Stretch[]): TimeRestriction => ({
  type: 'weekday-and-time-of-day',
  restrictions: stretches.map(({ endDay, from, startDay, to }) => ({ startDay, endDay, ...timesOf(from, to) })),
});
