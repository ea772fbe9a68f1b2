import { isDeepStrictEqual } from 'node:util';
import {
  type CreateScheduleBody,
  MAX_SCHEDULE_NAME_LENGTH,
  type ParticipantReference,
  type RotationBody,
  type UpdateScheduleBody,
} from '@tocsin/api';
import { type Clock, InUseError, InvalidError } from '@tocsin/core';
import { codePoints, DEFAULT_LIMIT, firstVersion, nextVersion } from '@tocsin/events';
import type { Principal } from '@tocsin/http';
import { bytesOf } from '@tocsin/rules';
import type { Change, Configuration, ConfigurationAccess } from '../configuration/configuration.ts';
import { requireNameAndSize } from '../configuration/name-and-size.ts';
import {
  type Identifier,
  type InConfiguration,
  filterNamingUser,
  type References,
  findVisible,
  filterVisible,
} from '../configuration/reference-operations.ts';
import { usesOf } from '../configuration/uses.ts';
import type { RoutingUses } from '../teams/client.ts';
import {
  normalizeRotations,
  type Participant,
  type Rotation,
  type RotationRequest,
  type Schedule,
  scheduleMessage,
  withRotations,
} from './schedule.ts';

export interface SchedulesOptions {
  readonly store: ConfigurationAccess;
  readonly references: References;
  readonly routingUses: RoutingUses;
  readonly clock: Clock;
  readonly newId: () => string;
  /** The zone of a schedule that names none. */
  readonly accountTimezone: string;
}

/** Creates, reads, changes and deletes schedules with their rotations (part 2, 4.3; S1, S12, S15, K4). */
export class Schedules {
  readonly #options: SchedulesOptions;

  constructor(options: SchedulesOptions) {
    this.#options = options;
  }

  /**
   * @throws InvalidError when a rotation ends before it starts, or the schedules of its team would be too large together.
   * @throws NotFoundError when an entity that the body names does not exist.
   * @throws ConflictError when the name is taken.
   */
  async create(body: CreateScheduleBody, caller: Principal): Promise<Schedule> {
    const { store, references, clock, newId, accountTimezone } = this.#options;
    const ownerTeamId = await references.owner('a schedule', body.ownerTeam, caller);
    const rotations = await this.#rotations(body.rotations ?? [], caller);
    return store.change((present) => {
      const createdAt = present.schedules.creationAt(clock.now());
      const timezone = body.timezone ?? accountTimezone;
      const schedule: Schedule = {
        id: newId(),
        name: body.name,
        description: body.description ?? '',
        timezone,
        enabled: body.enabled ?? true,
        ownerTeamId,
        rotations: normalizeOrRefuse(rotations(present, []), timezone, [], fieldOf),
        overrides: [],
        createdAt,
        version: firstVersion(createdAt),
      };
      return putSchedule(present, schedule, schedule);
    });
  }

  /** @throws NotFoundError and ForbiddenError as `findVisible` says. */
  async get(identifier: Identifier, caller: Principal): Promise<Schedule> {
    const { schedules } = await this.#options.store.current();
    return findVisible('Schedule', schedules, identifier, caller);
  }

  /** All that the caller may see, in the order of their creation. */
  async list(caller: Principal): Promise<readonly Schedule[]> {
    const { schedules } = await this.#options.store.current();
    return filterVisible(schedules.all(), caller);
  }

  /**
   * Those of `list` with a rotation in which the user takes part (part 3, 4.1).
   *
   * @throws NotFoundError when no user has that id or user name.
   */
  async ofUser(identifier: string, caller: Principal): Promise<readonly Schedule[]> {
    const { id } = await this.#options.references.userCalled(identifier);
    return filterNamingUser(await this.list(caller), id);
  }

  /**
   * Changes the fields of the body. Rotations are replaced as a whole, and keep their id where the body has it (S15). A body that
   * changes nothing writes and publishes nothing (E10).
   *
   * @throws as `create`, and ForbiddenError when the schedule is another team's.
   */
  async update(identifier: Identifier, body: UpdateScheduleBody, caller: Principal): Promise<Schedule> {
    const { store, references } = this.#options;
    // A caller who may not write is refused before the references of the body are looked up.
    references.findWritable('Schedule', (await store.current()).schedules, identifier, caller);
    const ownerTeamId = await references.newOwner('a schedule', body.ownerTeam, caller);
    const rotations = body.rotations === undefined ? undefined : await this.#rotations(body.rotations, caller);
    return store.change((present) => {
      const found = references.findWritable('Schedule', present.schedules, identifier, caller);
      const schedule: Schedule = {
        ...found,
        name: body.name ?? found.name,
        description: body.description ?? found.description,
        timezone: body.timezone ?? found.timezone,
        enabled: body.enabled ?? found.enabled,
        ownerTeamId: ownerTeamId ?? found.ownerTeamId,
      };
      refuseLongName(schedule.name, found);
      // Without new rotations the old ones keep their instants, and only their wall clock changes.
      if (rotations === undefined) return replaceSchedule(present, { found, next: schedule }, schedule);
      const kept = found.rotations;
      const next = withRotations(
        schedule,
        normalizeOrRefuse(rotations(present, kept), schedule.timezone, kept, fieldOf),
      );
      return replaceSchedule(present, { found, next }, next);
    });
  }

  /**
   * @throws NotFoundError and ForbiddenError as `update`.
   * @throws InUseError when a routing rule or an escalation names it (S12).
   * @throws UnavailableError when directory does not answer which routing rules name it.
   */
  async delete(identifier: Identifier, caller: Principal): Promise<void> {
    const { store, references, routingUses } = this.#options;
    const { id } = references.findWritable('Schedule', (await store.current()).schedules, identifier, caller);
    const routed = await routingUses('schedule', id);
    await store.change((present) => {
      const found = references.findWritable('Schedule', present.schedules, { type: 'id', value: id }, caller);
      const uses = [...routed, ...usesOf({ type: 'schedule', id }, present)];
      if (uses.length > 0) throw new InUseError(`Schedule [${found.name}] is in use. ${uses.join(' ')}`);
      return { schedules: { removed: [found] }, answer: undefined };
    });
  }

  async #rotations(bodies: readonly RotationBody[], caller: Principal): Promise<PlannedRotations> {
    const { references, newId } = this.#options;
    const planned: PlannedRotation[] = [];
    for (const { participants, ...rotation } of bodies) {
      planned.push({ ...rotation, participants: await participantsOf(references, participants, caller) });
    }
    return (present, kept) => {
      const free = new Map(kept.map((rotation) => [rotation.id, rotation]));
      return planned.map((rotation) => toRequest(rotation, present, free, newId));
    };
  }
}

const fieldOf = (index: number): string => `rotations[${index}].endDate`;

/** Makes the requests for rotations, once the configuration and the present rotations are known. */
type PlannedRotations = (present: Configuration, kept: readonly Rotation[]) => readonly RotationRequest[];

interface PlannedRotation extends Omit<RotationBody, 'participants'> {
  readonly participants: InConfiguration<Rotation['participants']>;
}

/**
 * The request for a rotation. It keeps the id that the body has, if one of the present rotations has it. Each id is used once: it is
 * removed from `free`.
 */
function toRequest(
  { id = '', name, type, length, startDate, endDate, participants, timeRestriction }: PlannedRotation,
  present: Configuration,
  free: Map<string, Rotation>,
  newId: () => string,
): RotationRequest {
  const known = free.get(id);
  free.delete(id);
  return {
    id: known?.id ?? newId(),
    name: name ?? known?.name,
    type,
    length: length ?? 1,
    startAt: startDate,
    endAt: endDate,
    participants: participants(present),
    timeRestriction,
  };
}

/** Only the default schedule of a team may have a longer name, and keep it (S11). */
function refuseLongName(name: string, found: Schedule): void {
  if (name === found.name || codePoints(name) <= MAX_SCHEDULE_NAME_LENGTH) return;
  throw InvalidError.ofFields({ name: `should be at most ${MAX_SCHEDULE_NAME_LENGTH} characters` });
}

/** The most bytes of the message of a schedule on `schedules.v1`. */
const MAX_MESSAGE_BYTES = 1_000_000;

function refuseTooLarge(schedule: Schedule): void {
  if (schedule.rotations.length > DEFAULT_LIMIT)
    throw InvalidError.ofFields({ rotations: `should have at most ${DEFAULT_LIMIT} items` });
  if (bytesOf(scheduleMessage(schedule)) > MAX_MESSAGE_BYTES)
    throw InvalidError.ofFields({ rotations: `should have at most ${MAX_MESSAGE_BYTES} bytes together` });
}

/**
 * As `normalizeRotations`, which it refuses where that is not possible. `endDateOf`: the field of the body that has the end of the
 * rotation at an index.
 *
 * @throws InvalidError when one ends before it starts.
 */
export function normalizeOrRefuse(
  requests: readonly RotationRequest[],
  timezone: string,
  kept: readonly Rotation[],
  endDateOf: (index: number) => string,
): readonly Rotation[] {
  const rotations = normalizeRotations(requests, timezone, kept);
  if (!('kind' in rotations)) return rotations;
  throw InvalidError.ofFields({ [endDateOf(rotations.index)]: 'should be after startDate' });
}

/**
 * Writes a schedule. Problems of the schedule itself have precedence over conflicts with others.
 *
 * @throws InvalidError when it has too many rotations, is too large for its topic, or is too much for its team.
 * @throws ConflictError when another has its name.
 */
function putSchedule<T>({ schedules }: Configuration, schedule: Schedule, answer: T): Change<T> {
  refuseTooLarge(schedule);
  requireNameAndSize('Schedule', schedules, schedule);
  return { schedules: { put: [schedule] }, answer };
}

/**
 * Writes `next` in the place of `found` under the next version. Where both are the same, nothing is written or published (E10).
 *
 * @throws as `putSchedule`.
 */
export function replaceSchedule<T>(
  present: Configuration,
  { found, next }: { readonly found: Schedule; readonly next: Schedule },
  answer: T,
): Change<T> {
  if (isDeepStrictEqual(next, found)) return { answer };
  return putSchedule(present, { ...next, version: nextVersion(found.version) }, answer);
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
