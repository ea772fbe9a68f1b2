import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import { userOf } from '../testing/on-call-samples.ts';
import { created, daily, testApp, type TestApp } from '../testing/app-fixture.ts';

const user = (id: string) => ({ type: 'user', id });
const leaf = (id: string) => ({ type: 'user', id, name: `${id}@example.com` });
const forwarded = (to: string, from: string) => ({ ...leaf(to), forwardedFrom: leaf(from) });
const from = '2026-01-01T18:00:00Z';
const until = '2026-01-01T20:00:00Z';

/** Ada today and Bob tomorrow; it is noon. */
async function ops(): Promise<{ app: TestApp; path: string }> {
  const app = await testApp();
  const rotations = [daily([user('ada'), user('bob')])];
  const id = await created(app, '/v2/schedules', { name: 'Ops', timezone: 'UTC', rotations });
  return { app, path: `/v2/schedules/${id}` };
}

const overrideBy = (app: TestApp, path: string, standIn: object, alias = 'evening') =>
  app.post(`${path}/overrides`, { alias, user: standIn, startDate: from, endDate: until });

const forward = (app: TestApp, fromId: string, toId: string) =>
  app.post('/v2/forwarding-rules', {
    fromUser: { id: fromId },
    toUser: { id: toId },
    startDate: '2026-01-01T00:00:00Z',
    endDate: '2026-02-01T00:00:00Z',
  });

describe('who is on call', () => {
  it('follows an override from its start to its end, also one without a user', async () => {
    const { app, path } = await ops();
    await overrideBy(app, path, user('eve'));
    const onCall = async (date: string) => (await app.get(`${path}/on-calls?flat=true&date=${date}`)).data;
    for (const [date, who] of [
      ['2026-01-01T17:59:59Z', 'ada'],
      [from, 'eve'],
      ['2026-01-01T19:59:59Z', 'eve'],
      [until, 'ada'],
    ] as const) {
      expect(await onCall(date)).toMatchObject({ onCallRecipients: [`${who}@example.com`] });
    }
    await overrideBy(app, path, { type: 'none' }, 'none');
    expect(await onCall(from)).toMatchObject({ onCallRecipients: [] });
  });

  it('is the last user of a chain of forwarding rules, shown with the user whose duty it was at first', async () => {
    const { app, path } = await ops();
    await forward(app, 'ada', 'bob');
    await forward(app, 'bob', 'eve');
    expect((await app.get(`${path}/on-calls`)).data).toMatchObject({ onCallParticipants: [forwarded('eve', 'ada')] });
    expect((await app.get(`${path}/on-calls?flat=true`)).data).toMatchObject({ onCallRecipients: ['eve@example.com'] });
  });
});

describe('who is on call next', () => {
  it('is by turns the participant of the next turn, and exactly the user of an override that begins before it', async () => {
    const { app, path } = await ops();
    await overrideBy(app, path, user('eve'));
    expect((await app.get(`${path}/next-on-calls`)).data).toMatchObject({
      nextOnCallRecipients: [leaf('bob')],
      exactNextOnCallRecipients: [leaf('eve')],
    });
    expect((await app.get(`${path}/next-on-calls?flat=true`)).data).toMatchObject({
      nextOnCallParticipants: ['bob@example.com'],
      exactNextOnCallParticipants: ['eve@example.com'],
    });
  });

  it('is the user to whom the next duty is forwarded, with the first user', async () => {
    const { app, path } = await ops();
    await forward(app, 'bob', 'eve');
    expect((await app.get(`${path}/next-on-calls`)).data).toMatchObject({
      nextOnCallRecipients: [forwarded('eve', 'bob')],
      exactNextOnCallRecipients: [forwarded('eve', 'bob')],
    });
  });

  it('has no exact answer where all duties are forwarded to users who are on call already', async () => {
    const { app, path } = await ops();
    await forward(app, 'bob', 'ada');
    expect((await app.get(`${path}/next-on-calls`)).data).toMatchObject({
      nextOnCallRecipients: [forwarded('ada', 'bob')],
      exactNextOnCallRecipients: [],
    });
  });
});

describe('a timeline', () => {
  it('has a period for each layer that decides, with the user from whom it was taken over', async () => {
    const { app, path } = await ops();
    await overrideBy(app, path, user('eve'));
    await forward(app, 'bob', 'eve');
    app.clock.moveTo(new Date('2026-01-03T00:00:00Z'));
    const query = 'interval=2&intervalUnit=days&date=2026-01-01T12:00:00Z&expand=base,override,forwarding';
    const { data } = await app.get(`${path}/timeline?${query}`);
    const inLayer = (...periods: object[]) => ({ rotations: [{ name: 'Rot1', order: 1, periods }] });
    const [midnight, next, last] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z'];
    const period = (type: string, who: string, startDate: string, endDate: string) => ({
      type,
      startDate,
      endDate,
      recipient: { type: 'user', id: who, name: `${who}@example.com` },
      flattenedRecipients: [leaf(who)],
    });
    const standIn = period('override', 'eve', from, until);
    const takenOver = {
      ...period('forwarding', 'eve', next, last),
      fromUser: 'bob',
      flattenedRecipients: [forwarded('eve', 'bob')],
    };
    expect(data).toMatchObject({
      startDate: midnight,
      endDate: last,
      baseTimeline: inLayer(period('default', 'ada', midnight, next), period('default', 'bob', next, last)),
      overrideTimeline: inLayer(standIn),
      forwardingTimeline: inLayer(takenOver),
      finalTimeline: inLayer(
        period('default', 'ada', midnight, from),
        standIn,
        period('default', 'ada', until, next),
        takenOver,
      ),
    });
  });

  it('names a user who was created a moment ago, skips a deleted one, and answers 503 while directory does not answer', async () => {
    const { app, path } = await ops();
    await overrideBy(app, path, user('eve'));
    app.users.forget('eve');
    const query = 'interval=2&intervalUnit=days';
    const { data } = await app.get(`${path}/timeline?${query}`);
    expect(data).toMatchObject({
      finalTimeline: { rotations: [{ periods: [{ type: 'default' }, { type: 'default' }] }] },
    });
    app.users.ownerHas('id', 'eve', userOf('eve'));
    expect((await app.get(`${path}/timeline?${query}`)).data).toMatchObject({
      finalTimeline: { rotations: [{ periods: [{}, { recipient: leaf('eve') }, {}, {}] }] },
    });
    app.users.refuseWith(new UnavailableError('The directory does not answer.'));
    expect((await app.get(`${path}/timeline?${query}`)).status).toBe(503);
  });

  it('shows overrides of a schedule without rotations as one row', async () => {
    const app = await testApp();
    const id = await created(app, '/v2/schedules', { name: 'Ops', timezone: 'UTC' });
    const empty = await app.get(`/v2/schedules/${id}/timeline`);
    expect(empty.data).toMatchObject({ finalTimeline: { rotations: [] } });
    await overrideBy(app, `/v2/schedules/${id}`, user('eve'));
    expect((await app.get(`/v2/schedules/${id}/timeline`)).data).toMatchObject({
      finalTimeline: { rotations: [{ name: '', periods: [{ type: 'override', startDate: from, endDate: until }] }] },
    });
  });
});
