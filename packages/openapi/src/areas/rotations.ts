import { z } from 'zod';
import { CreateRotationBody, SchedulePartQuery, UpdateRotationBody } from '@tocsin/contracts';
import { Rotation, RotationOfSchedule } from '../answers/schedules.ts';
import { Named } from '../answers/shared.ts';
import { area } from '../description.ts';
import { changedAnswer, createdAnswer, dataAnswer, doneAnswer } from '../successes.ts';
import { EXAMPLES } from './schedule-examples.ts';

/** Part 2, 4.4. */
export const ROTATIONS = area({
  'create-rotation': {
    query: SchedulePartQuery,
    body: { schema: CreateRotationBody, example: EXAMPLES.rotationBody },
    success: createdAnswer(Named, EXAMPLES.nights),
    refusals: [404],
  },
  'list-rotations': {
    query: SchedulePartQuery,
    success: dataAnswer(z.array(Rotation), [EXAMPLES.rotation]),
    refusals: [404],
  },
  'get-rotation': {
    query: SchedulePartQuery,
    success: dataAnswer(RotationOfSchedule, { _parent: EXAMPLES.parent, ...EXAMPLES.rotation }),
    refusals: [404],
  },
  'update-rotation': {
    description: 'What the body leaves out stays as it is.',
    query: SchedulePartQuery,
    body: { schema: UpdateRotationBody, example: { length: 2 } },
    success: changedAnswer('Updated', Named, EXAMPLES.nights),
    refusals: [404],
  },
  'delete-rotation': {
    description: 'An override that names this rotation alone is deleted with it.',
    query: SchedulePartQuery,
    success: doneAnswer('Deleted'),
    refusals: [404],
  },
});
