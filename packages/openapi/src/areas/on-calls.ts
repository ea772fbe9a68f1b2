import { z } from 'zod';
import { GetOnCallsQuery, ListOnCallsQuery, TimelineQuery } from '@tocsin/contracts';
import { NextOnCall, OnCall, Timeline } from '../answers/on-calls.ts';
import { area } from '../description.ts';
import { dataAnswer } from '../successes.ts';
import { EXAMPLES } from './schedule-examples.ts';

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

/** Part 2, 4.6, and the timeline of 4.3. */
export const ON_CALLS = area({
  'list-on-calls': {
    query: ListOnCallsQuery,
    success: dataAnswer(z.array(OnCall), [onCall]),
  },
  'get-on-calls': {
    description: 'Teams and escalations are opened down to their users, and forwarding is applied to each of them.',
    query: GetOnCallsQuery,
    success: dataAnswer(OnCall, onCall),
    refusals: [404],
  },
  'get-next-on-calls': {
    description:
      'Those without `exact` have the next turn of their rotation. Those with it come after the next change of the final timeline, looked for within 14 days.',
    query: GetOnCallsQuery,
    success: dataAnswer(NextOnCall, next),
    refusals: [404],
  },
  'get-schedule-timeline': {
    description:
      'The range starts at midnight of `date` in the zone of the schedule, and covers `interval` days, weeks or months, about a year at most.',
    query: TimelineQuery,
    success: {
      status: 200,
      schema: z.object({
        expandable: z.array(z.enum(['base', 'forwarding', 'override'])),
        data: Timeline,
      }),
      example: { expandable: ['base', 'forwarding', 'override'], data: timeline },
    },
    refusals: [404],
  },
  'export-on-calls': {
    description: 'Three months of all schedules: one event for each period of the user.',
    success: { mediaType: 'text/calendar', hasTag: true, description: 'The calendar, as iCalendar.' },
    refusals: [404],
  },
});
