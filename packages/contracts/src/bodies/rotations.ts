import { z } from 'zod';
import { optional } from '../primitives.ts';
import { writtenIdentifierType } from './query-values.ts';
import { changedName, RotationBody } from './schedules.ts';

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
