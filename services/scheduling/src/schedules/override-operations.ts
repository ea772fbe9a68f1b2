import type {
  CreateOverrideBody,
  OverrideUserReference,
  Reference,
  SimulateOverrideBody,
  UpdateOverrideBody,
} from '@tocsin/api';
import { ConflictError, InvalidError, NotFoundError } from '@tocsin/core';
import type { Principal } from '@tocsin/http';
import type { Change, Configuration, ConfigurationAccess } from '../configuration/configuration.ts';
import { type Identifier, type References, findVisible } from '../configuration/reference-operations.ts';
import { hasTooManyOverrides, type Override, withOverride } from './override.ts';
import type { Schedule } from './schedule.ts';
import { replaceSchedule } from './write-operations.ts';

/** An override and the schedule to which it belongs. */
export interface OverrideOfSchedule {
  readonly schedule: Schedule;
  readonly override: Override;
}

/** Creates, reads, replaces and deletes the overrides of schedules (part 2, 4.5; S4, S14, K4). */
export class Overrides {
  readonly #store: ConfigurationAccess;
  readonly #references: References;

  constructor({ store, references }: { store: ConfigurationAccess; references: References }) {
    this.#store = store;
    this.#references = references;
  }

  /**
   * @throws NotFoundError when the schedule, the user or a rotation does not exist.
   * @throws ForbiddenError when the schedule is another team's, or the person no member of its team.
   * @throws ConflictError when the schedule has an override of that alias.
   * @throws InvalidError when the schedule can have no more.
   */
  async create(identifier: Identifier, body: CreateOverrideBody, caller: Principal): Promise<Override> {
    return this.#changeFor(body.user, identifier, caller, (present, schedule, user) => {
      if (schedule.overrides.some(({ alias }) => alias === body.alias)) {
        throw new ConflictError(`Override with alias [${body.alias}] already exists in schedule [${schedule.name}].`);
      }
      return putOverride(present, schedule, overrideOf(schedule, body.alias, user, body));
    });
  }

  /** @throws NotFoundError when there is none; NotFoundError and ForbiddenError as `findVisible` says of the schedule. */
  async get(identifier: Identifier, alias: string, caller: Principal): Promise<OverrideOfSchedule> {
    const { schedules } = await this.#store.current();
    const schedule = findVisible('Schedule', schedules, identifier, caller);
    return { schedule, override: findOverride(schedule, alias) };
  }

  /**
   * Replaces all but the alias and the place in the order of creation (S4). An equal override changes nothing (E10).
   *
   * @throws as `create`, and NotFoundError when there is no such override.
   */
  async replace(identifier: Identifier, alias: string, body: UpdateOverrideBody, caller: Principal): Promise<Override> {
    return this.#changeFor(body.user, identifier, caller, (present, schedule, user) => {
      findOverride(schedule, alias);
      return putOverride(present, schedule, overrideOf(schedule, alias, user, body));
    });
  }

  /**
   * The schedule as it would be with an override, which is not written: one more, or one in the place of that with its alias.
   *
   * @throws as `create`, where the caller may not read the schedule; no alias is a conflict.
   */
  async simulate(identifier: Identifier, body: SimulateOverrideBody, caller: Principal): Promise<Schedule> {
    const { schedules } = await this.#store.current();
    const schedule = findVisible('Schedule', schedules, identifier, caller);
    const user = await userOf(this.#references, body.user);
    const override = overrideOf(schedule, body.alias ?? '', user, body);
    return { ...schedule, overrides: addOverride(schedule, override) };
  }

  /** @throws NotFoundError and ForbiddenError as `replace`. */
  async delete(identifier: Identifier, alias: string, caller: Principal): Promise<void> {
    await this.#store.change((present) => {
      const schedule = this.#writable(present, identifier, caller);
      const removed = findOverride(schedule, alias);
      const overrides = schedule.overrides.filter((one) => one !== removed);
      return replaceSchedule(present, { found: schedule, next: { ...schedule, overrides } }, undefined);
    });
  }

  async #changeFor(
    reference: OverrideUserReference,
    identifier: Identifier,
    caller: Principal,
    decide: (present: Configuration, schedule: Schedule, user: Override['user']) => Change<Override>,
  ): Promise<Override> {
    // A caller who may not write is refused before any user that the body names is looked up.
    this.#writable(await this.#store.current(), identifier, caller);
    const user = await userOf(this.#references, reference);
    return this.#store.change((present) => decide(present, this.#writable(present, identifier, caller), user));
  }

  /** Members of the team that owns a schedule write its overrides (K12). */
  #writable({ schedules }: Configuration, identifier: Identifier, caller: Principal): Schedule {
    return this.#references.findWritable('Schedule', schedules, identifier, caller, 'team-member');
  }
}

/**
 * The overrides that the body of a schedule has, in its order. Their rotations are looked up in the schedule of the same body. A body has
 * too few keys for more rotations than the overrides of a schedule may name.
 *
 * @throws NotFoundError when a user does not exist, and later where the schedule has no such rotation.
 */
export async function plannedOverrides(
  references: References,
  bodies: readonly CreateOverrideBody[],
): Promise<(schedule: Schedule) => readonly Override[]> {
  // One after the other, so that the first unknown name ends the look-ups.
  const planned: ((schedule: Schedule) => Override)[] = [];
  for (const body of bodies) {
    const user = await userOf(references, body.user);
    planned.push((schedule) => overrideOf(schedule, body.alias, user, body));
  }
  return (schedule) => planned.map((override) => override(schedule));
}

async function userOf(references: References, reference: OverrideUserReference): Promise<Override['user']> {
  return reference.type === 'none' ? { type: 'none' } : { type: 'user', id: await references.user(reference) };
}

function overrideOf(
  { rotations, name }: Schedule,
  alias: string,
  user: Override['user'],
  { startDate, endDate, rotations: named }: UpdateOverrideBody,
): Override {
  const rotationId = (reference: Reference): string => {
    const { id, name: called = '' } = reference;
    const rotation = rotations.find((one) => (id === undefined ? one.name === called : one.id === id));
    if (rotation !== undefined) return rotation.id;
    const missing = id === undefined ? `name [${called}]` : `id [${id}]`;
    throw new NotFoundError(`Rotation with ${missing} does not exist in schedule [${name}].`);
  };
  const rotationIds = named && [...new Set(named.map(rotationId))];
  return { alias, user, startAt: startDate, endAt: endDate, rotationIds };
}

function findOverride({ overrides, name }: Schedule, alias: string): Override {
  const override = overrides.find((one) => one.alias === alias);
  if (override !== undefined) return override;
  throw new NotFoundError(`Override with alias [${alias}] does not exist in schedule [${name}].`);
}

function putOverride(present: Configuration, schedule: Schedule, override: Override): Change<Override> {
  const next = { ...schedule, overrides: addOverride(schedule, override) };
  return replaceSchedule(present, { found: schedule, next }, override);
}

/** @throws InvalidError when the schedule can have no more. */
function addOverride(schedule: Schedule, override: Override): readonly Override[] {
  const overrides = withOverride(schedule.overrides, override);
  if (!hasTooManyOverrides(overrides)) return overrides;
  throw InvalidError.ofFields({ alias: `schedule [${schedule.name}] has too many overrides; delete old ones` });
}
