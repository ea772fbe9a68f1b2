import { describe, expect, it } from '@jest/globals';
import { useSharedSystem } from '../system/system.ts';

const system = useSharedSystem();

interface Schedule {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly ownerTeam?: { readonly id: string; readonly name: string };
  readonly rotations: readonly { readonly id: string; readonly name: string }[];
}

const pathOf = ({ name }: { readonly name: string }) => `/v2/schedules/${encodeURIComponent(name)}?identifierType=name`;

const night = { type: 'time-of-day', restriction: { startHour: 22, startMin: 0, endHour: 6, endMin: 30 } };

/** A schedule with all fields, of a team of its own. */
async function complete() {
  const scenario = system.scenario();
  await scenario.users('ada', 'bob');
  const team = { name: scenario.name('Web'), ...(await scenario.team('Web', 'ada')) };
  const body = {
    name: scenario.name('Ops'),
    description: 'who is woken',
    timezone: 'America/Chicago',
    enabled: false,
    ownerTeam: { name: team.name },
    rotations: [
      {
        name: 'Nights',
        type: 'weekly',
        length: 2,
        timeRestriction: night,
        startDate: '2026-03-02T14:00:00Z',
        endDate: '2027-03-02T14:00:00Z',
        participants: [
          ...[scenario.user('ada'), { type: 'team', name: team.name }, { type: 'none' }, scenario.user('ada')],
          { type: 'escalation', name: `${team.name}_escalation` },
        ],
      },
      { type: 'hourly', startDate: '2026-03-02T14:10:59Z', participants: [scenario.user('bob')] },
    ],
  };
  const created = await system.api.create<Schedule>('/v2/schedules', body);
  return { scenario, team, body, created, path: `/v2/schedules/${created.id}` };
}

describe('schedules (part 2, 4.3)', () => {
  it('create-schedule answers 201 with id, name and enabled, and 404 or 422 naming what is wrong', async () => {
    const { scenario, body, created } = await complete();
    expect(created).toEqual({ id: expect.any(String), name: body.name, enabled: false });
    const bare = await system.api.create<Schedule>('/v2/schedules', { name: scenario.name('Bare') });
    expect(await system.api.read(`/v2/schedules/${bare.id}`)).toMatchObject({ enabled: true, rotations: [] });
    expect((await system.api.request('POST', '/v2/schedules', body)).status).toBe(409);
    const refusedWith = async (part: object) => {
      const answer = await system.api.request('POST', '/v2/schedules', { ...body, name: scenario.name('No'), ...part });
      return [answer.status, answer.body['errors'] ?? answer.body['message']];
    };
    expect(await refusedWith({ name: undefined })).toEqual([422, { name: expect.any(String) }]);
    expect(await refusedWith({ name: 'x'.repeat(101) })).toEqual([422, { name: expect.any(String) }]);
    expect(await refusedWith({ description: 'x'.repeat(10_001) })).toEqual([422, { description: expect.any(String) }]);
    expect(await refusedWith({ timezone: 'Moon/Sea' })).toEqual([422, { timezone: expect.any(String) }]);
    expect(await refusedWith({ ownerTeam: { name: 'Ghosts' } })).toEqual([404, expect.stringContaining('Ghosts')]);
    const [, hourly] = body.rotations;
    const ghost = { ...hourly, participants: [{ type: 'user', username: 'ghost@example.com' }] };
    expect(await refusedWith({ rotations: [ghost] })).toEqual([404, expect.stringContaining('ghost@example.com')]);
  });

  it('create-schedule gives a name that many ask for at once to one of them', async () => {
    const name = system.scenario().name('Once');
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => system.api.request('POST', '/v2/schedules', { name })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(49).fill(409)]);
  });

  it('get-schedule answers what was written, rotations included, by id and by name', async () => {
    const { scenario, team, body, created, path } = await complete();
    const read = await system.api.read<Schedule>(path);
    const id = expect.any(String) as unknown as string;
    const ada = { id, ...scenario.user('ada') };
    const [first] = body.rotations;
    expect(read).toEqual({
      ...body,
      id: created.id,
      ownerTeam: team,
      rotations: [
        {
          ...first,
          id,
          participants: [
            ...[ada, { type: 'team', ...team }, { type: 'none' }, ada],
            { type: 'escalation', id, name: `${team.name}_escalation` },
          ],
        },
        {
          id,
          name: 'Rot1',
          type: 'hourly',
          length: 1,
          startDate: '2026-03-02T14:00:00Z',
          participants: [{ id, ...scenario.user('bob') }],
        },
      ],
    });
    expect(await system.api.read(pathOf(body))).toEqual(read);
    expect((await system.api.request('GET', '/v2/schedules/nothing')).status).toBe(404);
    expect((await system.api.request('GET', `${path}?identifierType=alias`)).status).toBe(422);
  });

  it('list-schedules answers all, with their rotations where these are asked for', async () => {
    const { path } = await complete();
    const whole = await system.api.read<Schedule>(path);
    const { body } = await system.api.expect(200, 'GET', '/v2/schedules');
    expect(body['expandable']).toEqual(['rotation']);
    const listed = body['data'] as readonly Schedule[];
    expect(listed.find(({ id }) => id === whole.id)).toMatchObject({ name: whole.name, ownerTeam: whole.ownerTeam });
    const expanded = await system.api.read<readonly Schedule[]>('/v2/schedules?expand=rotation');
    expect(expanded.find(({ id }) => id === whole.id)).toEqual(whole);
    expect((await system.api.request('GET', '/v2/schedules?expand=everything')).status).toBe(422);
  });

  it('update-schedule changes what is sent, and nothing by what was read', async () => {
    const { scenario, body, created, path } = await complete();
    const before = await system.api.read<Schedule>(path);
    await system.api.expect(200, 'PATCH', path, before);
    expect(await system.api.read(path)).toEqual(before);
    const [first, second] = before.rotations;
    const change = {
      name: scenario.name('Renamed'),
      enabled: 'true',
      rotations: [{ ...body.rotations[1], id: second?.id }],
    };
    const { body: answer } = await system.api.expect(200, 'PATCH', pathOf(body), change);
    expect(answer['data']).toEqual({ id: created.id, name: change.name, enabled: true });
    const after = await system.api.read<Schedule>(path);
    expect(after).toEqual({ ...before, name: change.name, enabled: true, rotations: [second] });
    expect((await system.api.request('GET', `${path}/rotations/${first?.id}`)).status).toBe(404);
    expect((await system.api.request('GET', pathOf(body))).status).toBe(404);
    expect((await system.api.request('PATCH', '/v2/schedules/nothing', {})).status).toBe(404);
    await scenario.schedule('Other');
    expect((await system.api.request('PATCH', path, { name: scenario.name('Other') })).status).toBe(409);
  });

  it('delete-schedule answers Deleted, but 428 while an escalation or a routing rule names it', async () => {
    const { scenario, team, body, path } = await complete();
    const rules = `/v2/teams/${team.id}/routing-rules`;
    const rule = await system.api.create(rules, { notify: { type: 'schedule', name: body.name } });
    await scenario.escalation('Late', { delay: 0, to: { type: 'schedule', name: 'Ops' } });
    const late = `/v2/escalations/${encodeURIComponent(scenario.name('Late'))}?identifierType=name`;
    const held = await system.api.request('DELETE', path);
    expect([held.status, held.body['message']]).toEqual([428, expect.stringContaining(scenario.name('Late'))]);
    await system.api.expect(200, 'DELETE', late);
    expect((await system.api.request('DELETE', path)).status).toBe(428);
    await system.api.expect(200, 'DELETE', `${rules}/${rule.id}`);
    expect((await system.api.expect(200, 'DELETE', pathOf(body))).body).toMatchObject({ result: 'Deleted' });
    expect((await system.api.request('GET', path)).status).toBe(404);
    expect((await system.api.request('DELETE', path)).status).toBe(404);
  });

  it('delete-user and delete-team answer 428 while a rotation names them', async () => {
    const { scenario, team, path } = await complete();
    const bob = `/v2/users/${encodeURIComponent(scenario.address('bob'))}`;
    for (const one of [bob, `/v2/teams/${team.id}`]) {
      const { status, body } = await system.api.request('DELETE', one);
      expect([status, body['message']]).toEqual([428, expect.stringContaining(scenario.name('Ops'))]);
    }
    await system.api.expect(200, 'PATCH', path, { rotations: [] });
    await system.api.expect(200, 'DELETE', bob);
    await system.api.expect(200, 'DELETE', `/v2/teams/${team.id}`);
    expect(await system.api.read(path)).not.toHaveProperty('ownerTeam');
  });
});
