import type { CreateRotationBody, UpdateRotationBody } from '@tocsin/contracts';
import { InvalidError, NotFoundError } from '@tocsin/errors';
import {
  arranged,
  withoutRotation,
  withRotations,
  type Rotation,
  type RotationRequest,
  type Schedule,
} from '../domain/schedule.ts';
import type { ConfigurationStore } from '../ports/configuration-store.ts';
import { visible, writable, type Caller, type Identifier } from './caller.ts';
import type { References } from './references.ts';
import { participantsOf, rewritten } from './schedule-changes.ts';

export interface RotationsPorts {
  readonly store: ConfigurationStore;
  readonly references: References;
  readonly newId: () => string;
}

/** A rotation and the schedule that it is part of. */
interface Placed {
  readonly schedule: Schedule;
  readonly rotation: Rotation;
}

/**
 * Creates, reads, changes and deletes single rotations of a schedule (part 2, 4.4; S1, S14). Whoever may write a schedule may
 * write its rotations (K4); all methods throw NotFoundError and ForbiddenError as `writable` says, and NotFoundError where the
 * schedule has no such rotation.
 */
export class Rotations {
  readonly #ports: RotationsPorts;

  constructor(ports: RotationsPorts) {
    this.#ports = ports;
  }

  /**
   * Adds a rotation after those that there are.
   *
   * @throws InvalidError when it ends before it starts, or the schedule has too many.
   * @throws NotFoundError when a participant does not exist.
   */
  async create(identifier: Identifier, body: CreateRotationBody, caller: Caller): Promise<Rotation> {
    const { store, references, newId } = this.#ports;
    // Whether the caller may write comes before what the body names.
    writable('Schedule', (await store.current()).schedules, identifier, caller);
    const participants = await participantsOf(references, body.participants, caller);
    return store.change((present) => {
      const found = writable('Schedule', present.schedules, identifier, caller);
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
      const next = withRotations(found, onTheGrid(found, [...found.rotations, request]));
      return rewritten(found, next, placed(next, id).rotation);
    });
  }

  /** The rotation with its schedule. */
  async get(identifier: Identifier, id: string, caller: Caller): Promise<Placed> {
    const { schedules } = await this.#ports.store.current();
    return placed(visible('Schedule', schedules, identifier, caller), id);
  }

  /**
   * Changes what the body names; the place of the rotation among the others stays, and so does its end where none is named.
   *
   * @throws as `create`.
   */
  async update(identifier: Identifier, id: string, body: UpdateRotationBody, caller: Caller): Promise<Rotation> {
    const { store, references } = this.#ports;
    // Whether the caller may write comes before what the body names.
    writable('Schedule', (await store.current()).schedules, identifier, caller);
    const participants = body.participants && (await participantsOf(references, body.participants, caller));
    return store.change((present) => {
      const { schedule: found, rotation } = placed(writable('Schedule', present.schedules, identifier, caller), id);
      const request: RotationRequest = {
        ...changedBy(body, rotation),
        participants: participants?.(present) ?? rotation.participants,
      };
      const requests = found.rotations.map((other) => (other.id === id ? request : other));
      const next = withRotations(found, onTheGrid(found, requests));
      return rewritten(found, next, placed(next, id).rotation);
    });
  }

  /** Deletes the rotation, and the overrides that named no other (S14). */
  async delete(identifier: Identifier, id: string, caller: Caller): Promise<void> {
    await this.#ports.store.change((present) => {
      const { schedule: found } = placed(writable('Schedule', present.schedules, identifier, caller), id);
      return rewritten(found, withoutRotation(found, id), undefined);
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

function placed(schedule: Schedule, id: string): Placed {
  const rotation = schedule.rotations.find((one) => one.id === id);
  if (rotation !== undefined) return { schedule, rotation };
  throw new NotFoundError(`Rotation with id [${id}] does not exist in schedule [${schedule.name}].`);
}

function onTheGrid({ timezone, rotations: kept }: Schedule, requests: readonly RotationRequest[]): readonly Rotation[] {
  const rotations = arranged(requests, timezone, kept);
  if ('kind' in rotations) throw InvalidError.ofFields({ endDate: 'should be after startDate' });
  return rotations;
}
