import { beforeAll, describe, expect, it } from '@jest/globals';
import { OPERATIONS } from '@tocsin/api';
import { MAX_TURN_MS, measuredAnswer } from '@tocsin/testkit';
import { MAX_SESSIONS } from './sessions/session.ts';
import { testApp, type TestApp } from './testing/app-fixture.ts';
import { moveBody } from './testing/move-samples.ts';
import { storeTeams, storeUsers } from './testing/mongo-fixture.ts';
import { Browser, PERSON } from './testing/session-fixture.ts';
import { sampleTeam } from './testing/team-samples.ts';

const many = <T>(count: number, of: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => of(index));

/** Of characters that take three bytes each. */
const wide = (length: number): string => '√'.repeat(length);

/** Teams whose routing rules, nearly as large as they may be, notify one schedule. */
const SHARED_TARGET_TEAMS = 30;

let app: TestApp;
/** Of a user who is in thousands of teams. */
let browser: Browser;
let ids: Readonly<Record<'user' | 'contact' | 'team' | 'routingRule' | 'rule' | 'step', string>>;

/** Of a list in an answer, the id of its first item. */
const firstId = ({ body }: { readonly body: unknown }): string =>
  (body as { data: { id: string }[] }).data[0]?.id ?? '';

/** Roles with as many rights as bodies may hold, of which none may be named twice. */
async function fillRoles(team: string): Promise<void> {
  const granted = many(500, (each) => `granted-${each} ${wide(80)}`);
  const disallowed = many(500, (each) => `disallowed-${each} ${wide(80)}`);
  const rights = many(100, (each) => ({ right: `${each} ${wide(90)}`, granted: true }));
  const answers = [
    await app.post('/v2/roles', { name: 'Large', grantedRights: granted, disallowedRights: disallowed }),
    await app.post(`/v2/teams/${team}/roles`, { name: 'Large', rights }),
  ];
  for (const { status, body } of answers) if (status !== 201) throw new Error(JSON.stringify(body));
}

/** A check of a move with as much text as one may have. */
async function fillMove(): Promise<void> {
  const conditions = moveBody().conditions.map((condition) => ({
    ...condition,
    summary: wide(500),
    missing: many(100, () => wide(500)),
  }));
  const { body, status } = await app.put('/v2/account/move', { ...moveBody(), conditions });
  if (status !== 200) throw new Error(JSON.stringify(body));
}

async function fill(): Promise<void> {
  app = await testApp();
  const user = await app.user('ada@example.com');
  const team = await app.team('Ops');
  const conditions = many(20, (each) => ({
    field: 'message',
    operation: 'contains',
    expectedValue: `${each}${wide(100)}`,
  }));
  for (let rule = 0; rule < 99; rule += 1)
    await app.post(`/v2/teams/${team}/routing-rules`, {
      name: `${rule}`,
      criteria: { type: 'match-all-conditions', conditions },
      notify: { type: 'none' },
    });
  const { connection, teams, users } = app.stores;
  const [template, ops] = [await users.find({ id: user }), await teams.find({ id: team })];
  if (template === undefined || ops === undefined) throw new Error('There is no user or no team.');
  await storeUsers(
    connection,
    many(1_000, (index) => ({ ...template, id: `user-${index}`, username: `user-${index}@example.com` })),
  );
  const members = many(1_000, (index) => ({ userId: `user-${index}`, role: 'user' as const }));
  await storeTeams(connection, [
    { ...ops, members },
    ...many(SHARED_TARGET_TEAMS, (index) => ({
      ...ops,
      id: `large-${index}`,
      name: `Large ${index}`,
      routingRules: ops.routingRules.map((rule) => ({ ...rule, notify: { type: 'schedule' as const, id: 'shared' } })),
    })),
    ...many(2_000, (index) => ({
      ...sampleTeam({ id: `team-${index}`, name: `${index}`, description: wide(1_000) }),
      members: members.slice(0, 10),
    })),
  ]);
  browser = new Browser(app);
  for (let session = 0; session < MAX_SESSIONS; session += 1) {
    // A code of an operator, because those of mails are limited.
    const { body } = await app.post('/internal/sign-ins', { username: 'user-1@example.com' }, { service: 'gateway' });
    await browser.redeem((body as { data: { code: string } }).data.code);
  }
  await fillRoles(team);
  await fillMove();
  const rule = firstId(await app.get(`/v2/users/${user}/notification-rules`));
  for (let count = 0; count < 200; count += 1)
    await app.post(`/v2/users/${user}/notification-rules/${rule}/steps`, {
      contact: { method: 'email', to: 'ada@example.com' },
      sendAfter: { timeAmount: count },
    });
  ids = {
    user,
    contact: firstId(await app.get(`/v2/users/${user}/contacts`)),
    team,
    routingRule: firstId(await app.get(`/v2/teams/${team}/routing-rules`)),
    rule,
    step: firstId(await app.get(`/v2/users/${user}/notification-rules/${rule}/steps`)),
  };
}

/** The largest that each read allows, or nearly. */
const READS: Readonly<Record<string, () => string>> = {
  'get-team': () => `/v2/teams/${ids.team}`,
  'list-teams': () => '/v2/teams',
  'list-team-logs': () => `/v2/teams/${ids.team}/logs?limit=100`,
  'list-routing-rules': () => `/v2/teams/${ids.team}/routing-rules`,
  'get-routing-rule': () => `/v2/teams/${ids.team}/routing-rules/${ids.routingRule}`,
  'get-user': () => `/v2/users/${ids.user}?expand=contact`,
  'list-users': () => '/v2/users?limit=100',
  'list-user-teams': () => '/v2/users/user-1/teams',
  'get-contact': () => `/v2/users/${ids.user}/contacts/${ids.contact}`,
  'list-contacts': () => `/v2/users/${ids.user}/contacts`,
  'list-notification-rules': () => `/v2/users/${ids.user}/notification-rules`,
  'get-notification-rule': () => `/v2/users/${ids.user}/notification-rules/${ids.rule}`,
  'list-notification-steps': () => `/v2/users/${ids.user}/notification-rules/${ids.rule}/steps`,
  'get-notification-step': () => `/v2/users/${ids.user}/notification-rules/${ids.rule}/steps/${ids.step}`,
  'get-ways-to-sign-in': () => '/console/api/sign-in',
  'get-session': () => '/console/api/session',
  'list-sessions': () => '/console/api/sessions',
  'get-account': () => '/v2/account',
  'get-shadow': () => '/v2/account/shadow',
  'get-move': () => '/v2/account/move',
  'list-roles': () => '/v2/roles',
  'get-role': () => '/v2/roles/Large?identifierType=name',
  'list-team-roles': () => `/v2/teams/${ids.team}/roles`,
  'get-team-role': () => `/v2/teams/${ids.team}/roles/Large?identifierType=name`,
};

/** Reads of other services. */
const INTERNAL_READS = ['/internal/uses?type=schedule&id=shared', '/internal/states/teams.v1?id=large-0'];

const reads = OPERATIONS.filter(({ method, owner }) => method === 'GET' && owner === 'directory');

describe('every read of directory', () => {
  beforeAll(fill);

  it('is in this test', () => {
    expect(reads.map(({ id }) => id).sort()).toEqual(Object.keys(READS).sort());
  });

  it.each(Object.entries(READS))('blocks the event loop for at most 20 ms of processor time: %s', async (_, path) => {
    const headers = path().startsWith('/console/')
      ? { ...(await app.vouched(PERSON)), ...browser.headers }
      : await app.vouched();
    const { status, longestTurnMs } = await measuredAnswer({ app: app.app, path: path(), headers });
    expect({ path: path(), status }).toEqual({ path: path(), status: 200 });
    expect(longestTurnMs).toBeLessThanOrEqual(MAX_TURN_MS);
  });

  it.each(INTERNAL_READS)('blocks the event loop for at most 20 ms of processor time: %s', async (path) => {
    const headers = await app.vouched({ service: 'scheduling' });
    const { status, longestTurnMs } = await measuredAnswer({ app: app.app, path, headers });
    expect(status).toBe(200);
    expect(longestTurnMs).toBeLessThanOrEqual(MAX_TURN_MS);
  });
});
