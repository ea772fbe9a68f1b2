import { v5 as uuidOf } from 'uuid';
import type { ParticipantReference, RotationBody } from '@tocsin/api';
import { InvalidError } from '@tocsin/core';
import type { Principal } from '@tocsin/http';
import type { InConfiguration, References } from '../configuration/reference-operations.ts';
import { normalizeRotations, type Participant, type Rotation, type RotationRequest } from './schedule.ts';

/** A rotation as the body of a request has it, with its participants found. */
export interface PlannedRotation extends Omit<RotationRequest, 'id'> {
  /** As it was written; not every request may choose it. */
  readonly id: string | undefined;
}

/**
 * The rotations that a body has, in its order.
 *
 * @throws as {@link participantsOf}.
 */
export async function plannedRotations(
  references: References,
  bodies: readonly RotationBody[],
  caller: Principal,
): Promise<InConfiguration<readonly PlannedRotation[]>> {
  const planned: InConfiguration<PlannedRotation>[] = [];
  for (const { id, name, type, length = 1, startDate, endDate, participants, timeRestriction } of bodies) {
    const found = await participantsOf(references, participants, caller);
    const rotation = { id, name, type, length, startAt: startDate, endAt: endDate, timeRestriction };
    planned.push((present) => ({ ...rotation, participants: found(present) }));
  }
  return (present) => planned.map((rotation) => rotation(present));
}

/**
 * The requests for rotations of which each keeps the id that the body has, if one of the present ones has it, and its name where the
 * body has none. Each id is used once.
 */
export function requestsAmong(
  kept: readonly Rotation[],
  planned: readonly PlannedRotation[],
  newId: () => string,
): readonly RotationRequest[] {
  const free = new Map(kept.map((rotation) => [rotation.id, rotation]));
  return planned.map((rotation) => {
    const known = free.get(rotation.id ?? '');
    free.delete(rotation.id ?? '');
    return { ...rotation, id: known?.id ?? newId(), name: rotation.name ?? known?.name };
  });
}

/** Namespace of the ids of imported rotations that have none; changing it would give them other ids in the next import. */
const IMPORTED_ROTATIONS = '5a0c1c0e-0a3b-4a9e-8c7d-3f6b2f0f9d21';

/** The requests for the rotations of an imported schedule. One without an id has the same id in each import. */
export const importedRequests = (scheduleId: string, planned: readonly PlannedRotation[]): readonly RotationRequest[] =>
  planned.map((rotation, index) => ({
    ...rotation,
    id: rotation.id ?? uuidOf(`${scheduleId}/${index}`, IMPORTED_ROTATIONS),
  }));

/**
 * As `normalizeRotations`, which it refuses where that is not possible. `endDateOf`: the field of the body that has the end of the
 * rotation at an index.
 *
 * @throws InvalidError when one ends before it starts.
 */
export function normalizeOrRefuse(
  requests: readonly RotationRequest[],
  timezone: string,
  kept: readonly Pick<Rotation, 'id' | 'startAt' | 'endAt'>[],
  endDateOf: (index: number) => string = (index) => `rotations[${index}].endDate`,
): readonly Rotation[] {
  const rotations = normalizeRotations(requests, timezone, kept);
  if (!('kind' in rotations)) return rotations;
  throw InvalidError.ofFields({ [endDateOf(rotations.index)]: 'should be after startDate' });
}

/**
 * The participants that callers name, in their order.
 *
 * @throws NotFoundError, ForbiddenError and UnavailableError as `References`.
 */
export async function participantsOf(
  references: References,
  named: readonly ParticipantReference[],
  caller: Principal,
): Promise<InConfiguration<readonly Participant[]>> {
  // One after the other, so that the first unknown name ends the look-ups.
  const resolved: InConfiguration<Participant>[] = [];
  for (const reference of named) resolved.push(await references.participant(reference, caller));
  return (present) => resolved.map((participant) => participant(present));
}
