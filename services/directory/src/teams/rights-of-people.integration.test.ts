import { beforeAll, describe, expect, it } from '@jest/globals';
import { OPERATIONS, peopleOf } from '@tocsin/api';
import type { UserPrincipal } from '@tocsin/http';
import { signedIn } from '@tocsin/testkit';
import { testApp, type TestApp } from '../testing/app-fixture.ts';

const WRITES = OPERATIONS.filter((each) => each.owner === 'directory' && peopleOf(each) === 'team-admin');
const CHANGE = 'Only an admin of team [Ops], or an admin of the account, can change it.';

let app: TestApp;
let teamId: string;
let userId: string;

beforeAll(async () => {
  app = await testApp();
  userId = await app.user('ada@example.com');
  await app.user('bob@example.com');
  teamId = await app.team('Ops', [{ user: { id: userId }, role: 'admin' }]);
});

const admin = (): UserPrincipal => signedIn({ [teamId]: 'admin' }, { userId });
const member = (): UserPrincipal => signedIn({ [teamId]: 'user', other: 'admin' });

describe('a user who does not administer the team', () => {
  it.each(WRITES.map(({ id }) => [id]))('is refused by %s (K12)', async (id) => {
    const operation = WRITES.find((each) => each.id === id);
    if (operation === undefined) throw new RangeError(`${id} is no write of a team.`);
    const path = operation.path
      .replace(/\{teamIdentifier\}|(?<=teams\/)\{identifier\}/, teamId)
      .replace('{memberIdentifier}', 'ada@example.com')
      .replace(/\{\w+\}/, 'none');
    const body = operation.body?.example ?? {};
    const answer =
      operation.method === 'DELETE'
        ? await app.remove(path, member())
        : await app[operation.method === 'PATCH' ? 'patch' : 'post'](path, body, member());
    expect(answer).toMatchObject({ status: 403, body: { code: 40301, message: CHANGE } });
  });

  it('reads the team, its routing rules, its roles and its history', async () => {
    for (const part of ['', '/routing-rules', '/roles', '/logs'])
      expect((await app.get(`/v2/teams/${teamId}${part}`, member())).status).toBe(200);
    expect((await app.get('/v2/teams', member())).body).toMatchObject({ data: [{ name: 'Ops' }] });
    expect((await app.get('/v2/users/ada@example.com/teams', member())).body).toMatchObject({
      data: [{ name: 'Ops' }],
    });
  });

  it('neither creates nor deletes teams, also as an admin of the team (K11)', async () => {
    const message = 'Only an owner or admin of the account can do this.';
    expect(await app.post('/v2/teams', { name: 'New' }, admin())).toMatchObject({ status: 403, body: { message } });
    expect(await app.remove(`/v2/teams/${teamId}`, admin())).toMatchObject({ status: 403, body: { message } });
  });
});

describe('an admin of the team', () => {
  it('changes its members and routing rules, which its history has under their user name (K13)', async () => {
    const added = await app.post(`/v2/teams/${teamId}/members`, { user: { username: 'bob@example.com' } }, admin());
    const rule = { name: 'Nights', criteria: { type: 'match-all' }, notify: { type: 'none' } };
    const routed = await app.post(`/v2/teams/${teamId}/routing-rules`, rule, admin());
    expect([added.status, routed.status]).toEqual([200, 201]);
    const { body } = await app.get(`/v2/teams/${teamId}/logs`, admin());
    const { logs } = (body as { data: { logs: { owner: string; log: string }[] } }).data;
    const username = admin().username;
    expect(logs).toContainEqual(expect.objectContaining({ owner: username, log: 'Routing rule [Nights] is created.' }));
    expect(logs).toContainEqual(
      expect.objectContaining({ owner: username, log: 'User [bob@example.com] is added as user.' }),
    );
  });
});
