import { isDeepStrictEqual } from 'node:util';
import { DEFAULT_LIMIT, nextVersion, type ParticipantReference } from '@tocsin/contracts';
import { InvalidError } from '@tocsin/errors';
import { bytesOf } from '@tocsin/rules';
import type { Change, Configuration } from '../domain/configuration.ts';
import {
  normalizedRotations,
  type Participant,
  type Rotation,
  type RotationRequest,
  type Schedule,
} from '../domain/schedule.ts';
import { scheduleMessage } from '../domain/states.ts';
import type { Caller } from './caller.ts';
import { requireNameAndRoom } from './name-and-room.ts';
import type { InConfiguration, References } from './references.ts';

/** Most bytes of the message that announces a schedule, so that it stays within what a topic takes. */
const MOST_BYTES = 1_000_000;

function refuseExcess(schedule: Schedule): void {
  if (schedule.rotations.length > DEFAULT_LIMIT)
    throw InvalidError.ofFields({ rotations: `should have at most ${DEFAULT_LIMIT} items` });
  if (bytesOf(scheduleMessage(schedule)) > MOST_BYTES)
    throw InvalidError.ofFields({ rotations: `should have at most ${MOST_BYTES} bytes together` });
}

/**
 * The rotations of a schedule as they are kept. `endDateOf` says under which name the body has the end of the rotation at an index.
 *
 * @throws InvalidError when one ends before it starts.
 */
export function normalized(
  requests: readonly RotationRequest[],
  timezone: string,
  kept: readonly Rotation[],
  endDateOf: (index: number) => string,
): readonly Rotation[] {
  const rotations = normalizedRotations(requests, timezone, kept);
  if (!('kind' in rotations)) return rotations;
  throw InvalidError.ofFields({ [endDateOf(rotations.index)]: 'should be after startDate' });
}

/**
 * Writes a schedule. What is wrong with it alone is refused before what others are in the way of.
 *
 * @throws InvalidError when it has too many rotations, is too large to be announced, or is too much for its team.
 * @throws ConflictError when another has its name.
 */
export function written<T>({ schedules }: Configuration, schedule: Schedule, answer: T): Change<T> {
  refuseExcess(schedule);
  requireNameAndRoom('Schedule', schedules, schedule);
  return { schedules: { put: [schedule] }, answer };
}

/**
 * Writes `next` in the place of `found` under the next version. Where both are the same, nothing is written or announced (E10).
 *
 * @throws as `written`.
 */
export function rewritten<T>(
  present: Configuration,
  { found, next }: { readonly found: Schedule; readonly next: Schedule },
  answer: T,
): Change<T> {
  if (isDeepStrictEqual(next, found)) return { answer };
  return written(present, { ...next, version: nextVersion(found.version) }, answer);
}

/**
 * The participants that callers name, in their order.
 *
 * @throws NotFoundError, ForbiddenError and UnavailableError as `References`.
 */
export async function participantsOf(
  references: References,
  named: readonly ParticipantReference[],
  caller: Caller,
): Promise<InConfiguration<readonly Participant[]>> {
  // One after the other: the first name that is not known ends it, however many follow.
  const resolved: InConfiguration<Participant>[] = [];
  for (const reference of named) resolved.push(await references.participant(reference, caller));
  return (present) => resolved.map((participant) => participant(present));
}
