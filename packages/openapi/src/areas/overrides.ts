import { z } from 'zod';
import { CreateOverrideBody, SchedulePartQuery, UpdateOverrideBody } from '@tocsin/contracts';
import { Override, OverrideOfSchedule } from '../answers/schedules.ts';
import { resultOf } from '../answers/shared.ts';
import type { Descriptions } from '../description.ts';
import { EXAMPLES } from './schedule-examples.ts';

const Written = z.object({ alias: z.string() });
const written = { alias: 'ada-is-away' };
const body = { user: { type: 'user', username: EXAMPLES.grace.username }, ...EXAMPLES.week };
const override = { ...written, user: { type: 'user', ...EXAMPLES.grace }, ...EXAMPLES.week };

/** Part 2, 4.5. */
export const OVERRIDES = {
  'create-override': {
    description: 'Of overrides that overlap the one created last counts. `rotations` left out means all of them.',
    query: SchedulePartQuery,
    body: { schema: CreateOverrideBody, example: { ...written, ...body } },
    success: {
      status: 201,
      schema: resultOf('Created').extend({ data: Written }),
      example: { result: 'Created', data: written },
    },
    refusals: [404, 409],
  },
  'list-overrides': {
    query: SchedulePartQuery,
    success: { status: 200, schema: z.object({ data: z.array(Override) }), example: { data: [override] } },
    refusals: [404],
  },
  'get-override': {
    query: SchedulePartQuery,
    success: {
      status: 200,
      schema: z.object({ data: OverrideOfSchedule }),
      example: { data: { _parent: EXAMPLES.parent, ...override } },
    },
    refusals: [404],
  },
  'update-override': {
    description: 'All of it is replaced but its alias and its place among those that overlap it.',
    query: SchedulePartQuery,
    body: { schema: UpdateOverrideBody, example: body },
    success: {
      status: 200,
      schema: resultOf('Updated').extend({ data: Written }),
      example: { result: 'Updated', data: written },
    },
    refusals: [404],
  },
  'delete-override': {
    query: SchedulePartQuery,
    success: { status: 200, schema: resultOf('Deleted'), example: { result: 'Deleted' } },
    refusals: [404],
  },
} satisfies Descriptions<'create-override' | 'list-overrides' | 'get-override' | 'update-override' | 'delete-override'>;
