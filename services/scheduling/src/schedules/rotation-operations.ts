import type { CreateRotationBody, UpdateRotationBody } from '@tocsin/api';
import { NotFoundError } from '@tocsin/core';
import type { Principal } from '@tocsin/http';
import type { ConfigurationAccess } from '../configuration/configuration.ts';
import { type Identifier, type References, visible } from '../configuration/reference-operations.ts';
import { normalized, participantsOf, rewritten } from './operations.ts';
import { type Rotation, type RotationRequest, type Schedule, withoutRotation, withRotations } from './schedule.ts';

export interface RotationsOptions {
  readonly store: ConfigurationAccess;
  readonly references: References;
  readonly newId: () => string;
}

/**
 * Creates, reads, changes and deletes single rotations of a schedule (part 2, 4.4; S1, S14). A key that may write a schedule may
 * write its rotations (K4); all methods throw NotFoundError and ForbiddenError as `writable` says, and NotFoundError where the
 * schedule has no such rotation.
 */
export class Rotations {
  readonly #options: RotationsOptions;

  constructor(options: RotationsOptions) {
    this.#options = options;
  }

  /**
   * Adds a rotation after those that there are.
   *
   * @throws InvalidError when it ends before it starts, or the schedule has too many.
   * @throws NotFoundError when a participant does not exist.
   */
  async create(identifier: Identifier, body: CreateRotationBody, caller: Principal): Promise<Rotation> {
    const { store, references, newId } = this.#options;
    // A caller who may not write is refused before the references of the body are looked up.
    references.writable('Schedule', (await store.current()).schedules, identifier, caller);
    const participants = await participantsOf(references, body.participants, caller);
    return store.change((present) => {
      const found = references.writable('Schedule', present.schedules, identifier, caller);
      const id = newId();
      const request: RotationRequest = {
        id,
        name: body.name,
        type: body.type,
        length: body.length ?? 1,
        startAt: body.startDate,
        endAt: body.endDate,
        participants: participants(present),
        timeRestriction: body.timeRestriction,
      };
      const next = replaced(found, [...found.rotations, request]);
      return rewritten(present, { found, next }, rotationIn(next, id));
    });
  }

  /** The rotation with its schedule. */
  async get(
    identifier: Identifier,
    id: string,
    caller: Principal,
  ): Promise<{ readonly schedule: Schedule; readonly rotation: Rotation }> {
    const { schedules } = await this.#options.store.current();
    const schedule = visible('Schedule', schedules, identifier, caller);
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
    references.writable('Schedule', (await store.current()).schedules, identifier, caller);
    const participants = body.participants && (await participantsOf(references, body.participants, caller));
    return store.change((present) => {
      const found = references.writable('Schedule', present.schedules, identifier, caller);
      const rotation = rotationIn(found, id);
      const request: RotationRequest = {
        ...changedBy(body, rotation),
        participants: participants?.(present) ?? rotation.participants,
      };
      const requests = found.rotations.map((other) => (other.id === id ? request : other));
      const next = replaced(found, requests);
      return rewritten(present, { found, next }, rotationIn(next, id));
    });
  }

  /** Deletes the rotation, and the overrides that named no other (S14). */
  async delete(identifier: Identifier, id: string, caller: Principal): Promise<void> {
    const { store, references } = this.#options;
    await store.change((present) => {
      const found = references.writable('Schedule', present.schedules, identifier, caller);
      const next = withoutRotation(found, rotationIn(found, id).id);
      return rewritten(present, { found, next }, undefined);
    });
  }
}

const changedBy = (body: UpdateRotationBody, rotation: Rotation): Rotation => ({
  ...rotation,
  name: body.name ?? rotation.name,
  type: body.type ?? rotation.type,
  length: body.length ?? rotation.length,
  startAt: body.startDate ?? rotation.startAt,
  endAt: body.endDate ?? rotation.endAt,
  timeRestriction: body.timeRestriction ?? rotation.timeRestriction,
});

const replaced = (schedule: Schedule, requests: readonly RotationRequest[]): Schedule =>
  withRotations(
    schedule,
    normalized(requests, schedule.timezone, schedule.rotations, () => 'endDate'),
  );

function rotationIn(schedule: Schedule, id: string): Rotation {
  const rotation = schedule.rotations.find((one) => one.id === id);
  if (rotation !== undefined) return rotation;
  throw new NotFoundError(`Rotation with id [${id}] does not exist in schedule [${schedule.name}].`);
}
