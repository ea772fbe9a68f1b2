import { createHash } from 'node:crypto';
import type { Priority } from '@tocsin/events';
import type { InternalClient, InternalReply, UserClient, UserPrincipal } from '@tocsin/http';
import { UnavailableError } from '@tocsin/core';
import { z } from 'zod';

const Alert = z.object({
  id: z.string(),
  tinyId: z.string(),
  message: z.string(),
  priority: z.string(),
  status: z.enum(['open', 'closed']),
  acknowledged: z.boolean(),
  snoozed: z.boolean(),
});
export type AlertInChat = z.infer<typeof Alert>;

const Named = z.object({ id: z.string(), name: z.string() });
const Schedule = Named.extend({ enabled: z.boolean(), ownerTeam: z.object({ id: z.string() }).optional() });
const OnCall = z.object({ _parent: Named, onCallRecipients: z.array(z.string()) });
const Count = z.object({ count: z.number() });

/** The users who are on call in a schedule, by user name. */
export interface OnCallInChat {
  readonly schedule: string;
  readonly usernames: readonly string[];
}

/** A part of a list, and how many there are in all. */
export interface PartOf<T> {
  readonly first: readonly T[];
  readonly count: number;
}

/** A new alert for a team. */
export interface AlertForTeam {
  readonly teamId: string;
  readonly message: string;
  readonly description?: string;
  readonly source: string;
}

/** The services whose operations commands call. */
export type Services = Readonly<
  Record<'alert-ingest' | 'alert-processor' | 'directory' | 'scheduling', Pick<InternalClient, 'actingAs'>>
>;

/**
 * The API as one user sees it, with the rights of that user.
 *
 * Every method throws UnavailableError where a service does not answer, or answers otherwise than it should.
 */
export class ApiOfUser {
  readonly #of: (service: keyof Services) => UserClient;
  readonly #userId: string;

  constructor(services: Services, user: UserPrincipal) {
    this.#of = (service) => services[service].actingAs(user);
    this.#userId = user.userId;
  }

  /** Undefined where there is none that the user may see. */
  async alert(tinyId: string): Promise<AlertInChat | undefined> {
    const reply = await this.#of('alert-processor').get(`/v2/alerts/${tinyId}?identifierType=tiny`);
    return reply.status === 404 ? undefined : dataIn(reply, Alert);
  }

  /** The open alerts, the most urgent first, and of a priority the newest. */
  async openAlerts(limit: number): Promise<PartOf<AlertInChat>> {
    const client = this.#of('alert-processor');
    const { count } = dataIn(await client.get(`/v2/alerts/count?query=${encodeURIComponent(OPEN)}`), Count);
    const first: AlertInChat[] = [];
    for (const priority of PRIORITIES) {
      if (first.length >= Math.min(limit, count)) break;
      first.push(...(await this.#openOf(priority, limit - first.length)));
    }
    return { first, count: Math.max(count, first.length) };
  }

  async #openOf(priority: Priority, limit: number): Promise<readonly AlertInChat[]> {
    const query = encodeURIComponent(`${OPEN} AND priority:${priority}`);
    const path = `/v2/alerts?query=${query}&sort=createdAt&order=desc&limit=${limit}`;
    return dataIn(await this.#of('alert-processor').get(path), z.array(Alert));
  }

  /** Undefined where there is no such schedule that the user may see. */
  async onCall(name: string): Promise<OnCallInChat | undefined> {
    return this.#onCall(name, 'name');
  }

  /** The schedules of the teams of the user that are enabled, by name. */
  async onCallOfTeams(limit: number): Promise<PartOf<OnCallInChat>> {
    const path = `/v2/users/${encodeURIComponent(this.#userId)}/teams`;
    const teams = new Set(dataIn(await this.#of('directory').get(path), z.array(Named)).map(({ id }) => id));
    const all = dataIn(await this.#of('scheduling').get('/v2/schedules'), z.array(Schedule));
    const own = all
      .filter(({ enabled, ownerTeam }) => enabled && ownerTeam !== undefined && teams.has(ownerTeam.id))
      .toSorted((a, b) => a.name.localeCompare(b.name));
    const first = await Promise.all(own.slice(0, limit).map(({ id }) => this.#onCall(id, 'id')));
    return { first: first.filter((each) => each !== undefined), count: own.length };
  }

  async #onCall(identifier: string, type: 'id' | 'name'): Promise<OnCallInChat | undefined> {
    const path = `/v2/schedules/${encodeURIComponent(identifier)}/on-calls?scheduleIdentifierType=${type}&flat=true`;
    const reply = await this.#of('scheduling').get(path);
    if (reply.status === 404) return undefined;
    const { _parent: schedule, onCallRecipients: usernames } = dataIn(reply, OnCall);
    return { schedule: schedule.name, usernames };
  }

  /** Undefined where there is no such team. */
  async team(name: string): Promise<z.infer<typeof Named> | undefined> {
    const reply = await this.#of('directory').get(`/v2/teams/${encodeURIComponent(name)}?identifierType=name`);
    return reply.status === 404 ? undefined : dataIn(reply, Named);
  }

  /** Opens an alert. Once this resolves, the order survives any crash. It has one effect for each `trigger`. */
  async open({ teamId, ...fields }: AlertForTeam, trigger: string): Promise<void> {
    const body = { ...fields, responders: [{ type: 'team', id: teamId }] };
    const { status } = await this.#of('alert-ingest').post('/v2/alerts', body, requestIdOf(trigger));
    if (status !== 202) throw new UnavailableError('The alert cannot be opened now.');
  }
}

const OPEN = 'status:open';
/** The most urgent first. */
const PRIORITIES: readonly Priority[] = ['P1', 'P2', 'P3', 'P4', 'P5'];

function dataIn<T>({ body, status }: InternalReply, schema: z.ZodType<T>): T {
  const read = schema.safeParse(body['data']);
  if (status === 200 && read.success) return read.data;
  throw new UnavailableError('A service gives no answer that can be read.');
}

/** A UUID (version 8) that follows from the trigger: the same command is one request, however often it comes. */
function requestIdOf(trigger: string): string {
  const hex = createHash('sha256').update(trigger).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
