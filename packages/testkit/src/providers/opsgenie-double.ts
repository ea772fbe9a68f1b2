import { opsgenieAccount, type OpsgenieAccount, type OpsgenieObject } from './opsgenie-account.ts';
import { startDouble, type ProviderDouble, type Reading, type SeenRequest } from './provider-double.ts';

/** The keys that the double knows. */
export const OPSGENIE_KEYS = {
  /** Reads all of the account. */
  account: 'a1b2c3d4-0000-4000-8000-0000000000a1',
  /** Of a team: sees no account. */
  team: 'a1b2c3d4-0000-4000-8000-0000000000a2',
  /** Reads alerts alone. */
  withoutConfiguration: 'a1b2c3d4-0000-4000-8000-0000000000a3',
} as const;

/** A double of the API of Opsgenie, which is only read. */
export interface OpsgenieDouble extends ProviderDouble<SeenRequest> {
  readonly account: OpsgenieAccount;
  /** Called before each accepted request is answered: changes the account while it is read. */
  beforeAnswer: (request: SeenRequest) => void;
  /** @throws Error when a request was not a GET. */
  stop(): Promise<void>;
}

/**
 * Starts a double of Opsgenie with recorded quirks: some lists are wrapped in an object or null, some numbers are text, pages name
 * another host for the next page, and a policy of a team is found with the id of its team alone.
 */
export async function startOpsgenie(account: OpsgenieAccount = opsgenieAccount()): Promise<OpsgenieDouble> {
  const hooks: Pick<OpsgenieDouble, 'beforeAnswer'> = { beforeAnswer: () => undefined };
  const double = await startDouble<SeenRequest>((request, count) => {
    hooks.beforeAnswer(request);
    return reading(account, request, count);
  });
  return {
    ...double,
    account,
    get beforeAnswer() {
      return hooks.beforeAnswer;
    },
    set beforeAnswer(hook) {
      hooks.beforeAnswer = hook;
    },
    stop: async () => {
      await double.stop();
      const other = double.requests.find(({ method }) => method !== 'GET');
      if (other !== undefined) throw new Error(`Opsgenie is only read, but got ${other.method} ${other.path}.`);
    },
  };
}

const refused = (status: number, body: OpsgenieObject): Reading<never> => ({
  refused: { status, body: JSON.stringify({ ...body, took: 0.001, requestId: 'a-request' }) },
});
const NOT_FOUND = refused(404, { message: 'No handler found' });
const NO_CONFIGURATION = refused(403, {
  code: 40_301,
  message: 'To perform this action, use an API key from an API integration.',
});
const TEAM_KEY = refused(403, {
  code: 40_301,
  message: 'Team API Keys are not authorized to perform this action.',
});

function reading(account: OpsgenieAccount, request: SeenRequest, count: number): Reading<SeenRequest> {
  const refusal = refusalOf(request);
  if (refusal !== undefined) return refusal;
  const path = request.path.replace(/\/$/, '');
  for (const [pattern, answer] of ROUTES) {
    const match = pattern.exec(path);
    if (match === null) continue;
    const found = answer(account, { query: request.query, name: decodeURIComponent(match[1] ?? ''), match });
    if (found === undefined) return refused(404, { message: `Nothing of this id exists` });
    const body = { ...found, took: 0.012, requestId: `request-${count}` };
    return { message: request, said: { status: 200, body: JSON.stringify(body) } };
  }
  return NOT_FOUND;
}

/** Paths that a key without access to the configuration may read. */
const OPEN_PATHS = /^\/v2\/(?:alerts|request-limits)\b/;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

function refusalOf({ headers, method, path }: SeenRequest): Reading<never> | undefined {
  if (method !== 'GET') return refused(405, { message: 'Method Not Allowed' });
  const key = (headers.authorization ?? '').replace(/^GenieKey /, '');
  if (!UUID.test(key)) return refused(422, { message: 'Key format is not valid!' });
  if (!Object.values<string>(OPSGENIE_KEYS).includes(key)) return refused(401, { message: 'Could not authenticate' });
  return rightsRefusal(key, path);
}

function rightsRefusal(key: string, path: string): Reading<never> | undefined {
  if (key === OPSGENIE_KEYS.team && /^\/v2\/(?:account|users)\b/.test(path)) return TEAM_KEY;
  return key === OPSGENIE_KEYS.withoutConfiguration && !OPEN_PATHS.test(path) ? NO_CONFIGURATION : undefined;
}

interface Asked {
  readonly query: URLSearchParams;
  /** The first name or id in the path. */
  readonly name: string;
  readonly match: RegExpExecArray;
}

type Answer = (account: OpsgenieAccount, asked: Asked) => OpsgenieObject | undefined;

const without = (item: OpsgenieObject, ...names: readonly string[]): OpsgenieObject =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));
const only = (item: OpsgenieObject, ...names: readonly string[]): OpsgenieObject =>
  Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));
const byId = (items: readonly OpsgenieObject[], id: string): OpsgenieObject | undefined =>
  items.find((item) => item['id'] === id);
const dataOf = (data: unknown): OpsgenieObject | undefined => (data === undefined ? undefined : { data });

const users: Answer = ({ users: all }, { query }) => {
  const [limit, offset] = [Number(query.get('limit') ?? 100), Number(query.get('offset') ?? 0)];
  const data = all.slice(offset, offset + Math.min(limit, 100));
  const next = `https://api.opsgenie.com/v2/users?limit=${limit}&offset=${offset + data.length}`;
  return { data, totalCount: String(all.length), paging: { first: next, ...(data.length > 0 && { next }) } };
};

const user: Answer = ({ contacts, users: all }, { name, query }) => {
  const found = byId(all, name);
  if (found === undefined) return undefined;
  const asked = query.get('expand') === 'contact';
  const userContacts = (contacts.get(name) ?? []).map(({ id, method, status, to }) => ({
    ...{ id, to, contactMethod: method },
    ...(status as object),
  }));
  return { data: { ...found, ...(asked && { userContacts }) }, expandable: ['contact'] };
};

const notificationRules: Answer = (account, { name }) =>
  dataOf(
    (account.notificationRules.get(name) ?? []).map((rule) =>
      only(rule, 'id', 'name', 'actionType', 'order', 'enabled'),
    ),
  );

const ofTeam = ({ query }: Asked, policy: OpsgenieObject): boolean =>
  (query.get('teamId') ?? undefined) === policy['teamId'];
const policiesOf =
  (type: string): Answer =>
  ({ policies }, asked) =>
    dataOf(
      policies
        .filter((policy) => policy['type'] === type && ofTeam(asked, policy))
        .map((policy) => only(policy, 'id', 'name', 'type', 'order', 'enabled')),
    );

const HOUR_MS = 3_600_000;
const UNIT_HOURS: Readonly<Record<string, number>> = { days: 24, weeks: 24 * 7, months: 24 * 30 };

/** The plan of each schedule begins on this Monday, and repeats itself. */
const PLAN_START = Date.parse('2026-03-02T00:00:00Z');
const PLAN_HOURS = 3 * 7 * 24;

interface Shift {
  readonly from: number;
  readonly until: number;
  readonly user: string;
}

/** The shifts of a schedule in a range, in epoch milliseconds. */
function shiftsIn({ onCall }: OpsgenieAccount, schedule: string, from: number, until: number): readonly Shift[] {
  const planMs = PLAN_HOURS * HOUR_MS;
  const shifts: Shift[] = [];
  for (let begin = PLAN_START + Math.floor((from - PLAN_START) / planMs) * planMs; begin < until; begin += planMs)
    for (const period of onCall.get(schedule) ?? [])
      shifts.push({
        from: Math.max(from, begin + period.from * HOUR_MS),
        until: Math.min(until, begin + Math.min(period.until, PLAN_HOURS) * HOUR_MS),
        user: period.user,
      });
  return shifts.filter((shift) => shift.from < shift.until);
}

const nameOf = ({ users: all }: OpsgenieAccount, id: string): unknown => byId(all, id)?.['username'];

/** A timeline starts with the day of its date. */
const timeline: Answer = (account, { name, query }) => {
  const schedule = byId(account.schedules, name);
  if (schedule === undefined) return undefined;
  const day = (query.get('date') ?? '2026-03-02').slice(0, 10);
  const start = Date.parse(`${day}T00:00:00Z`);
  const hours = Number(query.get('interval') ?? 1) * (UNIT_HOURS[query.get('intervalUnit') ?? 'weeks'] ?? 0);
  const end = start + hours * HOUR_MS;
  const at = (instant: number): string => new Date(instant).toISOString();
  const periods = shiftsIn(account, name, start, end).map(({ from, until, user: id }) => ({
    ...{ startDate: at(from), endDate: at(until), type: 'default' },
    recipient: { id, type: 'user', name: nameOf(account, id) },
  }));
  const rotations = [{ id: 'rotation', name: 'Rot1', order: '1.0', periods }];
  return {
    data: {
      ...{ _parent: only(schedule, 'id', 'name', 'enabled'), startDate: at(start), endDate: at(end) },
      finalTimeline: { rotations: periods.length === 0 ? null : rotations },
      baseTimeline: { rotations },
    },
    expandable: ['base', 'forwarding', 'override'],
  };
};

/** The users on call at an instant; a schedule that is disabled is not listed. */
const onCalls: Answer = (account, { query }) => {
  const at = Date.parse(query.get('date') ?? '2026-03-02T00:00:00Z');
  const enabled = account.schedules.filter((schedule) => schedule['enabled'] !== false);
  return dataOf(
    enabled.map((schedule) => ({
      _parent: only(schedule, 'id', 'name', 'enabled'),
      onCallRecipients: shiftsIn(account, String(schedule['id']), at, at + 1).map(({ user: id }) =>
        nameOf(account, id),
      ),
    })),
  );
};

/** A list of alerts goes no further than its item of this number. */
const MAX_LISTED = 20_000;

/** The alerts of a query: `createdAt >= N`, `status: open AND createdAt >= N`, `alias: "…"`, or none. */
function alertsAsked({ alerts: all }: OpsgenieAccount, query: URLSearchParams): readonly OpsgenieObject[] {
  const asked = query.get('query');
  if (asked === null) return all;
  const [, alias] = /^alias: "([^"]*)"$/.exec(asked) ?? [];
  if (alias !== undefined) return all.filter((alert) => (alert['alias'] ?? alert['id']) === alias);
  const [, open, since] = /^(status: open AND )?createdAt >= (\d+)$/.exec(asked) ?? [];
  return all.filter(
    (alert) =>
      Date.parse(String(alert['createdAt'])) >= Number(since) && (open === undefined || alert['status'] === 'open'),
  );
}

const alerts: Answer = (account, { query }) => {
  const [limit, offset] = [Number(query.get('limit') ?? 20), Number(query.get('offset') ?? 0)];
  if (limit > 100 || offset + limit > MAX_LISTED) return undefined;
  const by = query.get('sort') ?? 'createdAt';
  const sign = query.get('order') === 'asc' ? 1 : -1;
  const sorted = alertsAsked(account, query).toSorted((one, other) =>
    String(one[by]) < String(other[by]) ? -sign : sign * Number(String(one[by]) !== String(other[by])),
  );
  return { data: sorted.slice(offset, offset + limit), paging: {} };
};

const ofAlert =
  (listsOf: (account: OpsgenieAccount) => ReadonlyMap<string, readonly OpsgenieObject[]>): Answer =>
  (account, { name }) =>
    byId(account.alerts, name) && { data: orNull(listsOf(account).get(name)) };

const services: Answer = ({ services: all }, { query }) => {
  const offset = Number(query.get('offset') ?? 0);
  return { data: all.slice(offset, offset + Number(query.get('limit') ?? 20)), paging: {} };
};

/** A list that is null where it is empty. */
const orNull = (items: readonly OpsgenieObject[] | undefined): unknown =>
  items === undefined || items.length === 0 ? null : items;

const ROUTES: readonly (readonly [RegExp, Answer])[] = [
  [/^\/v2\/request-limits$/, ({ rateLimits }) => ({ data: { rateLimits } })],
  [/^\/v2\/account$/, ({ account }) => ({ data: account })],
  [/^\/v2\/roles$/, ({ roles }) => dataOf(roles.map((role) => only(role, 'id', 'name')))],
  [/^\/v2\/roles\/([^/]+)$/, ({ roles }, { name }) => dataOf(byId(roles, name))],
  [/^\/v2\/users$/, users],
  [/^\/v2\/users\/([^/]+)$/, user],
  [/^\/v2\/users\/([^/]+)\/contacts$/, ({ contacts }, { name }) => ({ data: orNull(contacts.get(name)) })],
  [/^\/v2\/users\/([^/]+)\/notification-rules$/, notificationRules],
  [
    /^\/v2\/users\/([^/]+)\/notification-rules\/([^/]+)$/,
    (account, { match, name }) => dataOf(byId(account.notificationRules.get(name) ?? [], match[2] ?? '')),
  ],
  [/^\/v2\/teams$/, ({ teams }) => dataOf(teams.map((team) => without(team, 'members')))],
  [/^\/v2\/teams\/([^/]+)$/, ({ teams }, { name }) => dataOf(byId(teams, name))],
  [/^\/v2\/teams\/([^/]+)\/routing-rules$/, ({ routingRules }, { name }) => dataOf(routingRules.get(name) ?? [])],
  [/^\/v2\/teams\/([^/]+)\/roles$/, ({ teamRoles }, { name }) => ({ data: orNull(teamRoles.get(name)) })],
  [
    /^\/v2\/schedules$/,
    ({ schedules }, { query }) => ({
      data: query.get('expand') === 'rotation' ? schedules : schedules.map((each) => without(each, 'rotations')),
      expandable: ['rotation'],
    }),
  ],
  [/^\/v2\/schedules\/on-calls$/, onCalls],
  [/^\/v2\/schedules\/([^/]+)\/overrides$/, ({ overrides }, { name }) => ({ data: orNull(overrides.get(name)) })],
  [/^\/v2\/schedules\/([^/]+)\/timeline$/, timeline],
  [/^\/v2\/escalations$/, ({ escalations }) => dataOf(escalations)],
  [/^\/v2\/forwarding-rules$/, ({ forwardingRules }) => dataOf(forwardingRules)],
  [
    /^\/v2\/integrations$/,
    ({ integrations }) => ({
      code: 200,
      data: integrations.map((each) => only(each, 'id', 'name', 'enabled', 'type', 'teamId')),
    }),
  ],
  [/^\/v2\/integrations\/([^/]+)$/, ({ integrations }, { name }) => dataOf(byId(integrations, name))],
  [/^\/v2\/integrations\/([^/]+)\/actions$/, ({ actions }, { name }) => dataOf(actions.get(name))],
  [/^\/v2\/policies\/alert$/, policiesOf('alert')],
  [/^\/v2\/policies\/notification$/, policiesOf('notification')],
  [
    /^\/v2\/policies\/([^/]+)$/,
    ({ policies }, asked) => {
      const found = byId(policies, asked.name);
      return found === undefined || !ofTeam(asked, found) ? undefined : { data: found };
    },
  ],
  [
    /^\/v1\/policies$/,
    ({ deprecatedPolicies }) =>
      dataOf(deprecatedPolicies.map((each) => only(each, 'id', 'name', 'type', 'order', 'enabled'))),
  ],
  [/^\/v1\/policies\/([^/]+)$/, ({ deprecatedPolicies }, { name }) => dataOf(byId(deprecatedPolicies, name))],
  [/^\/v1\/maintenance$/, ({ maintenance }) => dataOf(maintenance.map((each) => without(each, 'rules')))],
  [/^\/v1\/maintenance\/([^/]+)$/, ({ maintenance }, { name }) => dataOf(byId(maintenance, name))],
  [/^\/v2\/heartbeats$/, ({ heartbeats }) => ({ data: { heartbeats } })],
  [
    /^\/v2\/alerts\/saved-searches$/,
    ({ savedSearches }) => dataOf(savedSearches.map((each) => only(each, 'id', 'name'))),
  ],
  [/^\/v2\/alerts\/saved-searches\/([^/]+)$/, ({ savedSearches }, { name }) => dataOf(byId(savedSearches, name))],
  [/^\/v1\/services$/, services],
  [/^\/v2\/alerts$/, alerts],
  [/^\/v2\/alerts\/requests\/([^/]+)$/, ({ alertRequests }, { name }) => dataOf(alertRequests.get(name))],
  [/^\/v2\/alerts\/count$/, (account, { query }) => ({ data: { count: alertsAsked(account, query).length } })],
  [
    /^\/v2\/alerts\/([^/]+)$/,
    ({ alerts: all }, { name }) => {
      const found = byId(all, name);
      return dataOf(found && { ...found, description: 'a text', details: { key: 'value' } });
    },
  ],
  [/^\/v2\/alerts\/([^/]+)\/recipients$/, ofAlert(({ alertRecipients }) => alertRecipients)],
  [/^\/v2\/alerts\/([^/]+)\/logs$/, ofAlert(({ alertLogs }) => alertLogs)],
];
