import { z } from 'zod';
import { CreateOverrideBody, SchedulePartQuery, UpdateOverrideBody } from '@tocsin/contracts';
import { Override, OverrideOfSchedule } from '../answers/schedules.ts';
import { area } from '../description.ts';
import { changedAnswer, createdAnswer, dataAnswer, doneAnswer } from '../successes.ts';
import { EXAMPLES } from './schedule-examples.ts';

const Written = z.object({ alias: z.string() });
const written = { alias: 'ada-is-away' };
const body = { user: { type: 'user', username: EXAMPLES.grace.username }, ...EXAMPLES.week };
const override = { ...written, user: { type: 'user', ...EXAMPLES.grace }, ...EXAMPLES.week };

/** Part 2, 4.5. */
export const OVERRIDES = area({
  'create-override': {
    description: 'Of overrides that overlap the one created last counts. `rotations` left out means all of them.',
    query: SchedulePartQuery,
    body: { schema: CreateOverrideBody, example: { ...written, ...body } },
    success: createdAnswer(Written, written),
    refusals: [404, 409],
  },
  'list-overrides': {
    query: SchedulePartQuery,
    success: dataAnswer(z.array(Override), [override]),
    refusals: [404],
  },
  'get-override': {
    query: SchedulePartQuery,
    success: dataAnswer(OverrideOfSchedule, { _parent: EXAMPLES.parent, ...override }),
    refusals: [404],
  },
  'update-override': {
    description: 'All of it is replaced but its alias and its place among those that overlap it.',
    query: SchedulePartQuery,
    body: { schema: UpdateOverrideBody, example: body },
    success: changedAnswer('Updated', Written, written),
    refusals: [404],
  },
  'delete-override': {
    query: SchedulePartQuery,
    success: doneAnswer('Deleted'),
    refusals: [404],
  },
});
