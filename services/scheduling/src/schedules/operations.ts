import type { CreateScheduleBody, ImportScheduleBody, UpdateScheduleBody } from '@tocsin/api';
import { type Clock, InUseError, type Put } from '@tocsin/core';
import type { Principal } from '@tocsin/http';
import type { Configuration, ConfigurationAccess } from '../configuration/configuration.ts';
import {
  type Identifier,
  filterNamingUser,
  type References,
  findVisible,
  filterVisible,
} from '../configuration/reference-operations.ts';
import { usesOf } from '../configuration/uses.ts';
import type { RoutingUses } from '../teams/client.ts';
import { plannedOverrides } from './override-operations.ts';
import {
  importedRequests,
  normalizeOrRefuse,
  type PlannedRotation,
  plannedRotations,
  requestsAmong,
} from './planned-rotation-operations.ts';
import { type Schedule, withRotations } from './schedule.ts';
import { putSchedule, refuseLongName, refuseRotationsOfOthers, replaceSchedule } from './write-operations.ts';

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
    const { store, newId } = this.#options;
    const described = await this.#described(body, caller);
    const { entity } = await store.change((present) => {
      const { rotations, ...schedule } = described(present, newId());
      const requests = requestsAmong([], rotations, newId);
      return putSchedule(present, undefined, {
        ...schedule,
        rotations: normalizeOrRefuse(requests, schedule.timezone, []),
      });
    });
    return entity;
  }

  /**
   * Creates or replaces the schedule that has this id, with its rotations and overrides (I1). Instants are kept as they are written (I2).
   *
   * @throws as `create`; ConflictError when another schedule has one of its rotations; NotFoundError when an override names a rotation
   *   that is not among them.
   */
  async put(id: string, body: ImportScheduleBody, caller: Principal): Promise<Put<Schedule>> {
    const { store, references } = this.#options;
    const described = await this.#described(body, caller);
    const overrides = await plannedOverrides(references, body.overrides ?? []);
    return store.change((present) => {
      const { rotations, ...schedule } = described(present, id);
      const requests = importedRequests(id, rotations);
      const bare = { ...schedule, rotations: normalizeOrRefuse(requests, schedule.timezone, requests) };
      refuseRotationsOfOthers(present, bare);
      return putSchedule(present, present.schedules.get(id), { ...bare, overrides: overrides(bare) });
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
    const { store, references, newId } = this.#options;
    // A caller who may not write is refused before the references of the body are looked up.
    references.findWritable('Schedule', (await store.current()).schedules, identifier, caller);
    const ownerTeamId = await references.newOwner('a schedule', body.ownerTeam, caller);
    const rotations = body.rotations && (await plannedRotations(references, body.rotations, caller));
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
      const requests = requestsAmong(kept, rotations(present), newId);
      const next = withRotations(schedule, normalizeOrRefuse(requests, schedule.timezone, kept));
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

  /** The schedule that a body describes, as yet without overrides: what the body leaves out has its default. */
  async #described(body: CreateScheduleBody, caller: Principal): Promise<DescribedSchedule> {
    const { references, clock, accountTimezone } = this.#options;
    const ownerTeamId = await references.owner('a schedule', body.ownerTeam, caller);
    const rotations = await plannedRotations(references, body.rotations ?? [], caller);
    return (present, id) => ({
      id,
      name: body.name,
      description: body.description ?? '',
      timezone: body.timezone ?? accountTimezone,
      enabled: body.enabled ?? true,
      ownerTeamId,
      rotations: rotations(present),
      overrides: [],
      ...present.schedules.originOf(id, clock.now()),
    });
  }
}

/** Describes a schedule, once the configuration in which it is written is known. */
type DescribedSchedule = (
  present: Configuration,
  id: string,
) => Omit<Schedule, 'rotations'> & { readonly rotations: readonly PlannedRotation[] };
