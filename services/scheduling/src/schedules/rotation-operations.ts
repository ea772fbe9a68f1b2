import type { CreateRotationBody, RotationBody, UpdateRotationBody } from '@tocsin/api';
import { NotFoundError } from '@tocsin/core';
import type { Principal } from '@tocsin/http';
import type { ConfigurationAccess } from '../configuration/configuration.ts';
import { type Identifier, type References, findVisible } from '../configuration/reference-operations.ts';
import { normalizeOrRefuse, participantsOf } from './planned-rotation-operations.ts';
import { replaceSchedule } from './write-operations.ts';
import { type Rotation, type RotationRequest, type Schedule, withoutRotation, withRotations } from './schedule.ts';

export interface RotationsOptions {
  readonly store: ConfigurationAccess;
  readonly references: References;
  readonly newId: () => string;
}

/**
 * Creates, reads, changes, simulates and deletes single rotations of a schedule (part 2, 4.4; S1, S14). A key that may write a schedule may
 * write its rotations (K4); all methods throw NotFoundError and ForbiddenError as `findWritable` says, and NotFoundError where the
 * schedule has no such rotation.
 */
export class Rotations {
  readonly #options: RotationsOptions;

  constructor(options: RotationsOptions) {
    this.#options = options;
  }

  /**
   * Adds a rotation after the present ones.
   *
   * @throws InvalidError when it ends before it starts, or the schedule has too many.
   * @throws NotFoundError when a participant does not exist.
   */
  async create(identifier: Identifier, body: CreateRotationBody, caller: Principal): Promise<Rotation> {
    const { store, references, newId } = this.#options;
    // A caller who may not write is refused before the references of the body are looked up.
    references.findWritable('Schedule', (await store.current()).schedules, identifier, caller);
    const participants = await participantsOf(references, body.participants, caller);
    return store.change((present) => {
      const found = references.findWritable('Schedule', present.schedules, identifier, caller);
      const id = newId();
      const next = withRequests(found, [...found.rotations, requestOf(body, id, participants(present))]);
      return replaceSchedule(present, { found, next }, rotationIn(next, id));
    });
  }

  /** The rotation with its schedule. */
  async get(
    identifier: Identifier,
    id: string,
    caller: Principal,
  ): Promise<{ readonly schedule: Schedule; readonly rotation: Rotation }> {
    const { schedules } = await this.#options.store.current();
    const schedule = findVisible('Schedule', schedules, identifier, caller);
    return { schedule, rotation: rotationIn(schedule, id) };
  }

  /**
   * Changes the fields of the body. The rotation keeps its place among the others, and its end unless the body has one.
   *
   * @throws as `create`.
   */
  async update(identifier: Identifier, id: string, body: UpdateRotationBody, caller: Principal): Promise<Rotation> {
    const { store, references } = this.#options;
    // A caller who may not write is refused before the references of the body are looked up.
    references.findWritable('Schedule', (await store.current()).schedules, identifier, caller);
    const participants = body.participants && (await participantsOf(references, body.participants, caller));
    return store.change((present) => {
      const found = references.findWritable('Schedule', present.schedules, identifier, caller);
      const rotation = rotationIn(found, id);
      const request: RotationRequest = {
        ...changedBy(body, rotation),
        participants: participants?.(present) ?? rotation.participants,
      };
      const requests = found.rotations.map((other) => (other.id === id ? request : other));
      const next = withRequests(found, requests);
      return replaceSchedule(present, { found, next }, rotationIn(next, id));
    });
  }

  /**
   * The schedule as it would be with a rotation, which is not written: one in the place of that with its id, or else one more.
   *
   * @throws as `create`, where the caller may not read the schedule.
   */
  async simulate(identifier: Identifier, body: RotationBody, caller: Principal): Promise<Schedule> {
    const { store, references, newId } = this.#options;
    const present = await store.current();
    const schedule = findVisible('Schedule', present.schedules, identifier, caller);
    const participants = (await participantsOf(references, body.participants, caller))(present);
    const known = schedule.rotations.find(({ id }) => id === body.id);
    const request = requestOf({ ...body, name: body.name ?? known?.name }, known?.id ?? newId(), participants);
    const requests =
      known === undefined
        ? [...schedule.rotations, request]
        : schedule.rotations.map((other) => (other === known ? request : other));
    return withRequests(schedule, requests);
  }

  /** Deletes the rotation, and the overrides that named no other (S14). */
  async delete(identifier: Identifier, id: string, caller: Principal): Promise<void> {
    const { store, references } = this.#options;
    await store.change((present) => {
      const found = references.findWritable('Schedule', present.schedules, identifier, caller);
      const next = withoutRotation(found, rotationIn(found, id).id);
      return replaceSchedule(present, { found, next }, undefined);
    });
  }
}

const requestOf = (
  { endDate, length = 1, name, startDate, timeRestriction, type }: CreateRotationBody,
  id: string,
  participants: Rotation['participants'],
): RotationRequest => ({ id, name, type, length, startAt: startDate, endAt: endDate, participants, timeRestriction });

const changedBy = (body: UpdateRotationBody, rotation: Rotation): Rotation => ({
  ...rotation,
  name: body.name ?? rotation.name,
  type: body.type ?? rotation.type,
  length: body.length ?? rotation.length,
  startAt: body.startDate ?? rotation.startAt,
  endAt: body.endDate ?? rotation.endAt,
  timeRestriction: body.timeRestriction ?? rotation.timeRestriction,
});

const withRequests = (schedule: Schedule, requests: readonly RotationRequest[]): Schedule =>
  withRotations(
    schedule,
    normalizeOrRefuse(requests, schedule.timezone, schedule.rotations, () => 'endDate'),
  );

function rotationIn(schedule: Schedule, id: string): Rotation {
  const rotation = schedule.rotations.find((one) => one.id === id);
  if (rotation !== undefined) return rotation;
  throw new NotFoundError(`Rotation with id [${id}] does not exist in schedule [${schedule.name}].`);
}
