import { absentWhenEmpty, alsoTaking, blankIsAbsent, flexibleBoolean, oneOf } from '@tocsin/events';
import { z } from 'zod';
import { Id, Instant } from '../answers/shared.ts';
import { calendarDate } from '../bodies/dates.ts';
import { wholeNumber, writtenIdentifierType } from '../bodies/query-values.ts';
import { MEDIUM_BODY, resource, type Rules } from '../operation.ts';
import { dataAnswer } from '../successes.ts';
import { NOTIFY_TYPES } from './escalations.ts';
import { SimulateOverrideBody } from './overrides.ts';
import { EXAMPLES } from './schedule-examples.ts';
import { RotationBody, ScheduleParent } from './schedules.ts';

const asked = {
  flat: blankIsAbsent(flexibleBoolean).meta({ description: 'With it the answer has names of users alone.' }),
  date: blankIsAbsent(calendarDate).meta({ description: 'The instant that is asked about; now by default.' }),
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
const MAX_INTERVALS = { days: 366, weeks: 53, months: 12 } as const;

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
      maximum: MAX_INTERVALS.days,
    }),
    intervalUnit: z
      .preprocess(absentWhenEmpty, oneOf(['days', 'weeks', 'months']).default('weeks'))
      .meta(alsoTaking({ const: '' })),
    date: asked.date,
  })
  .transform(({ identifierType: type = 'id', expand, interval, intervalUnit: unit, date }, context) => {
    const most = MAX_INTERVALS[unit];
    if (interval > most) {
      context.addIssue({ code: 'custom', path: ['interval'], message: `should be at most ${most} ${unit}` });
    }
    return { identifierType: type, expand, interval, unit, date };
  });
export type TimelineQuery = z.infer<typeof TimelineQuery>;

const ForwardedFrom = z
  .object({ type: z.literal('user'), id: Id, name: z.string() })
  .meta({ description: 'The user who was on call at first.' });

/** One entry of an on-call answer, opened as far as it goes (part 2, 2.8; S7). */
const OnCallParticipant = z
  .object({
    type: z.enum(['user', 'team', 'escalation', 'schedule']),
    id: Id,
    name: z.string().meta({ description: 'The user name, for a user.' }),
    forwardedFrom: ForwardedFrom.optional(),
    escalationTime: z
      .int()
      .min(0)
      .optional()
      .meta({ description: 'Minutes after the start of the escalation that this is a part of.' }),
    notifyType: z.enum([...new Set(Object.values(NOTIFY_TYPES).flat())]).optional(),
    get onCallParticipants() {
      return z.array(OnCallParticipant).optional();
    },
  })
  .meta({ id: 'OnCallParticipant' });

const participants = z.array(OnCallParticipant);
const usernames = z.array(z.string());

/** The participants who are on call in one schedule: a tree, or with `flat` the names of its users. */
const OnCall = z
  .union([
    z.object({ _parent: ScheduleParent, onCallParticipants: participants }),
    z.object({ _parent: ScheduleParent, onCallRecipients: usernames }),
  ])
  .meta({ id: 'OnCall' });

/** The participants who are next on call: by the turns of each rotation, and exactly (S6). */
const NextOnCall = z
  .union([
    z.object({
      _parent: ScheduleParent,
      nextOnCallRecipients: participants,
      exactNextOnCallRecipients: participants,
    }),
    z.object({
      _parent: ScheduleParent,
      nextOnCallParticipants: usernames,
      exactNextOnCallParticipants: usernames,
    }),
  ])
  .meta({ id: 'NextOnCall' });

/** The user on call; without a name where the thing is gone. */
const PeriodRecipient = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['user', 'team', 'escalation']), id: Id, name: z.string().optional() }),
  z.object({ type: z.literal('none') }),
]);

const Period = z
  .object({
    startDate: Instant,
    endDate: Instant,
    type: z.enum(['default', 'override', 'forwarding']),
    recipient: PeriodRecipient,
    fromUser: Id.optional().meta({ description: 'Id of the user whose shift was forwarded.' }),
    flattenedRecipients: z
      .array(z.object({ id: Id, name: z.string(), type: z.literal('user'), forwardedFrom: ForwardedFrom.optional() }))
      .optional()
      .meta({ description: 'Whom a period that is over came to.' }),
  })
  .meta({ id: 'Period' });

const Layer = z
  .object({
    rotations: z.array(z.object({ id: Id, name: z.string(), order: z.int().min(1), periods: z.array(Period) })),
  })
  .meta({ id: 'TimelineLayer' });

/** Part 2, 2.7: the final layer, and those of the others that are asked for. */
const Timeline = z
  .object({
    _parent: ScheduleParent,
    startDate: Instant,
    endDate: Instant,
    finalTimeline: Layer,
    baseTimeline: Layer.optional(),
    overrideTimeline: Layer.optional(),
    forwardingTimeline: Layer.optional(),
  })
  .meta({ id: 'Timeline' });

const read = { right: 'read-configuration', domain: 'configuration', owner: 'scheduling' } as const;
/** The participants who are on call. This is requested more often than any configuration (wire facts 1.4). */
const readOnCalls = { ...read, domain: 'schedule-oncalls' } as const;
/** By which a calendar program asks only for what has changed. */
const CONDITIONS = ['if-none-match'] as const;
const SCHEDULE = '/v2/schedules/{identifier}';

const { parent, ada, grace } = EXAMPLES;
const participant = ({ id, username }: typeof ada | typeof grace) => ({ type: 'user', id, name: username });

const onCall = { _parent: parent, onCallParticipants: [participant(ada)] };
const next = {
  _parent: parent,
  nextOnCallRecipients: [participant(grace)],
  exactNextOnCallRecipients: [participant(grace)],
};
const timeline = {
  _parent: parent,
  startDate: '2026-01-05T23:00:00Z',
  endDate: '2026-01-06T23:00:00Z',
  finalTimeline: {
    rotations: [
      {
        ...EXAMPLES.nights,
        order: 1,
        periods: [
          {
            startDate: '2026-01-06T19:00:00Z',
            endDate: '2026-01-06T23:00:00Z',
            type: 'default',
            recipient: participant(ada),
          },
        ],
      },
    ],
  },
};

const timelineAnswer = {
  status: 200,
  schema: z.object({
    expandable: z.array(z.enum(TIMELINE_LAYERS)),
    data: Timeline,
  }),
  example: { expandable: ['base', 'forwarding', 'override'], data: timeline },
} as const;

const RULES: Rules = {
  S5: [
    'A timeline has the users on call at each instant, and covers at most 366 days, 53 weeks or 12 months.',
    'It has at most about 10 000 periods in all layers of the answer, forwarding included, and no more past periods than can be opened in 200 000 steps: else 422 for `interval`.',
    'The simulation of an override is an operation of Tocsin. With the `alias` of an override of the schedule it takes the place of that one, else it counts as the one created last. The right is that of a read.',
    'The simulation of a rotation is an operation of Tocsin too. A rotation that it adds has a new `id` in each answer. The right is that of a read.',
    '`order` of a rotation counts from 1. Time without a user has no period, except in the layer of overrides.',
  ],
  S6: [
    'Next on call is forwarded as of the start of the turn. Exactly next are the users on call at the first instant at which a user comes on call who is not on call now; less than 14 days are searched where they have more than about 50 000 periods.',
  ],
  S7: ['Flat on-calls: user names of the tree, each once, in rotation order.'],
  S8: [
    'An event of a calendar is a whole period, also where that began earlier. Its UID does not change as time passes; `SEQUENCE` grows with the writes of the schedule.',
    'The calendar of a user has forwarded duties, not those of teams and escalations. Both calendars end earlier beyond about 6000 events.',
    'Calendar programs subscribe with `?apiKey=`. An answer has an `ETag`, which changes only with the content of the calendar, and `If-None-Match` with it is answered 304. Times are UTC instants, so a calendar brings no rules of a time zone.',
    'A dot written as `%2E` is always part of a name.',
  ],
};

/** Part 2, 4.6, and the timeline of 4.3. */
export const ON_CALLS = resource('On call', RULES, {
  'list-on-calls': {
    ...readOnCalls,
    method: 'GET',
    path: '/v2/schedules/on-calls',
    summary: 'Lists who is on call in all schedules',
    query: ListOnCallsQuery,
    success: dataAnswer(z.array(OnCall), [onCall]),
  },
  'get-on-calls': {
    ...readOnCalls,
    method: 'GET',
    path: '/v2/schedules/{scheduleIdentifier}/on-calls',
    summary: 'Shows who is on call in a schedule',
    description: 'Teams and escalations are opened down to their users, and forwarding is applied to each of them.',
    query: GetOnCallsQuery,
    success: dataAnswer(OnCall, onCall),
    refusals: [404],
  },
  'get-next-on-calls': {
    ...readOnCalls,
    method: 'GET',
    path: '/v2/schedules/{scheduleIdentifier}/next-on-calls',
    summary: 'Shows who is on call next in a schedule',
    description:
      'Those without `exact` have the next turn of their rotation. Those with it come after the next change of the final timeline, looked for within 14 days.',
    query: GetOnCallsQuery,
    success: dataAnswer(NextOnCall, next),
    refusals: [404],
  },
  'get-schedule-timeline': {
    ...read,
    method: 'GET',
    path: `${SCHEDULE}/timeline`,
    summary: 'Shows who is on call over a range',
    description:
      'The range starts at midnight of `date` in the zone of the schedule, and covers `interval` days, weeks or months, about a year at most.',
    query: TimelineQuery,
    success: timelineAnswer,
    refusals: [404],
  },
  'simulate-override': {
    ...read,
    ...MEDIUM_BODY,
    method: 'POST',
    path: `${SCHEDULE}/timeline/simulate`,
    summary: 'Shows who would be on call over a range with an override',
    description:
      'The answer is that of `GET /v2/schedules/{identifier}/timeline` after the override was written. Nothing is written.',
    query: TimelineQuery,
    body: {
      schema: SimulateOverrideBody,
      example: { user: { type: 'user', username: grace.username }, ...EXAMPLES.week },
    },
    success: timelineAnswer,
    refusals: [404],
  },
  'simulate-rotation': {
    ...read,
    ...MEDIUM_BODY,
    method: 'POST',
    path: `${SCHEDULE}/timeline/simulate-rotation`,
    summary: 'Shows who would be on call over a range with a rotation',
    description:
      'The answer is that of `GET /v2/schedules/{identifier}/timeline` after the rotation was written. With the `id` of a rotation of the schedule the body takes the place of that one as a whole, else it is one more. Nothing is written.',
    query: TimelineQuery,
    body: { schema: RotationBody, example: EXAMPLES.rotationBody },
    success: timelineAnswer,
    refusals: [404],
  },
  'export-on-calls': {
    ...readOnCalls,
    method: 'GET',
    path: '/v2/schedules/on-calls/{identifier}.ics',
    passedHeaders: CONDITIONS,
    summary: 'Gives the on-call shifts of a user as a calendar',
    description: 'Three months of all schedules: one event for each period of the user.',
    success: { mediaType: 'text/calendar', hasTag: true, description: 'The calendar, as iCalendar.' },
    refusals: [404],
  },
});
