import {
  alsoTaking,
  measuredFirst,
  oneOf,
  optional,
  type TimeRestriction,
  type Weekday,
  WEEKDAYS,
  wholeNumber,
} from '@tocsin/events';
import { z } from 'zod';

type TimeOfDay = Extract<TimeRestriction, { type: 'time-of-day' }>['restriction'];
type WeekdaySpan = Extract<TimeRestriction, { type: 'weekday-and-time-of-day' }>['restrictions'][number];

/** Nothing, or the shell of it, three levels deep: clients send empty values for what they leave out (E12). */
function saysNothing(value: unknown, levels = 3): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (typeof value !== 'object' || levels === 0) return false;
  return Object.values(value).every((part) => saysNothing(part, levels - 1));
}

const upTo = (max: number): z.ZodType<number> =>
  wholeNumber({ min: 0, max, refusal: `should be a whole number from 0 to ${max}` });
const timeOfDay = { startHour: upTo(23), startMin: upTo(59), endHour: upTo(23), endMin: upTo(59) };
const noDay = z
  .unknown()
  .refine((value) => saysNothing(value), 'is not supported with time-of-day, only with weekday-and-time-of-day')
  .optional();
const weekday = oneOf(WEEKDAYS);

const Daily = z.object({
  type: z.literal('time-of-day'),
  restriction: z
    .object(
      { ...timeOfDay, startDay: noDay, endDay: noDay },
      'should be an object with startHour, startMin, endHour and endMin',
    )
    .transform(({ startHour, startMin, endHour, endMin }) => ({ startHour, startMin, endHour, endMin })),
});

const ONE_TO_FIFTEEN = 'should be a list of 1 to 15 items';
const Weekly = z.object({
  type: z.literal('weekday-and-time-of-day'),
  restrictions: measuredFirst(
    z
      .array(
        z.object(
          { startDay: weekday, endDay: weekday, ...timeOfDay },
          'should be an object with startDay, startHour, startMin, endDay, endHour and endMin',
        ),
        ONE_TO_FIFTEEN,
      )
      .min(1, ONE_TO_FIFTEEN)
      .max(15, ONE_TO_FIFTEEN),
    15,
    ONE_TO_FIFTEEN,
  ),
});

/** The word for the form in its documented case, and an only item of `restrictions` as the `restriction` that it means. */
function inOneForm(value: unknown): unknown {
  if (saysNothing(value)) return undefined;
  if (typeof value !== 'object' || value === null) return value;
  const { type, restriction, restrictions } = value as Readonly<Record<string, unknown>>;
  const form = typeof type === 'string' ? type.trim().toLowerCase() : type;
  if (form !== 'time-of-day') return { type: form, restrictions: saysNothing(restrictions) ? undefined : restrictions };
  const only: unknown = Array.isArray(restrictions) && restrictions.length === 1 ? restrictions[0] : undefined;
  return { type: form, restriction: saysNothing(restriction) ? only : restriction };
}

const Restriction: z.ZodType<TimeRestriction> = z.discriminatedUnion('type', [Daily, Weekly], {
  error: ({ input }) =>
    typeof input === 'object'
      ? 'should be one of [ time-of-day, weekday-and-time-of-day ]'
      : 'should be an object with type',
});

/**
 * A time restriction in either form, minutes as written (part 1, 2.9; S3); undefined where nothing is said (E12).
 *
 * Hours are 0 to 23, minutes 0 to 59, days in any letter case; 1 to 15 spans of weekdays. A time-of-day restriction is read
 * from a list of one `restrictions` too; an empty `restriction` beside `restrictions` means nothing.
 */
export const TimeRestrictionBody: z.ZodType<TimeRestriction | undefined> = z
  .preprocess(inOneForm, optional(Restriction))
  .meta(alsoTaking({ const: '' }, { type: 'object', maxProperties: 0 }));

/**
 * The same with minutes at the nearest of 0 and 30, as rotations have them: 23:45 is 0:00 of the next day (S1, S3). A few minutes
 * that would become none are refused: a start that equals its end means the whole day, or week.
 */
export const SnappedTimeRestrictionBody: z.ZodType<TimeRestriction | undefined> = TimeRestrictionBody.transform(
  (restriction, context) => {
    if (restriction === undefined) return undefined;
    for (const path of vanishing(restriction)) context.addIssue({ code: 'custom', path, message: TOO_SHORT });
    return snapped(restriction);
  },
);
const TOO_SHORT = 'should be longer: its start and its end are the same at the nearest full or half hour';

/** Where the spans lie of which nothing would be left. */
function vanishing(restriction: TimeRestriction): readonly PropertyKey[][] {
  if (restriction.type === 'time-of-day') return vanishes(restriction.restriction, DAY) ? [['restriction']] : [];
  return restriction.restrictions.flatMap((span, index) => {
    const days = WEEKDAYS.indexOf(span.endDay) - WEEKDAYS.indexOf(span.startDay);
    return vanishes({ ...span, endHour: span.endHour + days * 24 }, 7 * DAY) ? [['restrictions', index]] : [];
  });
}

/** The minutes of a day. */
const DAY = 24 * 60;

/** Whether the times, which come again after `period` minutes, lie less than half an hour apart, and nothing once they are snapped. */
function vanishes({ startHour, startMin, endHour, endMin }: TimeOfDay, period: number): boolean {
  const start = startHour * 60 + startMin;
  const length = (endHour * 60 + endMin - start + period) % period;
  return length > 0 && length < 30 && halfHours(start) === halfHours(start + length);
}

function snapped(restriction: TimeRestriction): TimeRestriction {
  return restriction.type === 'time-of-day'
    ? { ...restriction, restriction: snappedTimes(restriction.restriction) }
    : { ...restriction, restrictions: restriction.restrictions.map(snappedSpan) };
}

function snappedTimes(times: TimeOfDay): TimeOfDay {
  const start = nearest(times.startHour, times.startMin);
  const end = nearest(times.endHour, times.endMin);
  return { startHour: start.hour, startMin: start.minute, endHour: end.hour, endMin: end.minute };
}

function snappedSpan(span: WeekdaySpan): WeekdaySpan {
  const { startDay, endDay, ...times } = span;
  const start = nearest(times.startHour, times.startMin);
  const end = nearest(times.endHour, times.endMin);
  return {
    startDay: start.nextDay ? dayAfter(startDay) : startDay,
    endDay: end.nextDay ? dayAfter(endDay) : endDay,
    ...snappedTimes(times),
  };
}

/** 15 and 45 minutes go up (S1). */
const halfHours = (minutes: number): number => Math.floor((minutes + 15) / 30);

function nearest(hour: number, minute: number): { hour: number; minute: number; nextDay: boolean } {
  const minutes = halfHours(hour * 60 + minute) * 30;
  return { hour: Math.floor(minutes / 60) % 24, minute: minutes % 60, nextDay: minutes >= 24 * 60 };
}

function dayAfter(day: Weekday): Weekday {
  return WEEKDAYS[(WEEKDAYS.indexOf(day) + 1) % WEEKDAYS.length] ?? day;
}
