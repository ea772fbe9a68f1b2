import { describe, expect, it } from '@jest/globals';
import { dataOf, none, type Rule, setUp } from '../testing/routing-rule-fixture.ts';

const NIGHT = {
  type: 'time-of-day',
  restriction: { startHour: 22, startMin: 15, endHour: 6, endMin: 0 },
};
const DATABASES = {
  type: 'match-all-conditions',
  conditions: [{ field: 'tags', not: false, operation: 'contains', expectedValue: 'db' }],
};
const toNight = { notify: { type: 'schedule', id: 'night' } };
const names = (rules: readonly Rule[]) => rules.map(({ name, order }) => `${order} ${name}`);

describe('PATCH /v2/teams/{teamIdentifier}/routing-rules/{id}', () => {
  it('changes the fields of the body and nothing else', async () => {
    const { create, patch, get, path } = await setUp();
    const id = await create({ name: 'Night', timezone: 'Asia/Tokyo', timeRestriction: NIGHT });
    const { status, body } = await patch(`${path}/${id}`, {
      criteria: DATABASES,
      notify: { type: 'schedule', id: 'night' },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ result: 'Updated', data: { id, name: 'Night' } });
    expect(dataOf(await get(`${path}/${id}`))).toEqual({
      id,
      name: 'Night',
      isDefault: false,
      order: 0,
      timezone: 'Asia/Tokyo',
      criteria: DATABASES,
      timeRestriction: NIGHT,
      notify: { type: 'schedule', id: 'night', name: 'Night shift' },
    });
    await patch(`${path}/${id}`, { name: 'Databases', timezone: 'UTC', criteria: { type: 'match-all' }, notify: none });
    expect(dataOf(await get(`${path}/${id}`))).toMatchObject({
      name: 'Databases',
      timezone: 'UTC',
      criteria: { type: 'match-all' },
      notify: { type: 'none' },
    });
  });

  it.each([
    ['a rule of everything', {}],
    ['criteria in the older spelling', { criteria: { ...DATABASES, type: 'Match All Conditions' } }],
    ['a restriction by the day', { timeRestriction: NIGHT }],
    [
      'a restriction by the week',
      {
        timeRestriction: {
          type: 'weekday-and-time-of-day',
          restrictions: [{ startDay: 'friday', startHour: 18, startMin: 1, endDay: 'monday', endHour: 8, endMin: 59 }],
        },
      },
    ],
    ['a schedule', { notify: { type: 'schedule', name: 'Night shift' } }],
  ])('changes nothing when it says what a GET answered: %s (E10)', async (_, body) => {
    const { create, patch, get, path, version, history } = await setUp();
    const id = await create({ name: 'Night', ...body });
    const rule = dataOf(await get(`${path}/${id}`));
    const [before, logged] = [await version(), await history()];
    expect((await patch(`${path}/${id}`, rule)).status).toBe(200);
    expect(dataOf(await get(`${path}/${id}`))).toEqual(rule);
    expect([await version(), await history()]).toEqual([before, logged]);
  });

  it('changes nothing of the default rule either when it says what a GET answered', async () => {
    const { patch, get, path, version, defaultId } = await setUp();
    const rule = dataOf(await get(`${path}/${defaultId}`));
    const before = await version();
    expect((await patch(`${path}/${defaultId}`, rule)).status).toBe(200);
    expect(await version()).toBe(before);
  });

  it('lets the default rule say whom it notifies, in which zone and when', async () => {
    const { patch, get, path, defaultId } = await setUp();
    const changes = { notify: none, timezone: 'Asia/Tokyo', timeRestriction: NIGHT };
    expect((await patch(`${path}/${defaultId}`, changes)).status).toBe(200);
    expect(dataOf(await get(`${path}/${defaultId}`))).toMatchObject({ ...changes, name: 'Default Routing Rule' });
  });

  it.each([
    ['name', { name: 'Mine' }],
    ['criteria', { criteria: DATABASES }],
  ])('answers 422 when the default rule would get another %s, and changes nothing', async (field, change) => {
    const { patch, path, defaultId, version } = await setUp();
    const before = await version();
    const { status, body } = await patch(`${path}/${defaultId}`, { ...change, notify: none });
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: { [field]: 'of the default routing rule can not be changed' } });
    expect(await version()).toBe(before);
  });

  it('answers 404 for a rule, or for something to notify, that does not exist', async () => {
    const { patch, path, defaultId } = await setUp();
    expect(await patch(`${path}/gone`, {})).toMatchObject({
      status: 404,
      body: { message: 'Routing rule does not exist with id: gone' },
    });
    expect(await patch(`${path}/${defaultId}`, { notify: { type: 'escalation', name: 'gone' } })).toMatchObject({
      status: 404,
      body: { message: 'Escalation does not exist with name: gone' },
    });
  });

  it('answers 503 when scheduling can not be asked', async () => {
    const { patch, path, defaultId, scheduling } = await setUp();
    scheduling.isUnavailable = true;
    expect((await patch(`${path}/${defaultId}`, { notify: { type: 'schedule', id: 'night' } })).status).toBe(503);
    expect((await patch(`${path}/${defaultId}`, { timezone: 'Asia/Tokyo' })).status).toBe(200);
  });

  it('answers 422 for a value of the wrong kind', async () => {
    const { patch, path, defaultId } = await setUp();
    const { status, body } = await patch(`${path}/${defaultId}`, { timezone: 'Mars' });
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: { timezone: 'should be a time zone such as Europe/Rome' } });
  });
});

describe('DELETE /v2/teams/{teamIdentifier}/routing-rules/{id}', () => {
  it('removes the rule and closes the gap', async () => {
    const { create, remove, list, path } = await setUp();
    const [a] = [await create({ name: 'a' }), await create({ name: 'b' })];
    expect(await remove(`${path}/${a}`)).toMatchObject({ status: 200, body: { result: 'Deleted' } });
    expect(names(await list())).toEqual(['0 b', '1 Default Routing Rule']);
    expect((await remove(`${path}/${a}`)).status).toBe(404);
  });

  it('answers 422 for the default rule, and keeps it', async () => {
    const { remove, list, path, defaultId } = await setUp();
    const { status, body } = await remove(`${path}/${defaultId}`);
    expect(status).toBe(422);
    const message = 'The default routing rule can not be deleted.';
    expect(body).toMatchObject({ message, errors: { id: message } });
    expect(await list()).toHaveLength(1);
  });
});

describe('POST /v2/teams/{teamIdentifier}/routing-rules/{id}/change-order', () => {
  it('moves the rule and renumbers the others, and takes a missing order for the first place', async () => {
    const { create, post, list, path } = await setUp();
    const [a, , c] = [await create({ name: 'a' }), await create({ name: 'b' }), await create({ name: 'c' })];
    const answer = await post(`${path}/${a}/change-order`, { order: 2 });
    expect(answer).toMatchObject({ status: 200, body: { result: 'Changed', data: { id: a } } });
    expect(names(await list())).toEqual(['0 b', '1 c', '2 a', '3 Default Routing Rule']);
    await post(`${path}/${c}/change-order`, {});
    expect(names(await list())).toEqual(['0 c', '1 b', '2 a', '3 Default Routing Rule']);
  });

  it('keeps the default rule last when another is moved to the last place', async () => {
    const { create, post, list, path } = await setUp();
    const [a] = [await create({ name: 'a' }), await create({ name: 'b' })];
    expect((await post(`${path}/${a}/change-order`, { order: 2 })).status).toBe(200);
    expect(names(await list())).toEqual(['0 b', '1 a', '2 Default Routing Rule']);
  });

  it.each([
    [-1, 'should be a whole number of at least 0'],
    [2, 'should be at most 1'],
  ])('answers 422 for the place %i', async (order, sentence) => {
    const { create, post, path } = await setUp();
    const { status, body } = await post(`${path}/${await create({})}/change-order`, { order });
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: { order: sentence } });
  });

  it.each([0, 1])('answers 422 when the default rule should move to place %i', async (order) => {
    const { create, post, path, defaultId, list } = await setUp();
    await create({ name: 'a' });
    const { status, body } = await post(`${path}/${defaultId}/change-order`, { order });
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: { order: 'of the default routing rule is fixed' } });
    expect(names(await list())).toEqual(['0 a', '1 Default Routing Rule']);
  });

  it('changes nothing when the rule is there already, and answers 404 for one that does not exist', async () => {
    const { create, post, path, version } = await setUp();
    const id = await create({});
    const before = await version();
    expect((await post(`${path}/${id}/change-order`, { order: 0 })).status).toBe(200);
    expect(await version()).toBe(before);
    expect((await post(`${path}/gone/change-order`, {})).status).toBe(404);
  });

  it('keeps the order dense, however many move, come and go at once', async () => {
    const { create, post, remove, list, path } = await setUp();
    const ids = await Promise.all(Array.from({ length: 20 }, (_, n) => create({ name: String(n), order: n % 3 })));
    await Promise.all([
      ...ids.slice(0, 15).map((id, n) => post(`${path}/${id}/change-order`, { order: (n * 7) % 15 })),
      ...ids.slice(15).map((id) => remove(`${path}/${id}`)),
    ]);
    const rules = await list();
    expect(rules.map(({ order }) => order)).toEqual(Array.from({ length: 16 }, (_, n) => n));
    expect(rules.at(-1)).toMatchObject({ isDefault: true });
  });
});

describe('the history of a team', () => {
  it('has a line for each change of its routing rules, in the name of the key', async () => {
    const { create, patch, post, remove, path, history } = await setUp();
    const night = await create({ name: 'Night' });
    const nameless = await create({});
    await patch(`${path}/${night}`, { name: 'Nights' });
    await post(`${path}/${night}/change-order`, { order: 1 });
    await remove(`${path}/${nameless}`);
    expect((await history()).slice(1)).toEqual([
      'Default API: Routing rule [Night] is created.',
      'Default API: Routing rule [at place 1] is created.',
      'Default API: Routing rule [Nights] is changed.',
      'Default API: Routing rule [Nights] is moved from place 0 to 1.',
      'Default API: Routing rule [at place 0] is deleted.',
    ]);
  });
});

describe('the target of a routing rule', () => {
  it('is in use until the rule notifies something else or is gone (S12)', async () => {
    const { create, get, patch, path, remove } = await setUp();
    const uses = async () => dataOf(await get('/internal/uses?type=schedule&id=night', { service: 'scheduling' }));
    const [named, nameless] = [await create({ name: 'Night', ...toNight }), await create(toNight)];
    expect(await uses()).toEqual([
      'Routing rule [Night] of team [Ops] notifies it.',
      'Routing rule [at place 1] of team [Ops] notifies it.',
    ]);
    await patch(`${path}/${named}`, { notify: none });
    await remove(`${path}/${nameless}`);
    expect(await uses()).toEqual([]);
  });
});
