import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import { useSharedSystem } from '../system/system.ts';

const system = useSharedSystem();
let scenario: Scenario;
let schedule: { readonly id: string; readonly name: string };
let rotations: string;

beforeEach(async () => {
  scenario = system.scenario();
  await scenario.users('ada', 'bob');
  schedule = await system.api.create('/v2/schedules', { name: scenario.name('Ops'), timezone: 'Europe/Rome' });
  rotations = `/v2/schedules/${schedule.id}/rotations`;
});

interface Rotation {
  readonly id: string;
  readonly name: string;
}

const weekend = {
  type: 'weekday-and-time-of-day',
  restrictions: [
    { startDay: 'friday', startHour: 18, startMin: 0, endDay: 'monday', endHour: 8, endMin: 30 },
    { startDay: 'tuesday', startHour: 22, startMin: 0, endDay: 'wednesday', endHour: 6, endMin: 0 },
  ],
};
const rotation = (changes: Readonly<Record<string, unknown>> = {}) => ({
  name: 'Weekend',
  type: 'weekly',
  length: 2,
  timeRestriction: weekend,
  startDate: '2026-03-02T08:00:00Z',
  endDate: '2027-03-02T08:00:00Z',
  participants: [scenario.user('ada'), { type: 'none' }, scenario.user('bob'), scenario.user('ada')],
  ...changes,
});
const listed = () => system.api.read<readonly Rotation[]>(rotations);
const refused = async (method: string, path: string, body: unknown) => {
  const answer = await system.api.request(method, path, body);
  return [answer.status, answer.body['errors'] ?? answer.body['message']];
};

describe('rotations (part 2, 4.4)', () => {
  it('create-rotation answers 201 Created with id and name, and 404 or 422 naming what is wrong', async () => {
    const { body } = await system.api.expect(201, 'POST', rotations, rotation());
    expect(body).toMatchObject({ result: 'Created', data: { id: expect.any(String), name: 'Weekend' } });
    const byName = `/v2/schedules/${encodeURIComponent(schedule.name)}/rotations?scheduleIdentifierType=name`;
    const least = { startDate: '2026-03-02T08:44:00Z', type: 'daily', participants: [{ type: 'none' }] };
    await system.api.expect(201, 'POST', byName, least);
    expect(await listed()).toMatchObject([
      { name: 'Weekend' },
      { name: 'Rot1', length: 1, startDate: '2026-03-02T08:30:00Z' },
    ]);
    for (const field of ['startDate', 'type', 'participants']) {
      const missing = await refused('POST', rotations, rotation({ [field]: undefined }));
      expect(missing).toEqual([422, { [field]: expect.any(String) }]);
    }
    const early = await refused('POST', rotations, rotation({ endDate: '2026-03-02T08:00:00Z' }));
    expect(early).toEqual([422, { endDate: expect.any(String) }]);
    const long = await refused('POST', rotations, rotation({ length: 10_001 }));
    expect(long).toEqual([422, { length: expect.any(String) }]);
    for (const type of ['team', 'escalation']) {
      const ghost = await refused('POST', rotations, rotation({ participants: [{ type, name: 'Ghosts' }] }));
      expect(ghost).toEqual([404, expect.stringContaining('Ghosts')]);
    }
    expect((await system.api.request('POST', '/v2/schedules/nothing/rotations', rotation())).status).toBe(404);
    expect(await listed()).toHaveLength(2);
  });

  it('get-rotation answers what was written, with the schedule as its parent', async () => {
    const { id } = await system.api.create(rotations, rotation());
    const someId = expect.any(String) as unknown as string;
    const [ada, bob] = [
      { id: someId, ...scenario.user('ada') },
      { id: someId, ...scenario.user('bob') },
    ];
    expect(await system.api.read(`${rotations}/${id}`)).toEqual({
      ...rotation({ participants: [ada, { type: 'none' }, bob, ada] }),
      id,
      _parent: { ...schedule, enabled: true },
    });
    expect((await system.api.request('GET', `${rotations}/nothing`)).status).toBe(404);
  });

  it('list-rotations answers the rotations in the order of their creation', async () => {
    expect(await listed()).toEqual([]);
    for (const name of ['b', 'a']) await system.api.create(rotations, rotation({ name }));
    expect((await listed()).map(({ name }) => name)).toEqual(['b', 'a']);
    const { rotations: nested } = await system.api.read<{ rotations: unknown }>(`/v2/schedules/${schedule.id}`);
    expect(nested).toEqual(await listed());
  });

  it('update-rotation changes what is sent; a PATCH of what was read changes nothing', async () => {
    const { id } = await system.api.create(rotations, rotation());
    const before = await system.api.read<Rotation>(`${rotations}/${id}`);
    await system.api.expect(200, 'PATCH', `${rotations}/${id}`, before);
    expect(await system.api.read(`${rotations}/${id}`)).toEqual(before);
    const change = { name: 'Days', type: 'hourly', length: 12 };
    const { body } = await system.api.expect(200, 'PATCH', `${rotations}/${id}`, { ...change, endDate: null });
    expect(body).toMatchObject({ result: 'Updated', data: { id, name: 'Days' } });
    expect(await system.api.read(`${rotations}/${id}`)).toEqual({ ...before, ...change });
    const wrong = await refused('PATCH', `${rotations}/${id}`, { startDate: '2028-01-01T00:00:00Z' });
    expect(wrong).toEqual([422, { endDate: expect.any(String) }]);
    expect((await system.api.request('PATCH', `${rotations}/nothing`, {})).status).toBe(404);
  });

  it('delete-rotation answers Deleted, and takes the override along that named no other', async () => {
    const [first, second] = [
      await system.api.create(rotations, rotation({ name: 'first', endDate: undefined })),
      await system.api.create(rotations, rotation({ name: 'second' })),
    ];
    const overrides = `/v2/schedules/${schedule.id}/overrides`;
    const dates = { startDate: '2026-04-01T00:00:00Z', endDate: '2026-04-02T00:00:00Z' };
    const override = { alias: 'swap', user: scenario.user('bob'), rotations: [{ id: first.id }], ...dates };
    await system.api.expect(201, 'POST', overrides, override);
    await system.api.expect(201, 'POST', overrides, { ...override, alias: 'all', rotations: undefined });
    const { body } = await system.api.expect(200, 'DELETE', `${rotations}/${first.id}`);
    expect(body).toMatchObject({ result: 'Deleted' });
    expect((await listed()).map(({ id }) => id)).toEqual([second.id]);
    expect(await system.api.read(overrides)).toMatchObject([{ alias: 'all' }]);
    expect((await system.api.request('DELETE', `${rotations}/${first.id}`)).status).toBe(404);
  });
});
