import { describe, expect, it } from '@jest/globals';
import { created, daily, teamKey, testApp, type TestApp } from '../testing/app-fixture.ts';

const user = (id: string) => ({ type: 'user', id });
const named = (id: string) => ({ id, type: 'user', name: `${id}@example.com` });
const path = (id: string, query = '') => `/v2/schedules/${id}/timeline${query}`;

async function ops(): Promise<{ app: TestApp; id: string }> {
  const app = await testApp();
  const nights = {
    type: 'time-of-day',
    restriction: { startHour: 22, startMin: 0, endHour: 6, endMin: 0 },
  };
  const rotations = [
    daily([user('ada'), user('bob')], { name: 'Days' }),
    daily([user('eve'), { type: 'none' }], { name: 'Nights', timeRestriction: nights }),
    daily([{ type: 'team', id: 'sre' }], { name: 'Team', type: 'weekly' }),
  ];
  return { app, id: await created(app, '/v2/schedules', { name: 'Ops', timezone: 'UTC', rotations }) };
}

describe('GET /v2/schedules/{identifier}/timeline', () => {
  it('draws the final layer of a week from midnight on, rotation by rotation', async () => {
    const { app, id } = await ops();
    const { status, body, data } = await app.get(path(id));
    expect(status).toBe(200);
    expect(body['expandable']).toEqual(['base', 'forwarding', 'override']);
    expect(data).toMatchObject({
      _parent: { id, name: 'Ops', enabled: true },
      startDate: '2026-01-01T00:00:00Z',
      endDate: '2026-01-08T00:00:00Z',
    });
    expect(Object.keys(data as object)).not.toContain('baseTimeline');
    const { rotations } = (data as { finalTimeline: { rotations: readonly { periods: readonly object[] }[] } })
      .finalTimeline;
    expect(rotations.map((rotation) => rotation.periods.length)).toEqual([7, 8, 1]);
    expect(rotations).toMatchObject([{ name: 'Days', order: 1 }, { name: 'Nights', order: 2 }, { order: 3 }]);
    expect(rotations[0]?.periods[1]).toEqual({
      startDate: '2026-01-02T00:00:00Z',
      endDate: '2026-01-03T00:00:00Z',
      type: 'default',
      recipient: named('bob'),
    });
    expect(rotations[1]?.periods.slice(0, 3)).toMatchObject([
      { startDate: '2026-01-01T00:00:00Z', endDate: '2026-01-01T06:00:00Z', recipient: named('eve') },
      { startDate: '2026-01-01T22:00:00Z', endDate: '2026-01-02T00:00:00Z', recipient: named('eve') },
      { startDate: '2026-01-03T00:00:00Z', endDate: '2026-01-03T06:00:00Z', recipient: named('eve') },
    ]);
  });

  it('says of periods that are over who was on call behind a user, a team or an escalation', async () => {
    const { app, id } = await ops();
    const escalation = await created(app, '/v2/escalations', {
      name: 'Late',
      rules: [{ delay: { timeAmount: 0 }, notifyType: 'all', recipient: { type: 'team', id: 'sre' } }],
    });
    await app.patch(`/v2/schedules/${id}`, {
      rotations: [daily([user('ada')]), daily([{ type: 'escalation', id: escalation }])],
    });
    app.clock.moveTo(new Date('2026-01-20T00:00:00Z'));
    const { data } = await app.get(path(id, '?date=2026-01-10T05:00:00Z&interval=2&intervalUnit=days'));
    expect(data).toMatchObject({
      startDate: '2026-01-10T00:00:00Z',
      endDate: '2026-01-12T00:00:00Z',
      finalTimeline: {
        rotations: [
          { periods: [{ recipient: named('ada'), flattenedRecipients: [named('ada')] }] },
          {
            periods: [
              {
                recipient: { id: escalation, type: 'escalation', name: 'Late' },
                flattenedRecipients: [named('ada'), named('bob')],
              },
            ],
          },
        ],
      },
    });
  });

  it('shows the layers of the request, in any letter case', async () => {
    const { app, id } = await ops();
    const { data } = await app.get(path(id, '?expand=Base,%20override,forwarding&identifierType=id'));
    expect(data).toMatchObject({
      baseTimeline: { rotations: [{ name: 'Days' }, { name: 'Nights' }, { name: 'Team' }] },
      overrideTimeline: { rotations: [{ periods: [] }, { periods: [] }, { periods: [] }] },
      forwardingTimeline: { rotations: [{ periods: [] }, { periods: [] }, { periods: [] }] },
    });
  });

  it('counts months on the calendar and days on the wall clock of the schedule', async () => {
    const app = await testApp();
    await created(app, '/v2/schedules', { name: 'Paris', timezone: 'Europe/Paris', rotations: [] });
    const range = async (query: string) =>
      (await app.get(path('Paris', `?identifierType=name&date=2026-03-28T23:30:00Z&${query}`))).data;
    const startDate = '2026-03-28T23:00:00Z';
    expect(await range('interval=1&intervalUnit=DAYS')).toMatchObject({ startDate, endDate: '2026-03-29T22:00:00Z' });
    expect(await range('intervalUnit=months')).toMatchObject({ startDate, endDate: '2026-04-28T22:00:00Z' });
    expect(await range('')).toMatchObject({ endDate: '2026-04-04T22:00:00Z', finalTimeline: { rotations: [] } });
  });

  it('draws nothing of a disabled schedule', async () => {
    const { app, id } = await ops();
    await app.patch(`/v2/schedules/${id}`, { enabled: false });
    expect((await app.get(path(id))).data).toMatchObject({
      _parent: { enabled: false },
      finalTimeline: { rotations: [{ periods: [] }, { periods: [] }, { periods: [] }] },
    });
  });

  it('has no period of a participant who is gone where no other takes the turn (S4)', async () => {
    const { app, id } = await ops();
    await app.patch(`/v2/schedules/${id}`, { rotations: [daily([user('ada')])] });
    app.users.remove('ada');
    app.clock.advance(90 * 86_400_000);
    const { data } = await app.get(path(id, '?interval=1&intervalUnit=days&date=2026-01-05T00:00:00Z'));
    expect(data).toMatchObject({ finalTimeline: { rotations: [{ periods: [] }] } });
  });

  it.each([
    ['interval=0', 'interval', 'should be a whole number of at least 1'],
    ['interval=x', 'interval', 'should be a whole number of at least 1'],
    ['interval=1.5', 'interval', 'should be a whole number of at least 1'],
    ['interval=54', 'interval', 'should be at most 53 weeks'],
    ['interval=13&intervalUnit=months', 'interval', 'should be at most 12 months'],
    ['intervalUnit=years', 'intervalUnit', 'should be one of [ days, weeks, months ]'],
    ['expand=base,final', 'expand[1]', 'should be one of [ base, forwarding, override ]'],
    ['date=yesterday', 'date', 'should be a date such as 2026-01-31T08:00:00Z'],
    ['identifierType=tiny', 'identifierType', 'should be one of [ id, name ]'],
  ])('answers 422 naming the field for %s', async (query, field, reason) => {
    const { app, id } = await ops();
    expect(await app.get(path(id, `?${query}`))).toMatchObject({ status: 422, body: { errors: { [field]: reason } } });
  });

  it('answers 422 rather than draw tens of thousands of periods', async () => {
    const app = await testApp();
    const rotations = Array.from({ length: 20 }, () => daily([user('ada'), user('bob')], { type: 'hourly' }));
    const id = await created(app, '/v2/schedules', { name: 'Ops', rotations });
    expect(await app.get(path(id, '?interval=12&intervalUnit=months'))).toMatchObject({
      status: 422,
      body: { errors: { interval: 'covers too many periods; ask for less at once' } },
    });
    expect((await app.get(path(id))).status).toBe(200);
  });

  it('answers 404 for a schedule that is not there, or hidden from the team of the key', async () => {
    const { app } = await ops();
    const foreign = await created(app, '/v2/schedules', { name: 'Foreign' });
    expect((await app.get(path('nope'))).status).toBe(404);
    expect((await app.get(path(foreign), teamKey)).status).toBe(403);
  });
});

describe('POST /v2/schedules/{identifier}/timeline/simulate', () => {
  const query = '?interval=3&intervalUnit=days&expand=override,base,forwarding';
  const simulated = (id: string) => `/v2/schedules/${id}/timeline/simulate${query}`;
  const swap = { user: user('eve'), startDate: '2026-01-01T12:00:00Z', endDate: '2026-01-02T12:00:00Z' };

  it('answers with the timeline as it would be with the override, and writes nothing', async () => {
    const { app, id } = await ops();
    const before = (await app.get(path(id, query))).data;
    const { body, data, status } = await app.post(simulated(id), swap);
    expect([status, body['expandable']]).toEqual([200, ['base', 'forwarding', 'override']]);
    expect((await app.get(path(id, query))).data).toEqual(before);
    expect(data).not.toEqual(before);
    await app.post(`/v2/schedules/${id}/overrides`, { ...swap, alias: 'swap' });
    expect((await app.get(path(id, query))).data).toEqual(data);
  });

  it('takes the place of the override with its alias, below those that were created later', async () => {
    const { app, id } = await ops();
    await app.post(`/v2/schedules/${id}/overrides`, { ...swap, alias: 'first' });
    await app.post(`/v2/schedules/${id}/overrides`, { ...swap, alias: 'second', user: user('bob') });
    const changed = { ...swap, endDate: '2026-01-03T12:00:00Z', rotations: [{ name: 'Days' }] };
    const { data } = await app.post(simulated(id), { ...changed, alias: 'first' });
    await app.put(`/v2/schedules/${id}/overrides/first`, changed);
    expect((await app.get(path(id, query))).data).toEqual(data);
  });

  it('is open to a key that only reads, and not to the key of another team', async () => {
    const { app, id } = await ops();
    const readOnly = { ...teamKey, teamId: undefined, mayWrite: false };
    expect((await app.post(simulated(id), swap, readOnly)).status).toBe(200);
    const foreign = await created(app, '/v2/schedules', { name: 'Foreign' });
    expect((await app.post(simulated(foreign), swap, teamKey)).status).toBe(403);
  });

  it.each([
    [{ endDate: swap.startDate }, 422, { endDate: 'should be after startDate' }],
    [{ user: { type: 'user' } }, 422, { user: expect.any(String) }],
    [{ user: user('ghost') }, 404, undefined],
    [{ rotations: [{ name: 'Weekends' }] }, 404, undefined],
  ])('refuses %j with %i', async (part, status, errors) => {
    const { app, id } = await ops();
    const answer = await app.post(simulated(id), { ...swap, ...part });
    expect(answer.status).toBe(status);
    expect(answer.body['errors']).toEqual(errors);
    expect((await app.post(simulated('nope'), swap)).status).toBe(404);
  });
});

describe('POST /v2/schedules/{identifier}/timeline/simulate-rotation', () => {
  const query = '?interval=3&intervalUnit=days&expand=override,base,forwarding';
  const simulated = (id: string) => `/v2/schedules/${id}/timeline/simulate-rotation${query}`;
  const evenings = {
    type: 'time-of-day',
    restriction: { startHour: 18, startMin: 0, endHour: 22, endMin: 0 },
  };
  const startDate = '2026-01-01T00:00:00Z';
  const whole = { name: 'Late', type: 'daily', startDate, participants: [user('bob'), user('eve')] };
  const late = { ...whole, timeRestriction: evenings };
  const rotationsOf = (data: unknown) =>
    (data as { finalTimeline: { rotations: readonly { id: string; name: string; periods: object[] }[] } }).finalTimeline
      .rotations;
  const withoutIds = (data: unknown) => rotationsOf(data).map(({ name, periods }) => ({ name, periods }));

  it('answers with the timeline as it would be with one rotation more, and writes nothing', async () => {
    const { app, id } = await ops();
    const before = (await app.get(path(id, query))).data;
    const { data, status } = await app.post(simulated(id), late);
    expect(status).toBe(200);
    expect((await app.get(path(id, query))).data).toEqual(before);
    expect(rotationsOf(data)).toHaveLength(4);
    await app.post(`/v2/schedules/${id}/rotations`, late);
    expect(withoutIds((await app.get(path(id, query))).data)).toEqual(withoutIds(data));
  });

  it('takes the place of the rotation with its id as a whole, with its overrides', async () => {
    const { app, id } = await ops();
    const nights = rotationsOf((await app.get(path(id, query))).data)[1];
    const swap = { user: user('ada'), startDate: '2026-01-01T20:00:00Z', endDate: '2026-01-02T12:00:00Z' };
    await app.post(`/v2/schedules/${id}/overrides`, { ...swap, alias: 'swap', rotations: [{ id: nights?.id }] });
    const { data } = await app.post(simulated(id), { ...whole, id: nights?.id });
    const stored = (await app.get(`/v2/schedules/${id}`)).data as { rotations: readonly { id: string }[] };
    await app.patch(`/v2/schedules/${id}`, {
      rotations: stored.rotations.map((each) => (each.id === nights?.id ? { ...whole, id: each.id } : each)),
    });
    expect((await app.get(path(id, query))).data).toEqual(data);
  });

  it('is open to a key that only reads, and not to the key of another team', async () => {
    const { app, id } = await ops();
    const readOnly = { ...teamKey, teamId: undefined, mayWrite: false };
    expect((await app.post(simulated(id), late, readOnly)).status).toBe(200);
    const foreign = await created(app, '/v2/schedules', { name: 'Foreign' });
    expect((await app.post(simulated(foreign), late, teamKey)).status).toBe(403);
  });

  it.each([
    [{ endDate: startDate }, 422, { endDate: 'should be after startDate' }],
    [{ participants: [] }, 422, { participants: 'Participants can not be empty.' }],
    [{ type: 'monthly' }, 422, { type: expect.any(String) }],
    [{ participants: [user('ghost')] }, 404, undefined],
  ])('refuses %j with %i', async (part, status, errors) => {
    const { app, id } = await ops();
    const answer = await app.post(simulated(id), { ...late, ...part });
    expect(answer.status).toBe(status);
    expect(answer.body['errors']).toEqual(errors);
    expect((await app.post(simulated('nope'), late)).status).toBe(404);
  });
});

describe('GET /v2/schedules/{scheduleIdentifier}/next-on-calls', () => {
  it('answers who is on call next, by the shifts of each rotation and exactly', async () => {
    const { app, id } = await ops();
    const { data } = await app.get(`/v2/schedules/${id}/next-on-calls`);
    expect(data).toMatchObject({
      _parent: { id, name: 'Ops', enabled: true },
      nextOnCallRecipients: [named('bob'), { type: 'team', id: 'sre', name: 'SRE', onCallParticipants: [] }],
      // At 22:00 the night of eve begins.
      exactNextOnCallRecipients: [named('ada'), named('eve'), { type: 'team', id: 'sre' }],
    });
  });

  it('has user names where `flat` is set, at the date of the request', async () => {
    const { app } = await ops();
    const query = 'scheduleIdentifierType=name&flat=true&date=2026-01-02T12:00:00Z';
    const { data } = await app.get(`/v2/schedules/Ops/next-on-calls?${query}`);
    expect(data).toEqual({
      _parent: expect.objectContaining({ name: 'Ops' }),
      nextOnCallParticipants: ['ada@example.com', 'eve@example.com'],
      exactNextOnCallParticipants: ['ada@example.com', 'eve@example.com'],
    });
  });

  it('answers 404 for a schedule that is not there and 422 for what is not valid', async () => {
    const { app, id } = await ops();
    expect((await app.get('/v2/schedules/nope/next-on-calls')).status).toBe(404);
    expect((await app.get(`/v2/schedules/${id}/next-on-calls?flat=maybe`)).status).toBe(422);
    expect((await app.get(`/v2/schedules/${id}/next-on-calls?date=x`)).status).toBe(422);
  });
});
