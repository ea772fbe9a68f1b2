import { mapConcurrent } from '../map-concurrent.ts';
import { ApiReadError } from './answer.ts';
import { type Json, textIn } from './json.ts';
import type { OpsgenieClient } from './opsgenie-client.ts';

/** The kinds of things of an account, in the order in which they are read and moved. */
export const KINDS = [
  'account',
  'roles',
  'users',
  'teams',
  'schedules',
  'escalations',
  'forwarding-rules',
  'integrations',
  'policies',
  'policies-v1',
  'maintenance',
  'heartbeats',
  'saved-searches',
  'services',
] as const;
export type KindName = (typeof KINDS)[number];

/** A thing as its list shows it. */
export interface Listed {
  /** Unique within its kind, of any number of characters. */
  readonly id: string;
  readonly item: Json;
}

/** A thing with all that belongs to it: `parts` are the lists below it, such as the rules of a user. */
export interface Thing {
  readonly value: Json;
  readonly parts: Readonly<Record<string, readonly Json[]>>;
}

/** How a kind is read. */
export interface Kind {
  readonly name: KindName;
  list(client: OpsgenieClient): Promise<readonly Listed[]>;
  /** Undefined where the thing was deleted after it was listed. `day` is the day of today in UTC, `2026-03-02`: without it no timeline is read. */
  read(client: OpsgenieClient, listed: Listed, day?: string): Promise<Thing | undefined>;
}

/** So many requests are on their way at a time. */
export const CONCURRENT_REQUESTS = 8;
/** The timeline begins with the day of today, so that it holds the next 14 days at any hour. */
const TIMELINE_DAYS = 15;

/** @throws ApiReadError (missing) for an id that no path can carry: a URL leaves out `.` and `..`, and has no half of a character. */
export function segment(id: string): string {
  if (!['.', '..'].includes(id) && id.isWellFormed()) return encodeURIComponent(id);
  throw new ApiReadError('missing', `No path can carry the id ${JSON.stringify(id)}.`);
}

/** @throws ApiReadError where an item has no id. */
const listed = (items: readonly Json[], path: string): readonly Listed[] =>
  items.map((item) => {
    const id = textIn(item, 'id') ?? textIn(item, 'name');
    if (id === undefined) throw new ApiReadError('answer', `An item of the list ${path} has neither an id nor a name.`);
    return { id, item };
  });

/** A kind whose list shows everything. */
const whole = (name: KindName, path: string, query = {}): Kind => ({
  name,
  list: async (client) => listed(await client.list(path, query), path),
  read: (_client, { item }) => Promise.resolve({ value: item, parts: {} }),
});

/** A kind of which each thing is read by itself. */
const detailed = (name: KindName, path: string, query = {}): Kind => ({
  ...whole(name, path, query),
  read: (client, { id }) =>
    unlessDeleted(async () => ({ value: await client.object(`${path}/${segment(id)}`), parts: {} })),
});

/** What was read; undefined where there is no such thing, such as after a deletion. @throws what `read` throws otherwise. */
export async function unlessDeleted<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ApiReadError && error.fault === 'missing') return undefined;
    throw error;
  }
}

/** A list that not every account or integration has. */
const optional = async (read: () => Promise<readonly Json[]>): Promise<readonly Json[]> => {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ApiReadError && ['missing', 'plan'].includes(error.fault)) return [];
    throw error;
  }
};

const account: Kind = {
  name: 'account',
  list: async (client) => [{ id: 'account', item: await client.object('/v2/account') }],
  read: (_client, { item }) => Promise.resolve({ value: item, parts: {} }),
};

const users: Kind = {
  name: 'users',
  list: async (client) => listed(await client.pages('/v2/users'), '/v2/users'),
  read: (client, { id }) =>
    unlessDeleted(async () => {
      const path = `/v2/users/${segment(id)}`;
      const value = await client.object(path, { expand: 'contact' });
      const contacts = await client.list(`${path}/contacts`);
      return { value, parts: { contacts, notificationRules: await notificationRulesOf(client, id) } };
    }),
};

/** Tocsin shows the contacts of users in the list too, the vendor only where one user is read. */
export const usersWithContacts = async (client: OpsgenieClient): Promise<readonly Listed[]> =>
  listed(await client.pages('/v2/users', { expand: 'contact' }), '/v2/users');

/** The notification rules of a user, each with its steps, which the list does not show. */
export async function notificationRulesOf(client: OpsgenieClient, id: string): Promise<readonly Json[]> {
  const path = `/v2/users/${segment(id)}/notification-rules`;
  const rules: Json[] = [];
  for (const rule of listed(await client.list(path), path))
    rules.push(await client.object(`${path}/${segment(rule.id)}`));
  return rules;
}

const teams: Kind = {
  name: 'teams',
  list: async (client) => listed(await client.list('/v2/teams'), '/v2/teams'),
  read: (client, { id }) =>
    unlessDeleted(async () => {
      const path = `/v2/teams/${segment(id)}`;
      const value = await client.object(path);
      const routingRules = await client.list(`${path}/routing-rules`, { teamIdentifierType: 'id' });
      const roles = await optional(() => client.list(`${path}/roles`, { teamIdentifierType: 'id' }));
      return { value, parts: { routingRules, roles } };
    }),
};

const schedules: Kind = {
  name: 'schedules',
  list: async (client) => listed(await client.list('/v2/schedules', { expand: 'rotation' }), '/v2/schedules'),
  read: (client, { id, item }, day) =>
    unlessDeleted(async () => {
      const path = `/v2/schedules/${segment(id)}`;
      const overrides = await client.list(`${path}/overrides`, { scheduleIdentifierType: 'id' });
      if (day === undefined) return { value: item, parts: { overrides } };
      const asked = { identifierType: 'id', interval: TIMELINE_DAYS, intervalUnit: 'days', date: `${day}T00:00:00Z` };
      const timeline = await client.object(`${path}/timeline`, { ...asked, expand: 'base,forwarding,override' });
      return { value: item, parts: { overrides, timeline: [timeline] } };
    }),
};

const integrations: Kind = {
  ...detailed('integrations', '/v2/integrations'),
  read: (client, { id }) =>
    unlessDeleted(async () => {
      const path = `/v2/integrations/${segment(id)}`;
      const value = await client.object(path);
      const actions = await optional(async () => [await client.object(`${path}/actions`)]);
      return { value, parts: { actions } };
    }),
};

/** Policies are listed for the account, and for each team by itself. */
const policies: Kind = {
  name: 'policies',
  list: async (client) =>
    policiesOf(
      client,
      (await client.list('/v2/teams')).flatMap((team) => textIn(team, 'id') ?? []),
    ),
  read: (client, { id, item }) =>
    unlessDeleted(async () => {
      const teamId = textIn(item, 'teamId');
      const query: Readonly<Record<string, string>> = teamId === undefined ? {} : { teamId };
      const value = await client.object(`/v2/policies/${segment(id)}`, query);
      return { value: { ...value, ...query, order: item['order'] }, parts: {} };
    }),
};

/** The policies of the account and of these teams, each as its list shows it. */
export async function policiesOf(client: OpsgenieClient, teams: readonly string[]): Promise<readonly Listed[]> {
  const lists = await mapConcurrent(CONCURRENT_REQUESTS, [undefined, ...teams], async (teamId) => {
    const query = teamId === undefined ? {} : { teamId };
    const found = [];
    for (const path of ['/v2/policies/alert', '/v2/policies/notification'])
      found.push(...(await client.list(path, query)));
    return found.map((policy) => ({ ...policy, ...query }));
  });
  return listed(lists.flat(), '/v2/policies');
}

const services: Kind = {
  name: 'services',
  list: async (client) => listed(await client.pages('/v1/services'), '/v1/services'),
  read: (_client, { item }) => Promise.resolve({ value: item, parts: {} }),
};

const BY_NAME: Readonly<Record<KindName, Kind>> = {
  account,
  roles: detailed('roles', '/v2/roles'),
  users,
  teams,
  schedules,
  escalations: whole('escalations', '/v2/escalations'),
  'forwarding-rules': whole('forwarding-rules', '/v2/forwarding-rules'),
  integrations,
  policies,
  'policies-v1': detailed('policies-v1', '/v1/policies'),
  maintenance: detailed('maintenance', '/v1/maintenance', { type: 'non-expired' }),
  heartbeats: whole('heartbeats', '/v2/heartbeats'),
  'saved-searches': detailed('saved-searches', '/v2/alerts/saved-searches'),
  services,
};

export const kindOf = (name: KindName): Kind => BY_NAME[name];

/** A sentence why an account has nothing of a kind; undefined where the fault is one of the whole account. */
export const whyUnavailable = (error: unknown): string | undefined =>
  error instanceof ApiReadError && ['missing', 'plan'].includes(error.fault) ? error.message : undefined;
