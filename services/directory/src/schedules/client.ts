import { z } from 'zod';
import { DEFAULT_LIMIT, Escalations, Schedules } from '@tocsin/events';
import { UnavailableError } from '@tocsin/core';
import { type InternalClient, stateLookUp } from '@tocsin/http';
import type { Reference } from '../references/reference.ts';
import type { TeamDefaults } from '../teams/team.ts';

const Defaults = z.object({ data: z.object({ scheduleId: z.string(), escalationId: z.string() }) });
const Assignments = z.object({
  data: z.array(
    z.object({ id: z.string(), name: z.string(), ownerTeamId: z.string().optional(), userIds: z.array(z.string()) }),
  ),
});
const Uses = z.object({ data: z.array(z.string()) });
const Participations = z.object({
  data: z.array(z.object({ userId: z.string(), rotation: z.string(), schedule: z.string() })),
});

/** A user in a rotation, by the names of the rotation and its schedule. */
export type Participation = Readonly<z.infer<typeof Participations>['data'][number]>;

/** A schedule, the team that owns it, and the users in its rotations, each once. */
export type ScheduleAssignment = Readonly<z.infer<typeof Assignments>['data'][number]>;

/** A schedule or escalation, and the team that owns it. */
export interface Owned {
  readonly id: string;
  readonly ownerTeamId?: string | undefined;
}

/** The methods of the client, which a test double has as well. */
export type Scheduling = Pick<SchedulingClient, keyof SchedulingClient>;

/**
 * Asks scheduling, which owns schedules and escalations, over its internal endpoints. A repeat has no further effect.
 *
 * Every method throws UnavailableError when scheduling cannot be asked.
 */
export class SchedulingClient {
  readonly #client: InternalClient;

  constructor(client: InternalClient) {
    this.#client = client;
  }

  /** The schedule and the escalation of a team, which are created where there are none (S11). `'refused'`: they never will be. */
  async ensureTeamDefaults({ id, name }: { id: string; name: string }): Promise<TeamDefaults | 'refused'> {
    const reply = await this.#client.put(`/internal/teams/${encodeURIComponent(id)}/defaults`, { teamName: name });
    // A body that is refused once is refused for ever; any other answer may change with the next release or restart.
    if (reply.status === 422 || reply.status === 409) return 'refused';
    return parsed(Defaults, reply).data;
  }

  /** Removes the team's defaults and leaves what else it owns without an owner (S12). */
  async releaseTeam(teamId: string): Promise<void> {
    expectSuccess(await this.#client.delete(`/internal/teams/${encodeURIComponent(teamId)}`), 'scheduling');
  }

  async find(type: 'schedule' | 'escalation', reference: Reference): Promise<Owned | undefined> {
    const [index, value] = 'id' in reference ? ['id', reference.id] : ['name', reference.name];
    const lookUp = stateLookUp(this.#client);
    const found = type === 'schedule' ? await lookUp(Schedules, index, value) : await lookUp(Escalations, index, value);
    return found?.deleted === false ? { id: found.id, ownerTeamId: found.state.ownerTeamId } : undefined;
  }

  /** One sentence for each thing that uses the user or team; a team's own defaults do not count (S12). */
  async usesOf(type: 'user' | 'team', id: string): Promise<readonly string[]> {
    return parsed(Uses, await this.#client.get(`/internal/uses?type=${type}&id=${encodeURIComponent(id)}`)).data;
  }

  /** The users in the rotations of the team's schedules. */
  async participationsIn(teamId: string): Promise<readonly Participation[]> {
    const path = `/internal/teams/${encodeURIComponent(teamId)}/participations`;
    return parsed(Participations, await this.#client.get(path)).data;
  }

  /** The schedules with one of these ids or names; those that do not exist are left out. Names 1000 of each in one request. */
  async assignments({
    ids,
    names,
  }: {
    readonly ids: readonly string[];
    readonly names: readonly string[];
  }): Promise<readonly ScheduleAssignment[]> {
    const found: ScheduleAssignment[] = [];
    for (let from = 0; from < Math.max(ids.length, names.length); from += DEFAULT_LIMIT) {
      const [some, named] = [ids, names].map((list) => list.slice(from, from + DEFAULT_LIMIT));
      const reply = await this.#client.post('/internal/schedules/participations', { ids: some, names: named });
      found.push(...parsed(Assignments, reply).data);
    }
    return found;
  }
}

function parsed<T>(schema: z.ZodType<T>, reply: { readonly status: number; readonly body: unknown }): T {
  expectSuccess(reply, 'scheduling');
  const result = schema.safeParse(reply.body);
  if (result.success) return result.data;
  throw new UnavailableError('The service scheduling did not answer as expected.', { cause: result.error });
}

/** @throws UnavailableError when `service` refused a request that it cannot refuse. */
export function expectSuccess({ status }: { readonly status: number }, service: string): void {
  if (status < 200 || status > 299)
    throw new UnavailableError(`The service ${service} did not answer as expected.`, {
      cause: new Error(`status ${status}`),
    });
}
