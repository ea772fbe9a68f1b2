import { describe, expect, it } from '@jest/globals';
import { MATCH_ALL_CRITERIA } from '@tocsin/api';
import { accountKey, testApp } from '../testing/app-fixture.ts';

const keyOf = (teamId: string) => ({ ...accountKey, teamId });
const dataOf = (response: { body: unknown }) => (response.body as { data: Record<string, unknown> }).data;

describe('DELETE /v2/teams/{identifier}', () => {
  it('removes the team, lets scheduling release it, stops its integrations and switches its policies off', async () => {
    const { team, get, remove, scheduling, integrations, policies } = await testApp();
    const id = await team('Ops');
    const { status, body } = await remove('/v2/teams/Ops?identifierType=name');
    expect(status).toBe(200);
    expect(body).toMatchObject({ result: 'Deleted' });
    expect((await get(`/v2/teams/${id}`)).status).toBe(404);
    expect(scheduling.released.has(id)).toBe(true);
    expect(integrations.disabled.has(id)).toBe(true);
    expect(policies.disabled.has(id)).toBe(true);
  });

  it('frees the name and the members', async () => {
    const { user, team, remove, post } = await testApp();
    await user('ada@example.com');
    const id = await team('Ops', [{ user: { username: 'ada@example.com' } }]);
    await remove(`/v2/teams/${id}`);
    expect((await post('/v2/teams', { name: 'Ops' })).status).toBe(201);
    expect((await remove('/v2/users/ada@example.com')).status).toBe(200);
  });

  it('answers 404 when there is no such team', async () => {
    const { remove } = await testApp();
    expect((await remove('/v2/teams/Ops')).status).toBe(404);
  });

  it('answers 428 that names the uses of the team', async () => {
    const { team, get, remove, scheduling } = await testApp();
    const id = await team('Ops');
    scheduling.uses.set(`team:${id}`, ['Escalation [Web_escalation] names it.']);
    const { status, body } = await remove(`/v2/teams/${id}`);
    expect(status).toBe(428);
    expect(body).toMatchObject({ message: 'Team [Ops] is still in use: Escalation [Web_escalation] names it.' });
    expect((await get(`/v2/teams/${id}`)).status).toBe(200);
  });

  it('answers 428 when a routing rule of another team notifies its defaults', async () => {
    const { team, remove, scheduling, stores } = await testApp();
    const id = await team('Ops');
    const other = {
      id: 'other',
      name: 'Web',
      description: '',
      members: [],
      attempt: 'x',
      createdBy: 'key',
      createdAt: new Date(0),
    };
    await stores.teams.begin(other);
    const escalationId = scheduling.defaults.get(id)?.escalationId ?? '';
    const rule = { name: 'Night', isDefault: false, order: 0, timezone: 'UTC' };
    await stores.teams.activate('other', 'x', {
      defaults: undefined,
      routingRules: [
        {
          ...rule,
          id: 'rule',
          criteria: MATCH_ALL_CRITERIA,
          notify: { type: 'escalation', id: escalationId },
        },
      ],
    });
    const { status, body } = await remove(`/v2/teams/${id}`);
    expect(status).toBe(428);
    expect(body).toMatchObject({
      message: 'Team [Ops] is still in use: Routing rule [Night] of team [Web] notifies it.',
    });
  });

  it('answers 503 and keeps the team when scheduling can not be asked', async () => {
    const { team, get, remove, scheduling } = await testApp();
    const id = await team('Ops');
    scheduling.isUnavailable = true;
    expect((await remove(`/v2/teams/${id}`)).status).toBe(503);
    expect((await get(`/v2/teams/${id}`)).status).toBe(200);
  });

  it.each([
    ['the integrations can not be stopped', 'integrations'],
    ['the policies can not be switched off', 'policies'],
  ] as const)('answers 503 when %s, hides the team, and goes on at the next request', async (_, service) => {
    const { team, get, remove, [service]: owner } = await testApp();
    const id = await team('Ops');
    owner.isUnavailable = true;
    expect((await remove(`/v2/teams/${id}`)).status).toBe(503);
    expect((await get(`/v2/teams/${id}`)).status).toBe(404);
    owner.isUnavailable = false;
    expect((await remove(`/v2/teams/${id}`)).status).toBe(200);
    expect((await remove(`/v2/teams/${id}`)).status).toBe(404);
  });

  it('ends a removal that was cut off before the name is given to a new team', async () => {
    const { team, post, remove, integrations } = await testApp();
    const id = await team('Ops');
    integrations.isUnavailable = true;
    await remove(`/v2/teams/${id}`);
    expect((await post('/v2/teams', { name: 'Ops' })).status).toBe(503);
    integrations.isUnavailable = false;
    const again = await post('/v2/teams', { name: 'Ops' });
    expect(again.status).toBe(201);
    expect(dataOf(again)['id']).not.toBe(id);
  });

  it('answers 403 to the key of a team', async () => {
    const { team, remove } = await testApp();
    const id = await team('Ops');
    expect((await remove(`/v2/teams/${id}`, keyOf(id))).status).toBe(403);
  });
});
