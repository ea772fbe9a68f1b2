import { describe, expect, it } from '@jest/globals';
import { accountKey, testApp, type TestApp } from '../testing/app-fixture.ts';
import { dataOf, none, setUp } from '../testing/routing-rule-fixture.ts';

const noon = (startHour: number) => ({ startHour, startMin: 0, endHour: 13, endMin: 0 });
const keyOf = (teamId: string) => ({ ...accountKey, teamId });

describe('POST /v2/teams/{teamIdentifier}/routing-rules', () => {
  it('answers 201 and puts the rule before the default one', async () => {
    const { post, path, list, teamId, scheduling } = await setUp();
    const response = await post(path, { name: 'Night', notify: { type: 'schedule', name: 'Night shift' } });
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({ result: 'Created', data: { id: expect.any(String), name: 'Night' } });
    expect(await list()).toEqual([
      {
        id: dataOf(response)['id'],
        name: 'Night',
        isDefault: false,
        order: 0,
        timezone: 'Europe/Rome',
        criteria: { type: 'match-all' },
        notify: { type: 'schedule', id: 'night', name: 'Night shift' },
      },
      {
        id: expect.any(String),
        name: 'Default Routing Rule',
        isDefault: true,
        order: 1,
        timezone: 'Europe/Rome',
        criteria: { type: 'match-all' },
        notify: { type: 'escalation', id: scheduling.defaults.get(teamId)?.escalationId, name: 'Ops_escalation' },
      },
    ]);
  });

  it('keeps every field as it was written', async () => {
    const { post, get, path } = await setUp();
    const rule = {
      name: '',
      timezone: 'US/Pacific',
      criteria: {
        type: 'Match Any Condition',
        conditions: [
          { field: 'extra-properties', key: 'region', isNot: true, operation: 'Equals', expectedValue: 'eu', order: 0 },
          { field: 'teams', not: false, operation: 'contains', expectedValue: 'Ops' },
        ],
      },
      timeRestriction: {
        type: 'weekday-and-time-of-day',
        restrictions: [
          { startDay: 'friday', startHour: 18, startMin: 15, endDay: 'monday', endHour: 8, endMin: 0 },
          { startDay: 'wednesday', startHour: 0, startMin: 0, endDay: 'wednesday', endHour: 23, endMin: 59 },
        ],
      },
    };
    const id = String(dataOf(await post(path, { ...rule, notify: { type: 'schedule', id: 'night' } }))['id']);
    expect(dataOf(await get(`${path}/${id}`))).toMatchObject({
      ...rule,
      notify: { type: 'schedule', id: 'night', name: 'Night shift' },
    });
  });

  it('names the team by name where the query says so, in any case', async () => {
    const { post, get } = await setUp();
    const byName = '/v2/teams/Ops/routing-rules?teamIdentifierType=NAME';
    expect((await post(byName, { notify: none })).status).toBe(201);
    expect(dataOf(await get(byName))).toHaveLength(2);
  });

  it('answers 422 under the criteria where all rules of the team together would take too long for each alert (P3)', async () => {
    const { post, path } = await setUp();
    const rule = (count: number, expectedValue = '.*disk.*') => ({
      notify: none,
      criteria: {
        type: 'match-any-condition',
        conditions: Array.from({ length: count }, () => ({
          field: 'description',
          operation: 'matches',
          expectedValue,
        })),
      },
    });
    expect((await post(path, rule(40))).status).toBe(201);
    expect(await post(path, rule(40))).toMatchObject({
      status: 422,
      body: { errors: { criteria: expect.stringMatching(/takes too long/) } },
    });
    expect(await post(path, rule(10, '.*a[ab]{0,990}[cd]'))).toMatchObject({
      status: 422,
      body: { errors: { 'criteria.conditions[0].expectedValue': expect.stringMatching(/takes too long/) } },
    });
    expect((await post(path, rule(5))).status).toBe(201);
  });

  it('puts a rule where its order says', async () => {
    const { create, list } = await setUp();
    for (const [name, order] of [['a'], ['b', 0], ['c', 1], ['d', 99]] as const) await create({ name, order });
    expect((await list()).map(({ name, order }) => `${order} ${name}`)).toEqual([
      '0 b',
      '1 c',
      '2 a',
      '3 d',
      '4 Default Routing Rule',
    ]);
  });

  it('takes 100 rules with the default one, and refuses one more by 422', async () => {
    const { post, path, create, list } = await setUp();
    for (let count = 2; count <= 100; count += 1) await create({});
    const { status, body } = await post(path, { notify: none });
    expect(status).toBe(422);
    expect(body).toMatchObject({ message: 'A team has at most 100 routing rules.' });
    expect(await list()).toHaveLength(100);
  });

  it('answers 422 when the rules of the team are too large together to be announced', async () => {
    const { post, path, list } = await setUp();
    const condition = { field: 'message', operation: 'contains', expectedValue: 'a'.repeat(1_000) };
    const criteria = { type: 'match-any-condition', conditions: Array.from({ length: 400 }, () => condition) };
    for (const expected of [201, 201, 422])
      expect((await post(path, { criteria, notify: none })).status).toBe(expected);
    expect(await list()).toHaveLength(3);
  });

  it.each([
    ['Schedule does not exist with id: gone', { type: 'schedule', id: 'gone' }],
    ['Schedule does not exist with name: gone', { type: 'schedule', name: 'gone' }],
    ['Escalation does not exist with id: night', { type: 'escalation', id: 'night' }],
  ])('answers 404: %s', async (message, notify) => {
    const { post, path, list } = await setUp();
    const { status, body } = await post(path, { notify });
    expect(status).toBe(404);
    expect(body).toMatchObject({ message });
    expect(await list()).toHaveLength(1);
  });

  it.each([
    ['notify', { notify: undefined }],
    ['notify.type', { notify: { type: 'team', id: 'x' } }],
    ['order', { order: -1 }],
    ['name', { name: 'a'.repeat(1_001) }],
    ['timezone', { timezone: 'Mars' }],
    ['criteria.type', { criteria: { type: 'match-some' } }],
    ['criteria.conditions', { criteria: { type: 'match-any-condition', conditions: [] } }],
    ['timeRestriction.restriction.startHour', { timeRestriction: { type: 'time-of-day', restriction: noon(24) } }],
  ])('answers 422 that names %s, and creates nothing', async (field, change) => {
    const { post, path, list } = await setUp();
    const { status, body } = await post(path, { notify: none, ...change });
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: { [field]: expect.any(String) } });
    expect(await list()).toHaveLength(1);
  });

  it('answers 503 when scheduling can not be asked, and creates nothing', async () => {
    const { post, path, list, scheduling } = await setUp();
    scheduling.isUnavailable = true;
    expect((await post(path, { notify: { type: 'schedule', id: 'night' } })).status).toBe(503);
    expect((await post(path, { notify: none })).status).toBe(201);
    expect(await list()).toHaveLength(2);
  });

  it('answers 404 for a team that does not exist', async () => {
    const { post } = await testApp();
    const { status, body } = await post('/v2/teams/gone/routing-rules', { notify: none });
    expect(status).toBe(404);
    expect(body).toMatchObject({ message: 'Team does not exist with id: gone' });
  });
});

describe('GET /v2/teams/{teamIdentifier}/routing-rules', () => {
  it('answers 404 for a rule that does not exist, and for one of another team', async () => {
    const { get, team, defaultId, path } = await setUp();
    const other = await team('Web');
    const { status, body } = await get(`/v2/teams/${other}/routing-rules/${defaultId}`);
    expect(status).toBe(404);
    expect(body).toMatchObject({ message: `Routing rule does not exist with id: ${defaultId}` });
    expect((await get(`${path}/gone`)).status).toBe(404);
  });

  it('leaves out the name of its target where scheduling does not answer', async () => {
    const { get, path, scheduling, teamId } = await setUp();
    const escalationId = scheduling.defaults.get(teamId)?.escalationId ?? '';
    scheduling.escalations.remove(escalationId);
    expect(dataOf(await get(path))).toMatchObject([{ notify: { type: 'escalation', id: escalationId } }]);
  });

  it('answers 422 for an unknown kind of identifier of the team', async () => {
    const { get, path } = await setUp();
    const { status, body } = await get(`${path}?teamIdentifierType=tiny`);
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: { teamIdentifierType: 'should be one of [ id, name ]' } });
  });
});

describe('the allowed targets of a rule for a team key (K9)', () => {
  const ofOthers = [
    { type: 'schedule', id: 'theirs' },
    { type: 'schedule', name: 'Their shift' },
    { type: 'escalation', id: 'theirs' },
    { type: 'escalation', name: 'Their pager' },
  ];
  const setUpTwo = async () => {
    const app = await setUp();
    const other = await app.team('Web');
    app.scheduling.addSchedule('theirs', 'Their shift', other);
    app.scheduling.addEscalation('theirs', 'Their pager', other);
    return { ...app, key: keyOf(app.teamId) };
  };

  it.each(ofOthers)('is not %j of another team: 403, and nothing changes', async (notify) => {
    const { post, patch, path, list, key, defaultId } = await setUpTwo();
    const before = await list();
    const refused = { status: 403, body: { code: 40301 } };
    expect(await post(path, { notify }, key)).toMatchObject(refused);
    expect(await patch(`${path}/${defaultId}`, { notify }, key)).toMatchObject(refused);
    expect(await list()).toEqual(before);
    expect((await post(path, { notify })).status).toBe(201);
  });

  it('are those of the team, those of no team, and the present one of the rule', async () => {
    const { post, patch, path, key, scheduling, teamId, create } = await setUpTwo();
    const own = scheduling.defaults.get(teamId)?.scheduleId;
    for (const notify of [none, { type: 'schedule', id: own }, { type: 'schedule', id: 'night' }])
      expect((await post(path, { notify }, key)).status).toBe(201);
    const id = await create({ notify: ofOthers[0] });
    expect((await patch(`${path}/${id}`, { name: 'Renamed', notify: ofOthers[1] }, key)).status).toBe(200);
    expect((await patch(`${path}/${id}`, { notify: ofOthers[2] }, key)).status).toBe(403);
  });
});

describe('the key of a team', () => {
  const writes: readonly [
    string,
    (app: TestApp, path: string, key: ReturnType<typeof keyOf>) => Promise<{ status: number }>,
  ][] = [
    ['lists', ({ get }, path, key) => get(path, key)],
    ['reads', ({ get }, path, key) => get(`${path}/x`, key)],
    ['creates', ({ post }, path, key) => post(path, { notify: none }, key)],
    ['changes', ({ patch }, path, key) => patch(`${path}/x`, {}, key)],
    ['deletes', ({ remove }, path, key) => remove(`${path}/x`, key)],
    ['moves', ({ post }, path, key) => post(`${path}/x/change-order`, {}, key)],
  ];

  it.each(writes)('%s rules of its own team alone (40301)', async (_, ask) => {
    const app = await setUp();
    const own = await app.team('Web');
    expect(await ask(app, app.path, keyOf(own))).toMatchObject({ status: 403, body: { code: 40301 } });
    expect((await ask(app, app.path, keyOf(app.teamId))).status).not.toBe(403);
    expect((await ask(app, '/v2/teams/gone/routing-rules', keyOf(own))).status).toBe(404);
  });
});
