import type { Clock } from '@tocsin/clock';
import type { CreateScheduleBody, RotationBody, UpdateScheduleBody } from '@tocsin/contracts';
import { ConflictError, InUseError, InvalidError } from '@tocsin/errors';
import { accessTo } from '../domain/access.ts';
import { firstVersion, nextVersion, type Change, type Configuration } from '../domain/configuration.ts';
import { arranged, type Rotation, type RotationRequest, type Schedule } from '../domain/schedule.ts';
import { usesOf } from '../domain/uses.ts';
import type { ConfigurationStore } from '../ports/configuration-store.ts';
import type { RoutingRules } from '../ports/routing-rules.ts';
import { visible, writable, type Caller, type Identifier } from './caller.ts';
import type { InConfiguration, References } from './references.ts';

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
   * @throws InvalidError when a rotation ends before it starts.
   * @throws NotFoundError when something that the body names does not exist.
   * @throws ConflictError when the name is taken.
   */
  async create(body: CreateScheduleBody, caller: Caller): Promise<Schedule> {
    const { store, clock, newId, accountTimezone } = this.#ports;
    const ownerTeamId = await this.#ownerTeam(body.ownerTeam, caller);
    const rotations = await this.#rotations(body.rotations ?? []);
    const createdAt = clock.now();
    return store.change((present) => {
      const timezone = body.timezone ?? accountTimezone;
      const schedule: Schedule = {
        id: newId(),
        name: body.name,
        description: body.description ?? '',
        timezone,
        enabled: body.enabled ?? true,
        ownerTeamId,
        rotations: onTheGrid(rotations(present, []), timezone),
        overrides: [],
        createdAt,
        version: firstVersion(createdAt),
      };
      return putUnderFreeName(present, schedule);
    });
  }

  /** @throws NotFoundError when there is none, or none that the caller may see. */
  async get(identifier: Identifier, caller: Caller): Promise<Schedule> {
    const { schedules } = await this.#ports.store.current();
    return visible('Schedule', schedules, identifier, caller);
  }

  /** All that the caller may see, in the order of their creation. */
  async list({ teamId }: Caller): Promise<readonly Schedule[]> {
    const { schedules } = await this.#ports.store.current();
    return schedules.all().filter((schedule) => accessTo(schedule, teamId) !== 'none');
  }

  /**
   * Changes what the body names. Rotations are replaced as a whole, and keep their id where it is sent (S15).
   *
   * @throws as `create`, and ForbiddenError when the schedule is another team's.
   */
  async update(identifier: Identifier, body: UpdateScheduleBody, caller: Caller): Promise<Schedule> {
    const ownerTeamId = caller.teamId ?? (await this.#ownerTeam(body.ownerTeam, caller));
    const rotations = body.rotations === undefined ? undefined : await this.#rotations(body.rotations);
    return this.#ports.store.change((present) => {
      const found = writable('Schedule', present.schedules, identifier, caller);
      const timezone = body.timezone ?? found.timezone;
      const schedule: Schedule = {
        ...found,
        name: body.name ?? found.name,
        description: body.description ?? found.description,
        timezone,
        enabled: body.enabled ?? found.enabled,
        ownerTeamId: ownerTeamId ?? found.ownerTeamId,
        // Without new rotations the old ones keep their instants: only the wall clock on which they step is another.
        rotations: rotations === undefined ? found.rotations : onTheGrid(rotations(present, found.rotations), timezone),
        version: nextVersion(found.version),
      };
      return putUnderFreeName(present, schedule);
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
      const uses = [...routed, ...usesOf({ type: 'schedule', id }, listed(present))];
      if (uses.length > 0) throw new InUseError(`Schedule [${found.name}] is in use. ${uses.join(' ')}`);
      return { schedules: { removed: [found] }, answer: undefined };
    });
  }

  /** A team's key owns what it creates, whatever the body says (K4). */
  async #ownerTeam(reference: CreateScheduleBody['ownerTeam'], { teamId }: Caller): Promise<string | undefined> {
    if (teamId !== undefined) return teamId;
    return reference === undefined ? undefined : this.#ports.references.team(reference);
  }

  async #rotations(bodies: readonly RotationBody[]): Promise<PlannedRotations> {
    // One after the other: the first name that is not known ends it, however many follow.
    const planned: PlannedRotation[] = [];
    for (const { participants, ...rotation } of bodies) {
      const resolved: PlannedRotation['participants'][number][] = [];
      for (const one of participants) resolved.push(await this.#ports.references.participant(one));
      planned.push({ ...rotation, participants: resolved });
    }
    return (present, kept) => planned.map((rotation) => requested(rotation, present, kept, this.#ports.newId));
  }
}

type PlannedRotations = (present: Configuration, kept: readonly Rotation[]) => readonly RotationRequest[];

interface PlannedRotation extends Omit<RotationBody, 'participants'> {
  readonly participants: readonly InConfiguration<Rotation['participants'][number]>[];
}

function requested(
  { id, name, type, length, startDate, endDate, participants, timeRestriction }: PlannedRotation,
  present: Configuration,
  kept: readonly Rotation[],
  newId: () => string,
): RotationRequest {
  const known = kept.find((rotation) => rotation.id === id);
  return {
    id: known?.id ?? newId(),
    name: name ?? known?.name,
    type,
    length: length ?? 1,
    startAt: startDate,
    endAt: endDate,
    participants: participants.map((participant) => participant(present)),
    timeRestriction,
  };
}

function onTheGrid(requests: readonly RotationRequest[], timezone: string): readonly Rotation[] {
  const rotations = arranged(requests, timezone);
  if (!('kind' in rotations)) return rotations;
  throw InvalidError.ofFields({ [`rotations[${rotations.index}].endDate`]: 'should be after startDate' });
}

function putUnderFreeName({ schedules }: Configuration, schedule: Schedule): Change<Schedule> {
  const holder = schedules.named(schedule.name);
  if (holder !== undefined && holder.id !== schedule.id) {
    throw new ConflictError(`Schedule with name [${schedule.name}] already exists.`);
  }
  return { schedules: { put: [schedule] }, answer: schedule };
}

const listed = ({ schedules, escalations }: Configuration) => ({
  schedules: schedules.all(),
  escalations: escalations.all(),
});
