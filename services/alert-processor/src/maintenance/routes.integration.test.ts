import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import type { Response } from 'supertest';
import { anIntegration } from '../testing/maintenance-samples.ts';
import { setUp } from '../testing/component-fixture.ts';

const PATH = '/v1/maintenance';
/** The time of the fixture's clock. */
const NOW = '2026-01-05T08:00:01Z';
const LONG_AGO = '2019-06-20T17:45:00Z';
const TOMORROW = '2026-01-06T08:00:00Z';
const LATER = '2026-01-06T09:00:00Z';

const web = { entity: { type: 'integration', id: 'web' }, state: 'disabled' };
const schedule = (startDate: string, endDate: string) => ({ type: 'schedule', startDate, endDate });
const PLANNED = schedule(TOMORROW, LATER);
const ACTIVE = schedule(LONG_AGO, TOMORROW);
const PAST = schedule(LONG_AGO, '2019-06-20T17:50:00Z');
const body = (more: object = {}) => ({ description: 'Deploy', time: PLANNED, rules: [web], ...more });
const dataOf = ({ body: answered }: Response) => (answered as { data: Readonly<Record<string, unknown>> }).data;

async function withIntegrations() {
  const service = await setUp();
  for (const id of ['web', 'mail']) service.integrations.put(id, anIntegration(id));
  const { send, get } = service;
  const create = async (more: object = {}) => String(dataOf(await send('post', PATH, body(more)))['id']);
  const listed = async (query = '') => ((await get(`${PATH}${query}`)).body as { data: { id: string }[] }).data;
  return { ...service, create, listed };
}

describe('POST /v1/maintenance', () => {
  it('answers 201 with the window, and GET adds its rules', async () => {
    const { send, get, listed } = await withIntegrations();
    const created = await send('post', PATH, body());
    expect(created.status).toBe(201);
    const shown = { id: 'maintenance-1', status: 'planned', time: PLANNED, description: 'Deploy' };
    expect(created.body).toMatchObject({ result: 'Created', data: shown });
    expect(dataOf(created)).toEqual(shown);
    expect(dataOf(await get(`${PATH}/maintenance-1`))).toEqual({ ...shown, rules: [web] });
    expect(await listed()).toEqual([shown]);
  });

  it.each([
    [PLANNED, 'planned'],
    [ACTIVE, 'active'],
    [schedule(LONG_AGO, NOW), 'past'],
    [PAST, 'past'],
    [{ type: 'for-5-minutes' }, 'active'],
    [{ type: 'for-30-minutes' }, 'active'],
    [{ type: 'for-1-hour' }, 'active'],
    [{ type: 'indefinitely' }, 'active'],
  ])('shows the time %j as it was written, and the status %s', async (time, status) => {
    const { send } = await withIntegrations();
    expect(dataOf(await send('post', PATH, body({ time })))).toMatchObject({ time, status });
  });

  it.each([
    ['for-5-minutes', 5],
    ['for-30-minutes', 30],
    ['for-1-hour', 60],
  ])('makes %s last %d minutes', async (type, minutes) => {
    const { clock, create, get } = await withIntegrations();
    const id = await create({ time: { type } });
    const status = async () => dataOf(await get(`${PATH}/${id}`))['status'];
    clock.advance(minutes * 60_000 - 1);
    expect(await status()).toBe('active');
    clock.advance(1);
    expect(await status()).toBe('past');
  });

  it('ignores the dates that a client sends with a type other than schedule', async () => {
    const { send } = await withIntegrations();
    for (const dates of [
      { startDate: '', endDate: null },
      { startDate: LONG_AGO, endDate: LATER },
    ]) {
      const created = await send('post', PATH, body({ time: { type: 'FOR-1-HOUR', ...dates } }));
      expect([created.status, dataOf(created)['time']]).toEqual([201, { type: 'for-1-hour' }]);
    }
  });

  it('accepts 1000 rules', async () => {
    const { send, get } = await withIntegrations();
    const rules = Array.from({ length: 1_000 }, () => web);
    expect((await send('post', PATH, body({ rules }))).status).toBe(201);
    expect(dataOf(await get(`${PATH}/maintenance-1`))['rules']).toEqual(rules);
  });

  it.each([
    ['time', { time: undefined }],
    ['time.type', { time: { type: 'for-2-hours' } }],
    ['time.startDate', { time: { type: 'schedule', endDate: LATER } }],
    ['time.endDate', { time: { type: 'schedule', startDate: TOMORROW } }],
    ['time.endDate', { time: schedule(TOMORROW, TOMORROW) }],
    ['description', { description: 'd'.repeat(1_001) }],
    ['rules', { rules: [] }],
    ['rules', { rules: undefined }],
    ['rules', { rules: Array.from({ length: 1_001 }, () => web) }],
    ['rules[0].entity', { rules: [{}] }],
    ['rules[1].entity.type', { rules: [web, { entity: { type: 'team', id: 'web' } }] }],
    ['rules[0].entity.id', { rules: [{ entity: { type: 'integration' } }] }],
    ['rules[0].state', { rules: [{ ...web, state: 'enabled' }] }],
    ['rules[0].state', { rules: [{ entity: { type: 'policy', id: 'p' } }] }],
  ])('answers 422 that names %s, and writes nothing', async (field, wrong) => {
    const { send, listed } = await withIntegrations();
    const refused = await send('post', PATH, body(wrong));
    expect(refused.status).toBe(422);
    expect(Object.keys((refused.body as { errors: object }).errors)).toEqual([field]);
    expect(await listed()).toEqual([]);
  });

  it.each([
    ['Integration does not exist with id: nowhere', { type: 'integration', id: 'nowhere' }],
    ['Policy does not exist with id: web', { type: 'policy', id: 'web' }],
  ])('answers 404 "%s", and writes nothing', async (message, entity) => {
    const { send, listed } = await withIntegrations();
    const refused = await send('post', PATH, body({ rules: [web, { entity, state: 'disabled' }] }));
    expect([refused.status, refused.body]).toMatchObject([404, { message }]);
    expect(await listed()).toEqual([]);
  });

  it('asks the owner for a new integration, and for one unknown id only', async () => {
    const { send, integrations } = await withIntegrations();
    integrations.ownerHas('id', 'fresh', anIntegration('fresh'));
    const fresh = { entity: { type: 'integration', id: 'fresh' } };
    expect((await send('post', PATH, body({ rules: [fresh] }))).status).toBe(201);
    const asked: string[] = [];
    const fetch = integrations.fetch.bind(integrations);
    integrations.fetch = (index, value) => {
      asked.push(value);
      return fetch(index, value);
    };
    const rules = ['web', 'a', 'b', 'c'].map((id) => ({ entity: { type: 'integration', id } }));
    expect((await send('post', PATH, body({ rules }))).status).toBe(404);
    expect(asked).toEqual(['web', 'a']);
  });

  it('answers 503 when the owner of integrations can not be asked', async () => {
    const { send, integrations, listed } = await withIntegrations();
    integrations.refuseWith(new UnavailableError('unavailable'));
    const rules = [{ entity: { type: 'integration', id: 'fresh' } }];
    expect((await send('post', PATH, body({ rules }))).status).toBe(503);
    expect(await listed()).toEqual([]);
  });
});

describe('GET /v1/maintenance', () => {
  it('lists by creation, all of them by default, filtered by type in any case', async () => {
    const { send, clock, create, listed } = await withIntegrations();
    const ids: string[] = [];
    for (const time of [PLANNED, ACTIVE, PAST, { type: 'indefinitely' }]) {
      ids.push(await create({ time }));
      clock.advance(1);
    }
    const [planned, active, past, cancelled] = ids;
    await send('post', `${PATH}/${String(cancelled)}/cancel`);
    const idsFor = async (query: string) => (await listed(query)).map(({ id }) => id);
    for (const query of ['', '?type=', '?type=all', '?type=ALL']) expect(await idsFor(query)).toEqual(ids);
    for (const query of ['?type=non-expired', '?type=Non-Expired'])
      expect(await idsFor(query)).toEqual([planned, active]);
    expect(await idsFor('?type=past')).toEqual([past, cancelled]);
  });

  it('answers 422 that names an unknown type', async () => {
    const { get } = await withIntegrations();
    const refused = await get(`${PATH}?type=active`);
    expect([refused.status, refused.body]).toMatchObject([
      422,
      { errors: { type: 'should be one of [ all, non-expired, past ]' } },
    ]);
  });
});

describe('PUT /v1/maintenance/{id}', () => {
  it('replaces a planned window as a whole', async () => {
    const { send, get, create } = await withIntegrations();
    const id = await create();
    const rules = [{ entity: { type: 'integration', id: 'mail' }, state: 'disabled' }];
    const updated = await send('put', `${PATH}/${id}`, { Id: id, time: schedule(NOW, LATER), rules });
    const shown = { id, status: 'active', time: schedule(NOW, LATER), description: '' };
    expect([updated.status, updated.body]).toMatchObject([200, { result: 'Updated', data: shown }]);
    expect(dataOf(await get(`${PATH}/${id}`))).toEqual({ ...shown, rules });
  });

  it('of the answer to a GET changes nothing, even if an entity in its rules was deleted', async () => {
    const { send, get, create, integrations } = await withIntegrations();
    const id = await create();
    const before = dataOf(await get(`${PATH}/${id}`));
    integrations.remove('web');
    expect((await send('put', `${PATH}/${id}`, before)).status).toBe(200);
    expect(dataOf(await get(`${PATH}/${id}`))).toEqual(before);
  });

  it.each([
    ['active. Its end date can be changed.', ACTIVE],
    ['past.', PAST],
  ])('answers 422 if the window is %s', async (status, time) => {
    const { send, get, create } = await withIntegrations();
    const id = await create({ time });
    const refused = await send('put', `${PATH}/${id}`, body({ description: 'Other' }));
    const message = `Only a planned maintenance can be updated, and this one is ${status}`;
    expect([refused.status, refused.body]).toMatchObject([422, { message, errors: { maintenanceId: message } }]);
    expect(dataOf(await get(`${PATH}/${id}`))).toMatchObject({ description: 'Deploy', time });
  });

  it('looks up new entities in the rules, and changes nothing if one is unknown', async () => {
    const { send, get, create } = await withIntegrations();
    const id = await create();
    const rules = [web, { entity: { type: 'integration', id: 'nowhere' } }];
    const refused = await send('put', `${PATH}/${id}`, body({ rules, description: 'Other' }));
    expect([refused.status, refused.body]).toMatchObject([
      404,
      { message: 'Integration does not exist with id: nowhere' },
    ]);
    expect(dataOf(await get(`${PATH}/${id}`))).toMatchObject({ description: 'Deploy', rules: [web] });
  });

  it('answers 422 that names the field, as a create does', async () => {
    const { send, create } = await withIntegrations();
    const refused = await send('put', `${PATH}/${await create()}`, body({ time: schedule(LATER, TOMORROW) }));
    expect([refused.status, refused.body]).toMatchObject([
      422,
      { errors: { 'time.endDate': 'should be after startDate' } },
    ]);
  });
});

describe('POST /v1/maintenance/{id}/change-end-date', () => {
  it.each([
    [ACTIVE, LONG_AGO],
    [{ type: 'for-5-minutes' }, NOW],
    [{ type: 'indefinitely' }, NOW],
  ])('turns the active %j into a schedule with that end', async (time, startDate) => {
    const { send, get, create } = await withIntegrations();
    const id = await create({ time });
    const changed = await send('post', `${PATH}/${id}/change-end-date`, { Id: id, endDate: LATER });
    const shown = { id, status: 'active', time: schedule(startDate, LATER), description: 'Deploy' };
    expect([changed.status, changed.body]).toMatchObject([200, { result: 'Updated', data: shown }]);
    expect(dataOf(await get(`${PATH}/${id}`))).toEqual({ ...shown, rules: [web] });
  });

  it.each([
    ['planned', PLANNED],
    ['past', PAST],
  ])('answers 422 if the window is %s', async (status, time) => {
    const { send, create } = await withIntegrations();
    const refused = await send('post', `${PATH}/${await create({ time })}/change-end-date`, { endDate: LATER });
    const message = `Only the end date of an active maintenance can be changed, and this one is ${status}.`;
    expect([refused.status, refused.body]).toMatchObject([422, { message, errors: { maintenanceId: message } }]);
  });

  it.each([undefined, null, '', 'soon', NOW, LONG_AGO])('answers 422 that names the end date %j', async (endDate) => {
    const { send, get, create } = await withIntegrations();
    const id = await create({ time: ACTIVE });
    const refused = await send('post', `${PATH}/${id}/change-end-date`, { endDate });
    expect(refused.status).toBe(422);
    expect(Object.keys((refused.body as { errors: object }).errors)).toEqual(['endDate']);
    expect(dataOf(await get(`${PATH}/${id}`))).toMatchObject({ time: ACTIVE });
  });
});

describe('POST /v1/maintenance/{id}/cancel', () => {
  it.each([PLANNED, ACTIVE, { type: 'for-1-hour' }])('cancels %j, with or without a body', async (time) => {
    const { send, get, create } = await withIntegrations();
    for (const sent of [undefined, {}, { Id: 'x' }]) {
      const id = await create({ time });
      const answered = await send('post', `${PATH}/${id}/cancel`, sent);
      expect([answered.status, answered.body]).toMatchObject([200, { result: 'Cancelled' }]);
      expect(dataOf(await get(`${PATH}/${id}`))).toMatchObject({ status: 'cancelled', time });
    }
  });

  it('answers 422 if the window is over', async () => {
    const { send, create } = await withIntegrations();
    const [past, again] = [await create({ time: PAST }), await create()];
    await send('post', `${PATH}/${again}/cancel`);
    for (const [id, status] of [
      [past, 'past'],
      [again, 'cancelled'],
    ]) {
      const refused = await send('post', `${PATH}/${String(id)}/cancel`);
      const message = `Only a planned or active maintenance can be cancelled, and this one is ${String(status)}.`;
      expect([refused.status, refused.body]).toMatchObject([422, { message, errors: { maintenanceId: message } }]);
    }
  });

  it('leaves a window that can not be updated or moved', async () => {
    const { send, create } = await withIntegrations();
    const id = await create();
    await send('post', `${PATH}/${id}/cancel`);
    expect((await send('put', `${PATH}/${id}`, body())).status).toBe(422);
    expect((await send('post', `${PATH}/${id}/change-end-date`, { endDate: LATER })).status).toBe(422);
  });
});

describe('DELETE /v1/maintenance/{id}', () => {
  it.each([PLANNED, ACTIVE, PAST])('removes %j for everybody, at once', async (time) => {
    const { send, get, create, listed } = await withIntegrations();
    const id = await create({ time });
    const answered = await send('delete', `${PATH}/${id}`);
    expect([answered.status, answered.body]).toMatchObject([200, { result: 'Deleted' }]);
    expect((await get(`${PATH}/${id}`)).status).toBe(404);
    expect(await listed()).toEqual([]);
  });

  it('ends an active window, but keeps it for commands that were accepted before', async () => {
    const { send, create, configuration, clock } = await withIntegrations();
    await send('delete', `${PATH}/${await create({ time: ACTIVE })}`);
    expect((await configuration.current()).maintenances).toMatchObject([{ deletedAt: clock.now() }]);
  });
});

describe('a maintenance window that does not exist', () => {
  it.each([
    ['get', '', undefined],
    ['put', '', body()],
    ['delete', '', undefined],
    ['post', '/cancel', undefined],
    ['post', '/change-end-date', { endDate: LATER }],
  ] as const)('is named in the 404 of %s %s, deleted ones too', async (method, verb, sent) => {
    const { send, create } = await withIntegrations();
    const deleted = await create();
    await send('delete', `${PATH}/${deleted}`);
    for (const id of ['nowhere', deleted, '__proto__']) {
      const refused = await send(method, `${PATH}/${id}${verb}`, sent);
      const message = `Maintenance does not exist with id: ${id}`;
      expect([refused.status, refused.body]).toMatchObject([404, { message }]);
    }
  });
});
