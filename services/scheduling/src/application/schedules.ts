import type { Clock } from '@tocsin/clock';
import {
  codePoints,
  type CreateScheduleBody,
  firstVersion,
  LONGEST_SCHEDULE_NAME,
  type RotationBody,
  type UpdateScheduleBody,
} from '@tocsin/contracts';
import { InUseError, InvalidError } from '@tocsin/errors';
import type { Configuration } from '../domain/configuration.ts';
import { namesUser } from '../domain/mentions.ts';
import { withRotations, type Rotation, type RotationRequest, type Schedule } from '../domain/schedule.ts';
import { usesOf } from '../domain/uses.ts';
import type { ConfigurationStore } from '../ports/configuration-store.ts';
import type { RoutingRules } from '../ports/routing-rules.ts';
import { visible, visibleOf, writable, type Caller, type Identifier } from './caller.ts';
import type { InConfiguration, References } from './references.ts';
import { normalized, participantsOf, rewritten, written } from './schedule-changes.ts';

export interface SchedulesPorts {
  readonly store: ConfigurationStore;
  readonly references: References;
  readonly routingRules: RoutingRules;
  readonly clock: Clock;
  readonly newId: () => string;
  /** The zone of a schedule that names none. */
  readonly accountTimezone: string;
}

/** Creates, reads, changes and deletes schedules with their rotations (part 2, 4.3; S1, S12, S15, K4). */
export class Schedules {
  readonly #ports: SchedulesPorts;

  constructor(ports: SchedulesPorts) {
    this.#ports = ports;
  }

  /**
   * @throws InvalidError when a rotation ends before it starts, or the schedules of its team would be too large together.
   * @throws NotFoundError when something that the body names does not exist.
   * @throws ConflictError when the name is taken.
   */
  async create(body: CreateScheduleBody, caller: Caller): Promise<Schedule> {
    const { store, references, clock, newId, accountTimezone } = this.#ports;
    const ownerTeamId = await references.ownerTeam(body.ownerTeam, caller);
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
        rotations: normalized(rotations(present, []), timezone, [], fieldOf),
        overrides: [],
        createdAt,
        version: firstVersion(createdAt),
      };
      return written(present, schedule, schedule);
    });
  }

  /** @throws NotFoundError and ForbiddenError as `visible` says. */
  async get(identifier: Identifier, caller: Caller): Promise<Schedule> {
    const { schedules } = await this.#ports.store.current();
    return visible('Schedule', schedules, identifier, caller);
  }

  /** All that the caller may see, in the order of their creation. */
  async list(caller: Caller): Promise<readonly Schedule[]> {
    const { schedules } = await this.#ports.store.current();
    return visibleOf(schedules.all(), caller);
  }

  /**
   * Those of `list` with a rotation in which the user takes part (part 3, 4.1).
   *
   * @throws NotFoundError when no user has that id or user name.
   */
  async ofUser(identifier: string, caller: Caller): Promise<readonly Schedule[]> {
    const { id } = await this.#ports.references.userCalled(identifier);
    return (await this.list(caller)).filter((schedule) => namesUser(schedule, id));
  }

  /**
   * Changes what the body names. Rotations are replaced as a whole, and keep their id where it is sent (S15). A body
   * that changes nothing writes and announces nothing (E10).
   *
   * @throws as `create`, and ForbiddenError when the schedule is another team's.
   */
  async update(identifier: Identifier, body: UpdateScheduleBody, caller: Caller): Promise<Schedule> {
    const { store, references } = this.#ports;
    // A caller who may not write is refused before anything that the body names is looked up.
    writable('Schedule', (await store.current()).schedules, identifier, caller);
    const ownerTeamId = await references.ownerTeam(body.ownerTeam, caller);
    const rotations = body.rotations === undefined ? undefined : await this.#rotations(body.rotations, caller);
    return store.change((present) => {
      const found = writable('Schedule', present.schedules, identifier, caller);
      const schedule: Schedule = {
        ...found,
        name: body.name ?? found.name,
        description: body.description ?? found.description,
        timezone: body.timezone ?? found.timezone,
        enabled: body.enabled ?? found.enabled,
        ownerTeamId: ownerTeamId ?? found.ownerTeamId,
      };
      refuseLongName(schedule.name, found);
      // Without new rotations the old ones keep their instants: only the wall clock on which they step is another.
      if (rotations === undefined) return rewritten(present, { found, next: schedule }, schedule);
      const kept = found.rotations;
      const next = withRotations(schedule, normalized(rotations(present, kept), schedule.timezone, kept, fieldOf));
      return rewritten(present, { found, next }, next);
    });
  }

  /**
   * @throws NotFoundError and ForbiddenError as `update`.
   * @throws InUseError when a routing rule or an escalation names it (S12).
   * @throws UnavailableError when the directory cannot be asked for its routing rules.
   */
  async delete(identifier: Identifier, caller: Caller): Promise<void> {
    const { store, routingRules } = this.#ports;
    const { id } = writable('Schedule', (await store.current()).schedules, identifier, caller);
    const routed = await routingRules.usesOf('schedule', id);
    await store.change((present) => {
      const found = writable('Schedule', present.schedules, { type: 'id', value: id }, caller);
      const uses = [...routed, ...usesOf({ type: 'schedule', id }, present)];
      if (uses.length > 0) throw new InUseError(`Schedule [${found.name}] is in use. ${uses.join(' ')}`);
      return { schedules: { removed: [found] }, answer: undefined };
    });
  }

  async #rotations(bodies: readonly RotationBody[], caller: Caller): Promise<PlannedRotations> {
    const { references, newId } = this.#ports;
    const planned: PlannedRotation[] = [];
    for (const { participants, ...rotation } of bodies) {
      planned.push({ ...rotation, participants: await participantsOf(references, participants, caller) });
    }
    return (present, kept) => {
      const free = new Map(kept.map((rotation) => [rotation.id, rotation]));
      return planned.map((rotation) => requested(rotation, present, free, newId));
    };
  }
}

const fieldOf = (index: number): string => `rotations[${index}].endDate`;

/** The requested change, once the configuration and the present rotations are known. */
type PlannedRotations = (present: Configuration, kept: readonly Rotation[]) => readonly RotationRequest[];

interface PlannedRotation extends Omit<RotationBody, 'participants'> {
  readonly participants: InConfiguration<Rotation['participants']>;
}

/** Each id is kept once: `free` forgets it. */
function requested(
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
  if (name === found.name || codePoints(name) <= LONGEST_SCHEDULE_NAME) return;
  throw InvalidError.ofFields({ name: `should be at most ${LONGEST_SCHEDULE_NAME} characters` });
}
