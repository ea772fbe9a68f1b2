import { describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { setUp } from '../testing/component-fixture.ts';
import { anIntegration } from '../testing/maintenance-samples.ts';

const ID = '4f8fad5b-d9cb-469f-a165-70867728950e';
const PATH = `/v1/maintenance/${ID}`;
const schedule = (startDate: string, endDate: string) => ({ type: 'schedule', startDate, endDate });
/** The clock of the fixture says 2026-01-05T08:00:01Z. */
const PLANNED = schedule('2026-01-06T08:00:00Z', '2026-01-06T09:00:00Z');
const ACTIVE = schedule('2019-06-20T17:45:00Z', '2026-01-06T08:00:00Z');
const PAST = schedule('2019-06-20T17:45:00Z', '2019-06-20T17:50:00Z');

const rule = (id: string) => ({ entity: { type: 'integration', id }, state: 'disabled' });
const body = (more: object = {}) => ({ description: 'Deploy', time: PLANNED, rules: [rule('web')], ...more });
const dataOf = ({ body: answered }: Response) => (answered as { data: Readonly<Record<string, unknown>> }).data;

async function withIntegrations() {
  const service = await setUp();
  for (const id of ['web', 'mail']) service.integrations.put(id, anIntegration(id));
  const put = (more: object = {}) => service.send('put', `/v2/imports/maintenance/${ID}`, body(more));
  const result = async (more: object = {}) => {
    const answer = await put(more);
    return answer.status === 200 ? (answer.body as { result: string }).result : answer.status;
  };
  const read = async () => dataOf(await service.get(PATH));
  return { ...service, put, read, result };
}

describe('PUT /v2/imports/maintenance/{identifier}', () => {
  it.each([
    [PLANNED, 'planned'],
    [ACTIVE, 'active'],
    [PAST, 'past'],
    [{ type: 'indefinitely' }, 'active'],
  ])('creates a window of the time %j, which is %s, and a repeat changes nothing, also later', async (time, status) => {
    const { clock, put, read, result } = await withIntegrations();
    expect(await put({ time })).toMatchObject({ status: 200, body: { result: 'Created', data: { id: ID } } });
    const made = await read();
    expect(made).toEqual({ id: ID, status, time, description: 'Deploy', rules: [rule('web')] });
    clock.advance(7 * 86_400_000);
    expect(await result({ time })).toBe('Unchanged');
    expect(await read()).toMatchObject({ time });
  });

  it.each(['for-5-minutes', 'for-30-minutes', 'for-1-hour'])(
    'refuses %s, which means another time at each try',
    async (type) => {
      const { put, get } = await withIntegrations();
      expect(await put({ time: { type } })).toMatchObject({
        status: 422,
        body: { errors: { 'time.type': 'should be one of [ indefinitely, schedule ]' } },
      });
      expect((await get(PATH)).status).toBe(404);
    },
  );

  it('replaces a planned window, and of an active one the end alone, as users can', async () => {
    const { put, read, result } = await withIntegrations();
    await put();
    expect(await result({ description: 'Other', rules: [rule('mail')], time: ACTIVE })).toBe('Updated');
    expect(await read()).toMatchObject({ description: 'Other', status: 'active', rules: [rule('mail')] });
    const later = schedule(ACTIVE.startDate, '2026-01-07T08:00:00Z');
    const now = { description: 'Other', rules: [rule('mail')], time: later };
    expect(await result(now)).toBe('Updated');
    expect(await read()).toMatchObject({ time: later });
    for (const refused of [
      { ...now, description: 'New' },
      { ...now, rules: [rule('web')] },
      { ...now, time: schedule(ACTIVE.startDate, '2026-01-05T08:00:00Z') },
    ])
      expect(await result(refused)).toBe(422);
    expect(await read()).toMatchObject(now);
  });

  it('leaves a window that was cancelled here as it is, and refuses to change one that has ended', async () => {
    const { clock, put, read, result, send } = await withIntegrations();
    await put();
    await send('post', `${PATH}/cancel`);
    expect(await result()).toBe('Unchanged');
    expect(await read()).toMatchObject({ status: 'cancelled' });
    expect(await result({ description: 'New' })).toBe(422);
    await send('delete', PATH);
    await put();
    clock.advance(7 * 86_400_000);
    expect(await result({ description: 'New' })).toBe(422);
    expect(await read()).toMatchObject({ status: 'past', description: 'Deploy' });
  });

  it('creates a window again that was deleted, and it applies again', async () => {
    const { get, put, read, result, send } = await withIntegrations();
    await put({ time: ACTIVE });
    await send('delete', PATH);
    expect((await get(PATH)).status).toBe(404);
    expect(await result({ time: ACTIVE })).toBe('Created');
    expect(await read()).toMatchObject({ status: 'active' });
  });

  it('of 20 requests at once creates one window', async () => {
    const { result } = await withIntegrations();
    const results = await Promise.all(Array.from({ length: 20 }, () => result()));
    expect(results.toSorted()).toEqual(['Created', ...Array.from({ length: 19 }, () => 'Unchanged')]);
  });

  it('answers 404 to a thing that does not exist, and 422 to what no window may be', async () => {
    const { get, result } = await withIntegrations();
    expect(await result({ rules: [rule('gone')] })).toBe(404);
    expect(await result({ rules: [{ entity: { type: 'policy', id: 'gone' }, state: 'enabled' }] })).toBe(404);
    expect(await result({ rules: [] })).toBe(422);
    expect(await result({ time: schedule(PLANNED.endDate, PLANNED.startDate) })).toBe(422);
    expect((await get(PATH)).status).toBe(404);
  });
});
