import { z } from 'zod';
import { alsoTaking } from '../described.ts';
import { absentWhenEmpty, blankIsAbsent, flexibleBoolean, oneOf } from '../primitives.ts';
import { calendarDate } from './dates.ts';
import { wholeNumber, writtenIdentifierType } from './query-values.ts';

const asked = {
  flat: blankIsAbsent(flexibleBoolean).meta({ description: 'With it the answer has names of users alone.' }),
  date: blankIsAbsent(calendarDate).meta({ description: 'The instant that is asked about; now unless told.' }),
};

/** Part 2, 4.6: the form of an on-call answer and the instant that is asked about; absent means now. */
export const ListOnCallsQuery = z.object(asked).transform(({ flat, date }) => ({ flat: flat ?? false, at: date }));
export type ListOnCallsQuery = z.infer<typeof ListOnCallsQuery>;

/** Part 2, 4.6; the schedule's kind of identifier is read under both names that clients send. */
export const GetOnCallsQuery = z
  .object({ ...asked, scheduleIdentifierType: writtenIdentifierType, identifierType: writtenIdentifierType })
  .transform((query) => ({
    flat: query.flat ?? false,
    at: query.date,
    identifierType: query.scheduleIdentifierType ?? query.identifierType ?? ('id' as const),
  }));
export type GetOnCallsQuery = z.infer<typeof GetOnCallsQuery>;

/** How many of each unit a timeline covers at most: about a year (S5). */
const MOST_INTERVALS = { days: 366, weeks: 53, months: 12 } as const;

/** The layers of a timeline that are shown when they are asked for (part 2, 2.7). */
const TIMELINE_LAYERS = ['base', 'forwarding', 'override'] as const;

const layers = z
  .preprocess(
    (value) => (typeof value === 'string' ? value.split(',').filter((word) => word.trim() !== '') : value),
    z.array(oneOf(TIMELINE_LAYERS), 'should be a list of layers').default([]),
  )
  .meta({ description: 'The layers to show beside the final one.', param: { explode: false } });

/** Part 2, 4.3: which part of a timeline is drawn; an absent date means now. */
export const TimelineQuery = z
  .object({
    identifierType: writtenIdentifierType,
    expand: layers,
    interval: wholeNumber(1, Number.MAX_SAFE_INTEGER, 1).meta({
      description: 'How many of the unit: at most 366 days, 53 weeks or 12 months.',
      maximum: MOST_INTERVALS.days,
    }),
    intervalUnit: z
      .preprocess(absentWhenEmpty, oneOf(['days', 'weeks', 'months']).default('weeks'))
      .meta(alsoTaking({ const: '' })),
    date: asked.date,
  })
  .transform(({ identifierType: type = 'id', expand, interval, intervalUnit: unit, date }, context) => {
    const most = MOST_INTERVALS[unit];
    if (interval > most) {
      context.addIssue({ code: 'custom', path: ['interval'], message: `should be at most ${most} ${unit}` });
    }
    return { identifierType: type, expand, interval, unit, date };
  });
export type TimelineQuery = z.infer<typeof TimelineQuery>;
