import { optional } from '@tocsin/events';
import { z } from 'zod';
import { Named } from '../answers/shared.ts';
import { writtenIdentifierType } from '../bodies/query-values.ts';
import { MEDIUM_BODY, NO_RULES, resource, SMALL_BODY } from '../operation.ts';
import { changedAnswer, createdAnswer, dataAnswer, doneAnswer } from '../successes.ts';
import { EXAMPLES } from './schedule-examples.ts';
import { changedName, Rotation, RotationBody, RotationOfSchedule } from './schedules.ts';

/** Part 2, 4.4: the body that creates a rotation; an `id` in it is ignored (E5). */
export const CreateRotationBody = RotationBody.omit({ id: true });
export type CreateRotationBody = z.infer<typeof CreateRotationBody>;

const { startDate, type, participants } = RotationBody.shape;

/** Part 2, 4.4: what a PATCH of a rotation may change; an empty name or time restriction changes nothing (E12). */
export const UpdateRotationBody = CreateRotationBody.extend({
  name: changedName('Rotation name'),
  startDate: optional(startDate),
  type: optional(type),
  participants: optional(participants),
});
export type UpdateRotationBody = z.infer<typeof UpdateRotationBody>;

/** How the path of something inside a schedule names the schedule (part 2, 4.4 and 4.5), under both names that clients send. */
export const SchedulePartQuery = z
  .object({ scheduleIdentifierType: writtenIdentifierType, identifierType: writtenIdentifierType })
  .transform((query) => query.scheduleIdentifierType ?? query.identifierType ?? 'id');
export type SchedulePartQuery = z.infer<typeof SchedulePartQuery>;

const read = { right: 'read-configuration', domain: 'configuration', owner: 'scheduling' } as const;
const write = {
  right: 'write-configuration',
  people: 'team-admin',
  domain: 'configuration',
  owner: 'scheduling',
} as const;
const ROTATIONS_PATH = '/v2/schedules/{scheduleIdentifier}/rotations';

/** Part 2, 4.4. */
export const ROTATIONS = resource('Rotations', NO_RULES, {
  'create-rotation': {
    ...write,
    ...MEDIUM_BODY,
    method: 'POST',
    path: ROTATIONS_PATH,
    summary: 'Creates a rotation',
    query: SchedulePartQuery,
    body: { schema: CreateRotationBody, example: EXAMPLES.rotationBody },
    success: createdAnswer(Named, EXAMPLES.nights),
    refusals: [404],
  },
  'list-rotations': {
    ...read,
    method: 'GET',
    path: ROTATIONS_PATH,
    summary: 'Lists the rotations of a schedule',
    query: SchedulePartQuery,
    success: dataAnswer(z.array(Rotation), [EXAMPLES.rotation]),
    refusals: [404],
  },
  'get-rotation': {
    ...read,
    method: 'GET',
    path: `${ROTATIONS_PATH}/{id}`,
    summary: 'Reads a rotation',
    query: SchedulePartQuery,
    success: dataAnswer(RotationOfSchedule, { _parent: EXAMPLES.parent, ...EXAMPLES.rotation }),
    refusals: [404],
  },
  'update-rotation': {
    ...write,
    ...MEDIUM_BODY,
    method: 'PATCH',
    path: `${ROTATIONS_PATH}/{id}`,
    summary: 'Changes a rotation',
    description: 'What the body leaves out stays as it is.',
    query: SchedulePartQuery,
    body: { schema: UpdateRotationBody, example: { length: 2 } },
    success: changedAnswer('Updated', Named, EXAMPLES.nights),
    refusals: [404],
  },
  'delete-rotation': {
    ...write,
    ...SMALL_BODY,
    method: 'DELETE',
    path: `${ROTATIONS_PATH}/{id}`,
    summary: 'Deletes a rotation',
    description: 'An override that names this rotation alone is deleted with it.',
    query: SchedulePartQuery,
    success: doneAnswer('Deleted'),
    refusals: [404],
  },
});
