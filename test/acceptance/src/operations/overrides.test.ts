import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import { useSharedSystem } from '../system/system.ts';

const system = useSharedSystem();
let scenario: Scenario;
let schedule: { readonly id: string; readonly name: string };
let overrides: string;

beforeEach(async () => {
  scenario = system.scenario();
  await scenario.users('ada', 'bob', 'eve');
  schedule = await system.api.create('/v2/schedules', {
    name: scenario.name('Ops'),
    timezone: 'UTC',
    rotations: ['Day', 'Night'].map((name) => ({
      name,
      startDate: '2026-03-02T00:00:00Z',
      type: 'daily',
      participants: [scenario.user('ada')],
    })),
  });
  overrides = `/v2/schedules/${schedule.id}/overrides`;
});

const period = { startDate: '2026-03-01T20:15:00Z', endDate: '2026-03-05T08:00:00Z' };
const override = (changes: Readonly<Record<string, unknown>> = {}) => ({
  alias: 'swap',
  user: scenario.user('bob'),
  ...period,
  ...changes,
});
const onCall = async () => {
  const path = `/v2/schedules/${schedule.id}/on-calls?flat=true`;
  return (await system.api.read<{ readonly onCallRecipients: readonly string[] }>(path)).onCallRecipients;
};

describe('overrides (part 2, 4.5)', () => {
  it('create-override answers 201 with the alias and puts its user on call at once', async () => {
    const { body } = await system.api.expect(201, 'POST', overrides, override());
    expect(body).toMatchObject({ data: { alias: 'swap' } });
    expect(await onCall()).toEqual([scenario.address('bob')]);
    const byName = `/v2/schedules/${encodeURIComponent(schedule.name)}/overrides?scheduleIdentifierType=name`;
    await system.api.expect(201, 'POST', byName, override({ alias: 'none', user: { type: 'none' } }));
    expect(await onCall()).toEqual([]);
    expect((await system.api.request('POST', overrides, override())).status).toBe(409);
    for (const missing of ['alias', 'user', 'startDate', 'endDate'])
      expect((await system.api.request('POST', overrides, override({ [missing]: undefined }))).status).toBe(422);
    const ghost = override({ alias: 'ghost', user: { type: 'user', username: 'ghost@example.com' } });
    const refused = await system.api.request('POST', overrides, ghost);
    expect([refused.status, refused.body['message']]).toEqual([404, expect.stringContaining('ghost@example.com')]);
    const unknown = await system.api.request(
      'POST',
      overrides,
      override({ alias: 'x', rotations: [{ name: 'Noon' }] }),
    );
    expect([unknown.status, unknown.body['message']]).toEqual([404, expect.stringContaining('Noon')]);
    expect((await system.api.request('POST', '/v2/schedules/nothing/overrides', override())).status).toBe(404);
  });

  it('get-override answers what was written, with the schedule as its parent', async () => {
    await system.api.create(overrides, override({ alias: 'a/b', rotations: [{ name: 'Night' }] }));
    const read = await system.api.read(`${overrides}/a%2Fb`);
    expect(read).toEqual({
      _parent: { id: schedule.id, name: schedule.name, enabled: true },
      alias: 'a/b',
      user: { ...scenario.user('bob'), id: expect.any(String) },
      ...period,
      rotations: [{ id: expect.any(String), name: 'Night' }],
    });
    expect((await onCall()).toSorted()).toEqual([scenario.address('ada'), scenario.address('bob')]);
    expect((await system.api.request('GET', `${overrides}/nothing`)).status).toBe(404);
  });

  it('list-overrides answers them in the order of their creation', async () => {
    expect(await system.api.read(overrides)).toEqual([]);
    for (const alias of ['b', 'a']) await system.api.create(overrides, override({ alias }));
    expect(await system.api.read(overrides)).toMatchObject([{ alias: 'b', ...period }, { alias: 'a' }]);
  });

  it('update-override replaces all but the alias; the newest stays the one created last', async () => {
    for (const alias of ['old', 'new']) await system.api.create(overrides, override({ alias }));
    const body = override({ alias: undefined, user: scenario.user('eve'), endDate: '2026-03-06T00:00:00Z' });
    const answer = await system.api.expect(200, 'PUT', `${overrides}/old`, body);
    expect(answer.body).toMatchObject({ data: { alias: 'old' } });
    expect(await onCall()).toEqual([scenario.address('bob')]);
    const read = await system.api.read(`${overrides}/old`);
    expect(read).toMatchObject({ user: scenario.user('eve'), endDate: '2026-03-06T00:00:00Z' });
    await system.api.expect(200, 'PUT', `${overrides}/old`, read);
    expect(await system.api.read(`${overrides}/old`)).toEqual(read);
    expect((await system.api.request('PUT', `${overrides}/nothing`, override())).status).toBe(404);
    const backwards = override({ endDate: '2026-02-01T00:00:00Z' });
    expect((await system.api.request('PUT', `${overrides}/old`, backwards)).status).toBe(422);
  });

  it('delete-override answers Deleted, and the rotations count again', async () => {
    await system.api.create(overrides, override());
    const { body } = await system.api.expect(200, 'DELETE', `${overrides}/swap`);
    expect(body['result']).toBe('Deleted');
    expect(await onCall()).toEqual([scenario.address('ada')]);
    expect((await system.api.request('DELETE', `${overrides}/swap`)).status).toBe(404);
  });
});
