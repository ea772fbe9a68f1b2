/** The part of the public API that scenarios use. */
export interface ScenarioApi {
  /** @throws Error when the answer has another status than `status`. */
  expect(
    status: number,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ readonly body: Readonly<Record<string, unknown>> }>;
  /** `data` of a read. */
  read<T>(path: string): Promise<T>;
  /** `data` of a create. */
  create<T = { readonly id: string }>(path: string, body: unknown): Promise<T>;
}

interface RotationInput {
  readonly participants: readonly string[];
  readonly type?: 'daily' | 'weekly' | 'hourly';
  readonly startDate?: string;
}

export interface RuleInput {
  readonly delay: number;
  readonly to: { readonly type: 'user' | 'schedule' | 'team'; readonly name: string };
  readonly condition?: 'if-not-acked' | 'if-not-closed';
  readonly notifyType?: string;
}

/** One step of a notification rule, as the API accepts it. */
export const stepTo = (to: string, afterMinutes = 0, method = 'email'): object => ({
  contact: { method, to },
  sendAfter: { timeAmount: afterMinutes },
  enabled: true,
});

/** The path of an alert by its alias, or of a part of it, such as `/logs`. */
export const byAlias = (alias: string, part = ''): string =>
  `/v2/alerts/${encodeURIComponent(alias)}${part}?identifierType=alias`;

const HALF_HOUR_MS = 1_800_000;

/** Creates the entities of a test through the public API. User names are made from first names. */
export class Scenario {
  readonly #api: ScenarioApi;
  readonly #domain: string;
  readonly #start: string;

  /**
   * `domain` keeps the users of one test apart from those of another. Rotations start at the full or half hour before `start`: the
   * nearest one, which scheduling would use (S1), may be later.
   */
  constructor(api: ScenarioApi, domain: string, start: Date) {
    this.#api = api;
    this.#domain = domain;
    this.#start = new Date(start.getTime() - (start.getTime() % HALF_HOUR_MS)).toISOString();
  }

  /** The user name, which is the mail address, of a user called `name`. */
  address(name: string): string {
    return `${name}@${this.#domain}`;
  }

  /** A name that only this test uses. */
  name(of: string): string {
    return `${of} ${this.#domain}`;
  }

  /** Users who are notified of new alerts only, so that a test gets no further messages. */
  async users(...names: readonly string[]): Promise<void> {
    await this.usersWithAllRules(...names);
    for (const name of names) await this.#quieten(this.#rulesOf(name));
  }

  /** Users with the rules of every new user: they are also notified of acknowledgements, notes, closes and assignments. */
  async usersWithAllRules(...names: readonly string[]): Promise<void> {
    for (const name of names)
      await this.#api.create('/v2/users', {
        username: this.address(name),
        fullName: name,
        role: { name: 'user' },
        invitationDisabled: true,
      });
  }

  async #quieten(rules: string): Promise<void> {
    const all = await this.#api.read<readonly { readonly id: string; readonly actionType: string }[]>(rules);
    for (const { actionType, id } of all)
      if (actionType !== 'create-alert') await this.#api.expect(200, 'POST', `${rules}/${id}/disable`);
  }

  /** Changes the rule by which a user is notified of `actionType`; `change` is the body of the request. */
  async changeRule(name: string, actionType: string, change: object): Promise<void> {
    const rules = this.#rulesOf(name);
    const all = await this.#api.read<readonly { readonly id: string; readonly actionType: string }[]>(rules);
    const { id = '' } = all.find((rule) => rule.actionType === actionType) ?? {};
    await this.#api.expect(200, 'PATCH', `${rules}/${id}`, change);
  }

  #rulesOf(name: string): string {
    return `/v2/users/${this.address(name)}/notification-rules`;
  }

  async schedule(of: string, ...rotations: readonly RotationInput[]): Promise<void> {
    await this.#api.create('/v2/schedules', {
      name: this.name(of),
      timezone: 'UTC',
      rotations: rotations.map(({ participants, type = 'daily', startDate = this.#start }) => ({
        startDate,
        type,
        participants: participants.map((name) => ({ type: 'user', username: this.address(name) })),
      })),
    });
  }

  async escalation(of: string, ...rules: readonly RuleInput[]): Promise<void> {
    await this.repeatingEscalation(of, {}, ...rules);
  }

  /** As `escalation`; `repeat` is the field of the body. */
  async repeatingEscalation(of: string, repeat: object, ...rules: readonly RuleInput[]): Promise<void> {
    await this.#api.create('/v2/escalations', {
      name: this.name(of),
      repeat,
      rules: rules.map(({ delay, to, condition = 'if-not-acked', notifyType = 'default' }) => ({
        condition,
        notifyType,
        delay: { timeAmount: delay },
        recipient: to.type === 'user' ? this.user(to.name) : { type: to.type, name: this.name(to.name) },
      })),
    });
  }

  async team(of: string, ...members: readonly string[]): Promise<{ readonly id: string }> {
    return this.#api.create('/v2/teams', {
      name: this.name(of),
      members: members.map((name) => ({ user: { username: this.address(name) } })),
    });
  }

  user(name: string): { readonly type: 'user'; readonly username: string } {
    return { type: 'user', username: this.address(name) };
  }

  responder(type: 'team' | 'schedule' | 'escalation', of: string): { readonly type: string; readonly name: string } {
    return { type, name: this.name(of) };
  }

  /**
   * Creates a policy of version 2, of the account or of a team by its id, for the alerts of this test only: those whose alias is made
   * by `name`.
   */
  async policy(of: string, body: Readonly<Record<string, unknown>>, teamId?: string): Promise<{ readonly id: string }> {
    const own = { field: 'alias', operation: 'ends-with', expectedValue: this.#domain };
    return this.#api.create(`/v2/policies${teamId === undefined ? '' : `?teamId=${teamId}`}`, {
      type: 'message' in body ? 'alert' : 'notification',
      name: this.name(of),
      filter: { type: 'match-all-conditions', conditions: [own] },
      ...body,
    });
  }

  /** Creates an alert; resolves with the id of the request when it is accepted. */
  async alert(body: Readonly<Record<string, unknown>>): Promise<string> {
    const { body: accepted } = await this.#api.expect(202, 'POST', '/v2/alerts', body);
    return accepted['requestId'] as string;
  }

  /** Carries out an action on the alert of an alias, by the last part of its path; resolves with the id of the request. */
  async act(alias: string, action: string, body: unknown = {}, method = 'POST'): Promise<string> {
    const { body: accepted } = await this.#api.expect(202, method, byAlias(alias, `/${action}`), body);
    return accepted['requestId'] as string;
  }

  /** The alert of an alias. */
  async alertOf<T = Readonly<Record<string, unknown>>>(alias: string): Promise<T> {
    return this.#api.read<T>(byAlias(alias));
  }

  /** The log of the alert of an alias, a line for each entry, the newest first. */
  async logOf(alias: string): Promise<string> {
    const path = byAlias(alias, '/logs');
    const logs = await this.#api.read<readonly { readonly log: string }[]>(`${path}&limit=100`);
    return logs.map(({ log }) => log).join('\n');
  }
}
