import { beforeEach, describe, expect, it } from '@jest/globals';
import { created, daily, testApp, type TestApp } from '../testing/app-fixture.ts';
import { forwardingOf } from '../testing/on-call-samples.ts';

/** Answers are computed by the process that sends pages: however large a configuration is, each has to stay small. */
let app: TestApp;
beforeEach(async () => {
  app = await testApp();
});

const user = (id: string) => ({ type: 'user', id });
const many = <T>(count: number, of: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => of(index));
const day = (index: number) => new Date(Date.UTC(2025, 0, 1) + index * 86_400_000).toISOString();

/** An escalation of a thousand rules, each of which names both members of a team. */
const largeEscalation = async () => {
  const rule = { delay: { timeAmount: 1 }, recipient: { type: 'team', name: 'SRE' }, notifyType: 'all' };
  return {
    type: 'escalation',
    id: await created(app, '/v2/escalations', { name: 'All', rules: many(1_000, () => rule) }),
  };
};
const usersIn = (answer: unknown) => JSON.stringify(answer).split('"type":"user"').length - 1;

/** Keeps overrides in a schedule that would take a thousand requests to make. */
const keepOverrides = (id: string, count: number) =>
  app.operations.store.change(({ schedules }) => {
    const found = schedules.get(id);
    if (found === undefined) throw new Error(`no schedule ${id}`);
    const overrides = many(count, (index) => ({
      alias: String(index),
      user: { type: 'user' as const, id: 'eve' },
      rotationIds: undefined,
      startAt: new Date(day(0)),
      endAt: new Date(day((index % 300) + 1)),
    }));
    return { schedules: { put: [{ ...found, overrides }] }, answer: undefined };
  });

describe('a large configuration', () => {
  it('lists a bounded number of users who are next on call, in all rotations together', async () => {
    const large = await largeEscalation();
    const rotations = many(200, () => daily([large]));
    const id = await created(app, '/v2/schedules', { name: 'Ops', rotations });
    const { status, data } = await app.get(`/v2/schedules/${id}/next-on-calls`);
    expect(status).toBe(200);
    expect(usersIn(data)).toBeLessThan(55_000);
  });

  it('has no timeline of a range in which too much would have to be opened, and one of a shorter range', async () => {
    const large = await largeEscalation();
    const rotations = [daily([large, user('ada')], { type: 'hourly', startDate: day(0) })];
    const id = await created(app, '/v2/schedules', { name: 'Ops', rotations });
    const timeline = (query: string) => app.get(`/v2/schedules/${id}/timeline?date=${day(10)}&${query}`);
    expect(await timeline('interval=3&intervalUnit=months')).toMatchObject({
      status: 422,
      body: { errors: { interval: 'covers too many periods; ask for less at once' } },
    });
    expect((await timeline('interval=1&intervalUnit=days')).status).toBe(200);
  });

  it('has no timeline of a range in which forwarding cuts too many periods, and one of a shorter range', async () => {
    const id = await created(app, '/v2/schedules', { name: 'Ops', rotations: many(60, () => daily([user('ada')])) });
    await app.operations.store.change(() => ({
      forwardingRules: {
        put: many(1_000, (index) =>
          forwardingOf('ada', index % 2 === 0 ? 'eve' : 'bob', {
            id: String(index),
            startAt: new Date(day(index / 100)),
            endAt: new Date(day((index + 1) / 100)),
          }),
        ),
      },
      answer: undefined,
    }));
    const timeline = (interval: number) =>
      app.get(`/v2/schedules/${id}/timeline?date=${day(1)}&interval=${interval}&intervalUnit=days`);
    expect(await timeline(7)).toMatchObject({
      status: 422,
      body: { errors: { interval: 'covers too many periods; ask for less at once' } },
    });
    expect((await timeline(1)).status).toBe(200);
  });

  it('has a timeline and a whole calendar, however many overrides it had in the past', async () => {
    const rotations = many(60, () => daily([user('ada'), user('bob')]));
    const id = await created(app, '/v2/schedules', { name: 'Ops', rotations });
    const before = (await app.get(`/v2/schedules/${id}.ics`)).text.split('BEGIN:VEVENT').length;
    await keepOverrides(id, 1_000);
    const { status, data } = await app.get(`/v2/schedules/${id}/timeline`);
    expect([status, (data as { finalTimeline: { rotations: unknown[] } }).finalTimeline.rotations.length]).toEqual([
      200, 60,
    ]);
    expect((await app.get(`/v2/schedules/${id}.ics`)).text.split('BEGIN:VEVENT')).toHaveLength(before);
  });

  it('has a timeline of thousands of periods, which lets the event loop run between its parts, with the same result', async () => {
    const hourly = { type: 'hourly', startDate: day(0) } as const;
    const rotations = [daily([user('ada'), user('bob')], hourly), daily([user('ada')], hourly)];
    const id = await created(app, '/v2/schedules', { name: 'Ops', rotations });
    let turns = 0;
    const count = () => {
      turns += 1;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    const { status, data } = await app.get(
      `/v2/schedules/${id}/timeline?date=${day(0)}&interval=3&intervalUnit=months`,
    );
    clearImmediate(counting);
    expect(status).toBe(200);
    expect(turns).toBeGreaterThan(8);
    interface Shift {
      readonly startDate: string;
      readonly endDate: string;
      readonly recipient: { readonly id: string };
    }
    const drawn = (data as { finalTimeline: { rotations: { periods: Shift[] }[] } }).finalTimeline.rotations;
    const [hours = [], days = []] = drawn.map(({ periods }) => periods);
    expect(hours.length).toBeGreaterThan(89 * 24);
    expect(days).toHaveLength(1);
    const follows = ({ startDate, recipient }: Shift, before: Shift | undefined) =>
      startDate === before?.endDate && recipient.id !== before.recipient.id;
    expect(hours.slice(1).every((period, index) => follows(period, hours[index]))).toBe(true);
    expect((await app.get(`/v2/schedules/${id}/timeline?date=${day(0)}&interval=12&intervalUnit=months`)).status).toBe(
      422,
    );
  });

  it('says who is on call where a thousand overrides lie over one another', async () => {
    const id = await created(app, '/v2/schedules', { name: 'Ops', rotations: [daily([user('ada')])] });
    await keepOverrides(id, 1_000);
    const { data } = await app.get(`/v2/schedules/${id}/timeline?date=${day(20)}&expand=override`);
    expect(data).toMatchObject({
      overrideTimeline: { rotations: [{ periods: [{ type: 'override', recipient: { id: 'eve' } }] }] },
    });
  });
});

describe('the overrides of one schedule', () => {
  it('are at most 1000, each of which can still be replaced', async () => {
    const id = await created(app, '/v2/schedules', { name: 'Ops' });
    await keepOverrides(id, 1_000);
    const body = { user: { type: 'none' }, startDate: day(0), endDate: day(1) };
    expect(await app.post(`/v2/schedules/${id}/overrides`, { ...body, alias: 'one more' })).toMatchObject({
      status: 422,
      body: { errors: { alias: 'schedule [Ops] has too many overrides; delete old ones' } },
    });
    expect(await app.put(`/v2/schedules/${id}/overrides/999`, body)).toMatchObject({ status: 200 });
  });
});

describe('the forwarding rules of one user', () => {
  const passedOn = (index: number, from = 'ada') => ({
    fromUser: { id: from },
    toUser: { id: 'eve' },
    startDate: day(index),
    endDate: day(index + 1),
  });

  it('are at most 1000, which others do not count for', async () => {
    const put = many(1_000, (index) => forwardingOf('ada', 'eve', { id: `rule-${index}` }));
    await app.operations.store.change(() => ({ forwardingRules: { put }, answer: undefined }));
    const refused = { status: 422, body: { errors: { fromUser: 'has too many forwarding rules; delete old ones' } } };
    expect(await app.post('/v2/forwarding-rules', passedOn(1_000))).toMatchObject(refused);
    const id = await created(app, '/v2/forwarding-rules', passedOn(0, 'bob'));
    expect(await app.put(`/v2/forwarding-rules/${id}`, passedOn(0))).toMatchObject(refused);
    expect(await app.put(`/v2/forwarding-rules/${id}`, passedOn(1, 'bob'))).toMatchObject({ status: 200 });
  });
});
