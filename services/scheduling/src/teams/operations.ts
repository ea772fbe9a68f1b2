import { v5 as uuidOf } from 'uuid';
import type { Clock } from '@tocsin/core';
import { firstVersion, nextVersion } from '@tocsin/events';
import type { Catalogue, Configuration, ConfigurationAccess } from '../configuration/configuration.ts';
import {
  type Participation,
  participationsOfTeam,
  type TeamDefaults,
  usesOf,
  usesOfTeam,
} from '../configuration/uses.ts';
import type { Escalation } from '../escalations/escalation.ts';
import type { Schedule } from '../schedules/schedule.ts';
import { defaultEscalation, defaultSchedule } from './team-defaults.ts';

/** Namespace of the ids of team defaults; changing it would give every team a second set. */
const TEAM_DEFAULTS = '0cf2b2f4-6f0e-4e56-9d3b-2f8f6a1d7c55';

/** The ids of a team's default schedule and escalation: the same each time they are created. */
function defaultsOf(teamId: string): TeamDefaults {
  return {
    scheduleId: uuidOf(`${teamId}/schedule`, TEAM_DEFAULTS),
    escalationId: uuidOf(`${teamId}/escalation`, TEAM_DEFAULTS),
  };
}

/** The requests of directory while it creates or deletes a team or user (S11, S12). All are idempotent. */
export class DirectoryRequests {
  readonly #store: ConfigurationAccess;
  readonly #clock: Clock;
  readonly #accountTimezone: string;

  constructor(options: { store: ConfigurationAccess; clock: Clock; accountTimezone: string }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#accountTimezone = options.accountTimezone;
  }

  /** Creates the default schedule and escalation that the team lacks; one that exists stays as it is. */
  async createDefaults(teamId: string, teamName: string): Promise<TeamDefaults> {
    const defaults = defaultsOf(teamId);
    return this.#store.change(({ schedules, escalations }) => {
      const createdAt = escalations.creationAt(schedules.creationAt(this.#clock.now()));
      const version = firstVersion(createdAt);
      const team = { teamId, teamName, timezone: this.#accountTimezone, ...defaults, createdAt, version };
      return {
        schedules: {
          put: schedules.get(defaults.scheduleId)
            ? []
            : [defaultSchedule(team, (name) => schedules.named(name) !== undefined)],
        },
        escalations: {
          put: escalations.get(defaults.escalationId)
            ? []
            : [defaultEscalation(team, (name) => escalations.named(name) !== undefined)],
        },
        answer: defaults,
      };
    });
  }

  /** Deletes the defaults of a team whose creation failed. */
  async deleteDefaults(teamId: string): Promise<void> {
    await this.#store.change((present) => ({ ...withoutDefaults(teamId, present), answer: undefined }));
  }

  /** Deletes the defaults of a deleted team, and removes the owner of everything else that it owned. */
  async removeTeam(teamId: string): Promise<void> {
    const { scheduleId, escalationId } = defaultsOf(teamId);
    await this.#store.change((present) => {
      const { schedules, escalations } = withoutDefaults(teamId, present);
      return {
        schedules: { ...schedules, put: withoutOwner(present.schedules, teamId, scheduleId) },
        escalations: { ...escalations, put: withoutOwner(present.escalations, teamId, escalationId) },
        answer: undefined,
      };
    });
  }

  /** Each user in each rotation of the team's schedules. */
  async participations(teamId: string): Promise<readonly Participation[]> {
    return participationsOfTeam(teamId, (await this.#store.current()).schedules.all());
  }

  /** One sentence for each rotation and escalation that names the user or team; a team's own defaults do not count (S12). */
  async uses(type: 'user' | 'team', id: string): Promise<readonly string[]> {
    const present = await this.#store.current();
    return type === 'team' ? usesOfTeam(id, defaultsOf(id), present) : usesOf({ type, id }, present);
  }
}

function withoutDefaults(teamId: string, { schedules, escalations }: Configuration) {
  const defaults = defaultsOf(teamId);
  const schedule = schedules.get(defaults.scheduleId);
  const escalation = escalations.get(defaults.escalationId);
  return {
    schedules: { removed: schedule === undefined ? [] : [schedule] },
    escalations: { removed: escalation === undefined ? [] : [escalation] },
  };
}

/** The schedules or escalations of a team besides its default, without their owner. */
const withoutOwner = <T extends Schedule | Escalation>(things: Catalogue<T>, teamId: string, defaultId: string) =>
  things
    .all()
    .filter(({ id, ownerTeamId }) => ownerTeamId === teamId && id !== defaultId)
    .map((thing): T => ({ ...thing, ownerTeamId: undefined, version: nextVersion(thing.version) }));
