import { MAX_SCHEDULE_NAME_LENGTH } from '@tocsin/api';
import { ConflictError, InvalidError, type Put } from '@tocsin/core';
import { codePoints, DEFAULT_LIMIT } from '@tocsin/events';
import { bytesOf } from '@tocsin/rules';
import type { Change, Configuration } from '../configuration/configuration.ts';
import { requireNameAndSize } from '../configuration/name-and-size.ts';
import { putEntity } from '../configuration/write-operations.ts';
import { type Schedule, scheduleMessage } from './schedule.ts';

/** The most bytes of the message of a schedule on `schedules.v1`. */
const MAX_MESSAGE_BYTES = 1_000_000;

/**
 * Writes `next`, in the place of `found` under the next version. Where both are the same, nothing is written or published (E10).
 * Problems of the schedule itself have precedence over conflicts with others.
 *
 * @throws InvalidError when it has too many rotations, is too large for its topic, or is too much for its team.
 * @throws ConflictError when another has its name.
 */
export function putSchedule(
  present: Configuration,
  found: Schedule | undefined,
  next: Schedule,
): Change<Put<Schedule>> {
  return putEntity(found, next, (schedule) => {
    refuseTooLarge(schedule);
    requireNameAndSize('Schedule', present.schedules, schedule);
    return { schedules: { put: [schedule] } };
  });
}

/**
 * As {@link putSchedule}, for a caller with another answer.
 *
 * @throws as `putSchedule`.
 */
export const replaceSchedule = <T>(
  present: Configuration,
  { found, next }: { readonly found: Schedule; readonly next: Schedule },
  answer: T,
): Change<T> => ({ ...putSchedule(present, found, next), answer });

/** Only the default schedule of a team may have a longer name, and keep it (S11). */
export function refuseLongName(name: string, found: Schedule): void {
  if (name === found.name || codePoints(name) <= MAX_SCHEDULE_NAME_LENGTH) return;
  throw InvalidError.ofFields({ name: `should be at most ${MAX_SCHEDULE_NAME_LENGTH} characters` });
}

/** @throws ConflictError when another schedule has a rotation with an id of a rotation of `next`. */
export function refuseRotationsOfOthers({ schedules }: Configuration, next: Schedule): void {
  const ids = new Set(next.rotations.map(({ id }) => id));
  for (const schedule of schedules.all()) {
    const taken = schedule.id === next.id ? undefined : schedule.rotations.find(({ id }) => ids.has(id));
    if (taken !== undefined)
      throw new ConflictError(`Rotation with id [${taken.id}] already exists in schedule [${schedule.name}].`);
  }
}

function refuseTooLarge(schedule: Schedule): void {
  if (schedule.rotations.length > DEFAULT_LIMIT)
    throw InvalidError.ofFields({ rotations: `should have at most ${DEFAULT_LIMIT} items` });
  if (bytesOf(scheduleMessage(schedule)) > MAX_MESSAGE_BYTES)
    throw InvalidError.ofFields({ rotations: `should have at most ${MAX_MESSAGE_BYTES} bytes together` });
}
