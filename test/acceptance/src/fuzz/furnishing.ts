import type { Api } from '../system/api.ts';

/** The path parameters of existing things, by the beginning of the paths that take them. */
export type Things = Readonly<Record<string, Readonly<Record<string, string>>>>;

const START = '2026-03-01T00:00:00Z';
const PERIOD = { startDate: START, endDate: '2027-03-01T00:00:00Z' };
const ALL = { type: 'match-all' };

/** Creates through the API what paths name, each with a name of its own. */
class Furnishing {
  readonly #api: Api;
  readonly #suffix: string;
  readonly username: string;

  constructor(api: Api, suffix: string) {
    this.#api = api;
    this.#suffix = suffix;
    this.username = `ada.${suffix}@example.com`;
  }

  async people(): Promise<Things> {
    const [username, invitationDisabled] = [this.username, true];
    const role = { name: 'user' };
    const user = await this.#created('/v2/users', { username, fullName: 'Ada', role, invitationDisabled });
    const rules = `/v2/users/${user}/notification-rules`;
    const contact = await this.#created(`/v2/users/${user}/contacts`, { method: 'sms', to: '1-5551234' });
    const steps = [{ contact: { method: 'email', to: username }, sendAfter: { timeAmount: 1 }, enabled: true }];
    const own = { name: 'Own', actionType: 'create-alert', enabled: true, criteria: ALL, steps };
    const rule = await this.#created(rules, own);
    const [step] = await this.#api.read<readonly { readonly id: string }[]>(`${rules}/${rule}/steps`);
    const other = `eve.${this.#suffix}@example.com`;
    await this.#created('/v2/users', { username: other, fullName: 'Eve', role, invitationDisabled });
    const swapped = { fromUser: { username: other }, toUser: { username }, ...PERIOD };
    const custom = { name: this.#named('Reader'), extendedRole: 'user' };
    return {
      '/v2/users/{identifier}': { identifier: user },
      '/v2/users/{userIdentifier}': {
        ...{ userIdentifier: user, contactId: contact, ruleId: rule, stepId: step?.id ?? '' },
      },
      '/v2/forwarding-rules': { identifier: await this.#created('/v2/forwarding-rules', swapped) },
      '/v2/roles': { identifier: await this.#created('/v2/roles', custom) },
    };
  }

  /** The people come first. */
  async onCall(): Promise<Things> {
    const [username, user] = [this.username, { type: 'user', username: this.username }];
    const team = await this.#created('/v2/teams', { name: this.#named('Ops'), members: [{ user: { username } }] });
    const deputy = { name: 'Deputy', rights: [{ right: 'edit-escalations', granted: true }] };
    const teamRole = await this.#created(`/v2/teams/${team}/roles`, deputy);
    const id = await this.#created(`/v2/teams/${team}/routing-rules`, { name: 'All', notify: { type: 'none' } });
    const schedule = await this.#created('/v2/schedules', { name: this.#named('Days'), ownerTeam: { id: team } });
    const daily = { name: 'Daily', type: 'daily', startDate: START, participants: [user] };
    const rotation = await this.#created(`/v2/schedules/${schedule}/rotations`, daily);
    const alias = 'swap';
    await this.#api.create(`/v2/schedules/${schedule}/overrides`, { alias, user, ...PERIOD });
    const recipient = { type: 'schedule', id: schedule };
    const rules = [{ condition: 'if-not-acked', notifyType: 'default', delay: { timeAmount: 5 }, recipient }];
    const policy = { ...this.#policy(), type: 'notification', suppress: true };
    return {
      '/v2/teams': { identifier: team, teamIdentifier: team, memberIdentifier: username, id },
      '/v2/teams/{teamIdentifier}/roles': { teamIdentifier: team, identifier: teamRole },
      '/v2/schedules': { identifier: schedule, scheduleIdentifier: schedule, id: rotation, alias },
      '/v2/schedules/on-calls': { identifier: username },
      '/v2/escalations': { identifier: await this.#created('/v2/escalations', { name: this.#named('Late'), rules }) },
      '/v2/policies': { identifier: await this.#created(`/v2/policies?teamId=${team}`, policy) },
    };
  }

  async alerts(): Promise<Things> {
    const accepted = await this.#api.expect(202, 'POST', '/v2/alerts', { message: 'Disk full', actions: ['Grow'] });
    const requestId = accepted.body['requestId'] as string;
    const { alertId } = await this.#api.read<{ readonly alertId: string }>(`/v2/alerts/requests/${requestId}`);
    const form = new FormData();
    form.set('file', new Blob(['usage']), 'usage.txt');
    const { body } = await this.#api.expect(201, 'POST', `/v2/alerts/${alertId}/attachments`, form);
    const attachmentId = (body['data'] as { readonly id: string }).id;
    return {
      '/v2/alerts': { identifier: alertId, requestId, attachmentId, actionName: 'Grow' },
      '/v2/alerts/saved-searches': { identifier: await this.#savedSearch('Open') },
      '/v2/users/saved-searches': { identifier: await this.#savedSearch('Mine') },
    };
  }

  async sources(): Promise<Things> {
    const api = { type: 'API', name: this.#named('Deploys'), allowConfigurationAccess: true };
    const integrationId = await this.#created('/v2/integrations', api);
    const time = { type: 'schedule', startDate: '2030-01-01T00:00:00Z', endDate: '2030-01-02T00:00:00Z' };
    const rules = [{ entity: { type: 'integration', id: integrationId }, state: 'disabled' }];
    const heartbeatName = `backup-${this.#suffix}`;
    await this.#api.create('/v2/heartbeats', { name: heartbeatName, interval: 10, intervalUnit: 'days' });
    return {
      '/v2/integrations': { integrationId },
      '/v1/maintenance': { maintenanceId: await this.#created('/v1/maintenance', { time, rules }) },
      '/v1/policies': { identifier: await this.#created('/v1/policies', this.#policy()) },
      '/v2/heartbeats': { heartbeatName },
    };
  }

  #named(of: string): string {
    return `${of} ${this.#suffix}`;
  }

  #policy(): object {
    return { name: this.#named('Quiet'), type: 'notification-suppress', enabled: true, filter: ALL };
  }

  #savedSearch(of: string): Promise<string> {
    const owner = { username: this.username };
    return this.#created('/v2/alerts/saved-searches', { name: this.#named(of), query: 'status: open', owner });
  }

  async #created(path: string, body: unknown): Promise<string> {
    return (await this.#api.create<{ readonly id: string }>(path, body)).id;
  }
}

/** Creates one thing of each kind that paths name, whose names end with `suffix`. */
export async function furnished(api: Api, suffix: string): Promise<Things> {
  const furnishing = new Furnishing(api, suffix);
  return {
    ...(await furnishing.people()),
    ...(await furnishing.onCall()),
    ...(await furnishing.alerts()),
    ...(await furnishing.sources()),
  };
}
