import { z } from 'zod';
import { blankIsAbsent, requiredText } from '../primitives.ts';
import { writtenIdentifierType } from './query-values.ts';
import { RotationBody } from './schedules.ts';

/** Part 2, 4.4: the body that creates a rotation; an `id` in it is ignored (E5). */
export const CreateRotationBody = RotationBody.omit({ id: true });
export type CreateRotationBody = z.infer<typeof CreateRotationBody>;

/** `null` means absent in every field (E5). */
function withoutNulls(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

/** Part 2, 4.4: what a PATCH of a rotation may change; an empty name or time restriction changes nothing (E12). */
export const UpdateRotationBody = z.preprocess(
  withoutNulls,
  CreateRotationBody.partial().extend({
    name: blankIsAbsent(requiredText('Rotation name')),
  }),
);
export type UpdateRotationBody = z.infer<typeof UpdateRotationBody>;

/** How the path of something inside a schedule names the schedule (part 2, 4.4 and 4.5), under both names that clients send. */
export const SchedulePartQuery = z
  .object({ scheduleIdentifierType: writtenIdentifierType, identifierType: writtenIdentifierType })
  .transform((query) => query.scheduleIdentifierType ?? query.identifierType ?? 'id');
export type SchedulePartQuery = z.infer<typeof SchedulePartQuery>;
