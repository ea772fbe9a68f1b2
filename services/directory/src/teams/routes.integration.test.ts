import { describe, expect, it } from '@jest/globals';
import { accountKey, testApp } from '../testing/app-fixture.ts';

const keyOf = (teamId: string) => ({ ...accountKey, teamId });
const dataOf = (response: { body: unknown }) => (response.body as { data: Record<string, unknown> }).data;

describe('POST /v2/teams', () => {
  it('answers 201 once the team has its schedule, its escalation and its default routing rule', async () => {
    const { post, scheduling, stores } = await testApp();
    const response = await post('/v2/teams', { name: 'Ops' });
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({ result: 'Created', data: { id: expect.any(String), name: 'Ops' } });
    const id = String(dataOf(response)['id']);
    const defaults = scheduling.defaults.get(id);
    expect(await stores.teams.find({ id })).toMatchObject({
      defaults,
      routingRules: [
        {
          isDefault: true,
          order: 0,
          timezone: 'Europe/Rome',
          criteria: { set: { type: 'match-all' } },
          notify: { type: 'escalation', id: defaults?.escalationId },
        },
      ],
    });
  });

  it('takes members by id or user name, in any case, each once, as users by default', async () => {
    const { post, get, user } = await testApp();
    const [ada, bob] = [await user('ada@example.com'), await user('bob@example.com')];
    await post('/v2/teams', {
      name: 'Ops',
      description: 'Keeps it running',
      members: [
        { user: { id: ada } },
        { user: { username: 'Bob@Example.com', id: '' }, role: 'ADMIN' },
        { user: {} },
        { user: { username: 'ada@example.com' }, role: null },
      ],
    });
    const { status, body } = await get('/v2/teams/Ops?identifierType=Name');
    expect(status).toBe(200);
    expect((body as { data: unknown }).data).toEqual({
      id: expect.any(String),
      name: 'Ops',
      description: 'Keeps it running',
      members: [
        { user: { id: ada, username: 'ada@example.com' }, role: 'user' },
        { user: { id: bob, username: 'bob@example.com' }, role: 'admin' },
      ],
    });
  });

  it('answers 409 when the name is taken, and only for the very same name', async () => {
    const { post, team } = await testApp();
    await team('Ops');
    const { status, body } = await post('/v2/teams', { name: 'Ops' });
    expect(status).toBe(409);
    expect(body).toMatchObject({ message: 'Team with name [Ops] already exists.' });
    expect((await post('/v2/teams', { name: 'ops' })).status).toBe(201);
  });

  it('lets one of 50 requests for one name in', async () => {
    const { post, get } = await testApp();
    const answers = await Promise.all(Array.from({ length: 50 }, () => post('/v2/teams', { name: 'Ops' })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
    expect(dataOf(await get('/v2/teams'))).toHaveLength(1);
  });

  it.each([
    ['an id', { id: 'unknown' }, 'unknown'],
    ['a user name', { username: 'unknown@example.com' }, 'unknown@example.com'],
  ])('answers 404 that names a member who does not exist by %s', async (_, user, named) => {
    const { post, get } = await testApp();
    const { status, body } = await post('/v2/teams', { name: 'Ops', members: [{ user }] });
    expect(status).toBe(404);
    expect(body).toMatchObject({ message: `User does not exist with id or username: ${named}` });
    expect(dataOf(await get('/v2/teams'))).toEqual([]);
  });

  it.each([
    ['name', { name: undefined }, 'Team name can not be empty.'],
    ['name', { name: '' }, 'Team name can not be empty.'],
    ['name', { name: 'a'.repeat(101) }, 'should be at most 100 characters'],
    ['description', { description: 'a'.repeat(201) }, 'should be at most 200 characters'],
    ['members', { members: 'ada' }, 'should be a list'],
    ['members[0]', { members: ['ada'] }, 'should be an object that names a user'],
    ['members[0].user', { members: [{ role: 'user' }] }, 'id or username should be provided'],
    ['members[0].role', { members: [{ user: { id: 'a' }, role: 'boss' }] }, 'should be one of [ user, admin ]'],
  ])('answers 422 that names %s, and creates nothing', async (field, change, sentence) => {
    const { post, scheduling } = await testApp();
    const { status, body } = await post('/v2/teams', { name: 'Ops', ...change });
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: { [field]: sentence } });
    expect(scheduling.defaults.size).toBe(0);
  });

  it('answers 503 when scheduling can not be asked, hides the team, and completes it on a repeat', async () => {
    const { post, get, scheduling } = await testApp();
    scheduling.isUnavailable = true;
    expect((await post('/v2/teams', { name: 'Ops' })).status).toBe(503);
    expect((await get('/v2/teams/Ops?identifierType=name')).status).toBe(404);
    expect(dataOf(await get('/v2/teams'))).toEqual([]);
    scheduling.isUnavailable = false;
    expect((await post('/v2/teams', { name: 'Ops', description: 'Again' })).status).toBe(201);
    expect(dataOf(await get('/v2/teams/Ops?identifierType=name'))).toMatchObject({ description: 'Again' });
  });

  it('answers 502 and frees the name when scheduling refuses for good', async () => {
    const { post, scheduling } = await testApp();
    scheduling.refuses = true;
    expect((await post('/v2/teams', { name: 'Ops' })).status).toBe(502);
    scheduling.refuses = false;
    expect((await post('/v2/teams', { name: 'Ops' })).status).toBe(201);
  });

  it('answers 403 to the key of a team', async () => {
    const { post } = await testApp();
    const { status, body } = await post('/v2/teams', { name: 'Ops' }, keyOf('team'));
    expect(status).toBe(403);
    expect(body).toMatchObject({ code: 40301 });
  });
});

describe('GET /v2/teams/{identifier}', () => {
  it('finds a team by its id, and by its name with any characters', async () => {
    const { team, get } = await testApp();
    const id = await team('Ops [night] + 🔔/2');
    expect(dataOf(await get(`/v2/teams/${id}`))).toMatchObject({ name: 'Ops [night] + 🔔/2' });
    const path = `/v2/teams/${encodeURIComponent('Ops [night] + 🔔/2')}?identifierType=name`;
    expect(dataOf(await get(path))).toMatchObject({ id });
  });

  it('answers 404 when there is no such team', async () => {
    const { team, get } = await testApp();
    await team('Ops');
    const { status, body } = await get('/v2/teams/Ops');
    expect(status).toBe(404);
    expect(body).toMatchObject({ message: 'Team does not exist with id: Ops' });
  });

  it('answers 422 for another type of identifier', async () => {
    const { get } = await testApp();
    const { status, body } = await get('/v2/teams/Ops?identifierType=tiny');
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: { identifierType: 'should be one of [ id, name ]' } });
  });

  it('shows the key of a team its own, and answers 403 for another', async () => {
    const { team, get } = await testApp();
    const [own, other] = [await team('Ops'), await team('Web')];
    expect((await get(`/v2/teams/${own}`, keyOf(own))).status).toBe(200);
    const { status, body } = await get(`/v2/teams/${other}`, keyOf(own));
    expect(status).toBe(403);
    expect(body).toMatchObject({
      code: 40301,
      message: 'Team API Keys are not authorized to perform this action.',
    });
  });
});

describe('GET /v2/teams', () => {
  const linksOf = (id: string) => {
    const url: unknown = expect.stringMatching(`^http://[^/]+/v2/teams/${id}$`);
    return { web: url, api: url };
  };

  it('lists all teams by creation', async () => {
    const { team, get, clock } = await testApp();
    const web = await team('Web');
    clock.advance(1);
    const ops = await team('Ops');
    expect(dataOf(await get('/v2/teams'))).toEqual([
      { id: web, name: 'Web', description: '', links: linksOf(web) },
      { id: ops, name: 'Ops', description: '', links: linksOf(ops) },
    ]);
  });

  it('lists to the key of a team its own alone', async () => {
    const { team, get } = await testApp();
    await team('Web');
    const own = await team('Ops');
    expect(dataOf(await get('/v2/teams', keyOf(own)))).toMatchObject([{ id: own, name: 'Ops', description: '' }]);
  });
});
