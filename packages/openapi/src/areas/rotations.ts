import { z } from 'zod';
import { CreateRotationBody, SchedulePartQuery, UpdateRotationBody } from '@tocsin/contracts';
import { Rotation, RotationOfSchedule } from '../answers/schedules.ts';
import { Named, resultOf } from '../answers/shared.ts';
import type { Descriptions } from '../description.ts';
import { EXAMPLES } from './schedule-examples.ts';

/** Part 2, 4.4. */
export const ROTATIONS: Descriptions<
  'create-rotation' | 'list-rotations' | 'get-rotation' | 'update-rotation' | 'delete-rotation'
> = {
  'create-rotation': {
    query: SchedulePartQuery,
    body: { schema: CreateRotationBody, example: EXAMPLES.rotationBody },
    success: {
      status: 201,
      schema: resultOf('Created').extend({ data: Named }),
      example: { result: 'Created', data: EXAMPLES.nights },
    },
    refusals: [404],
  },
  'list-rotations': {
    query: SchedulePartQuery,
    success: { status: 200, schema: z.object({ data: z.array(Rotation) }), example: { data: [EXAMPLES.rotation] } },
    refusals: [404],
  },
  'get-rotation': {
    query: SchedulePartQuery,
    success: {
      status: 200,
      schema: z.object({ data: RotationOfSchedule }),
      example: { data: { _parent: EXAMPLES.parent, ...EXAMPLES.rotation } },
    },
    refusals: [404],
  },
  'update-rotation': {
    description: 'What the body leaves out stays as it is.',
    query: SchedulePartQuery,
    body: { schema: UpdateRotationBody, example: { length: 2 } },
    success: {
      status: 200,
      schema: resultOf('Updated').extend({ data: Named }),
      example: { result: 'Updated', data: EXAMPLES.nights },
    },
    refusals: [404],
  },
  'delete-rotation': {
    description: 'An override that names this rotation alone is deleted with it.',
    query: SchedulePartQuery,
    success: { status: 200, schema: resultOf('Deleted'), example: { result: 'Deleted' } },
    refusals: [404],
  },
};
