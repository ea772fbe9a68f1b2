import { z } from 'zod';
import { Escalations, Schedules } from '@tocsin/contracts';
import { UnavailableError } from '@tocsin/errors';
import { stateLookUp, type InternalClient } from '@tocsin/http';
import type { TeamDefaults } from '../domain/team.ts';
import type { Owned, Participation, ScheduleDuty, Scheduling } from '../ports/scheduling.ts';
import { expectDone } from './expect-done.ts';

const Defaults = z.object({ data: z.object({ scheduleId: z.string(), escalationId: z.string() }) });
const Duties = z.object({
  data: z.array(
    z.object({ id: z.string(), name: z.string(), ownerTeamId: z.string().optional(), userIds: z.array(z.string()) }),
  ),
});
const Uses = z.object({ data: z.array(z.string()) });
const Participations = z.object({
  data: z.array(z.object({ userId: z.string(), rotation: z.string(), schedule: z.string() })),
});

/** Asks scheduling over its internal endpoints. */
export class HttpSchedulingClient implements Scheduling {
  readonly #client: InternalClient;

  constructor(client: InternalClient) {
    this.#client = client;
  }

  async ensureTeamDefaults({ id, name }: { id: string; name: string }): Promise<TeamDefaults | 'refused'> {
    const reply = await this.#client.put(`/internal/teams/${encodeURIComponent(id)}/defaults`, { teamName: name });
    // A body that is refused once is refused for ever; any other answer may change with the next release or restart.
    if (reply.status === 422 || reply.status === 409) return 'refused';
    expectDone(reply, 'scheduling');
    return parsed(Defaults, reply.body).data;
  }

  async releaseTeam(teamId: string): Promise<void> {
    expectDone(await this.#client.delete(`/internal/teams/${encodeURIComponent(teamId)}`), 'scheduling');
  }

  async find(
    type: 'schedule' | 'escalation',
    reference: { readonly id: string } | { readonly name: string },
  ): Promise<Owned | undefined> {
    const [index, value] = 'id' in reference ? ['id', reference.id] : ['name', reference.name];
    const lookUp = stateLookUp(this.#client);
    const found = type === 'schedule' ? await lookUp(Schedules, index, value) : await lookUp(Escalations, index, value);
    return found?.deleted === false ? { id: found.id, ownerTeamId: found.state.ownerTeamId } : undefined;
  }

  async usesOf(type: 'user' | 'team', id: string): Promise<readonly string[]> {
    const reply = await this.#client.get(`/internal/uses?type=${type}&id=${encodeURIComponent(id)}`);
    expectDone(reply, 'scheduling');
    return parsed(Uses, reply.body).data;
  }

  async participationsIn(teamId: string): Promise<readonly Participation[]> {
    const reply = await this.#client.get(`/internal/teams/${encodeURIComponent(teamId)}/participations`);
    expectDone(reply, 'scheduling');
    return parsed(Participations, reply.body).data;
  }

  async duties(wanted: { ids: readonly string[]; names: readonly string[] }): Promise<readonly ScheduleDuty[]> {
    const reply = await this.#client.post('/internal/schedules/duties', wanted);
    expectDone(reply, 'scheduling');
    return parsed(Duties, reply.body).data;
  }
}

function parsed<T>(schema: z.ZodType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  throw new UnavailableError('The service scheduling did not answer as expected.', { cause: result.error });
}
