import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import ICAL from 'ical.js';
import { sync as nodeIcal } from 'node-ical';
import { created, daily, teamKey, testApp, type TestApp } from '../testing/app-fixture.ts';

const user = (id: string) => ({ type: 'user', id });
const DAY_MS = 86_400_000;

interface Event {
  readonly uid: string;
  readonly start: string;
  readonly end: string;
  readonly summary: string;
  readonly description: string;
  readonly sequence: number;
}

/** The events of a calendar, as two independent readers understand it; they must agree. */
function eventsIn(text: string): readonly Event[] {
  const component = new ICAL.Component(ICAL.parse(text) as unknown[]);
  const events = component.getAllSubcomponents('vevent').map((one): Event => {
    const { uid, startDate, endDate, summary, description, sequence } = new ICAL.Event(one);
    expect([startDate.zone.tzid, endDate.zone.tzid]).toEqual(['UTC', 'UTC']);
    const [start, end] = [startDate.toJSDate().toISOString(), endDate.toJSDate().toISOString()];
    return { uid, start, end, summary, description, sequence };
  });
  const other = Object.values(nodeIcal.parseICS(text)).flatMap((one) => (one?.type === 'VEVENT' ? [one] : []));
  expect(other.map(({ uid, start, end, summary }) => [uid, start.toISOString(), end?.toISOString(), summary])).toEqual(
    events.map(({ uid, start, end, summary }) => [uid, start, end, summary]),
  );
  return events;
}

async function opsSchedule(over: object = {}): Promise<{ app: TestApp; id: string }> {
  const app = await testApp();
  const rotations = [daily([user('ada'), user('bob')], { startDate: '2020-01-01T06:00:00Z' })];
  const body = { name: 'Ops', timezone: 'America/Chicago', rotations, ...over };
  return { app, id: await created(app, '/v2/schedules', body) };
}

describe('GET /v2/schedules/{identifier}.ics', () => {
  it('is the schedule itself where only its whole name ends so, and the calendar where a schedule has the rest as its name', async () => {
    const { app, id } = await opsSchedule({ name: 'Ops.ics' });
    const path = '/v2/schedules/Ops.ics?identifierType=name';
    expect(await app.get(path)).toMatchObject({ status: 200, body: { data: { id, name: 'Ops.ics' } } });
    expect(await app.get(path, teamKey)).toMatchObject({ status: 403 });
    expect(await app.get('/v2/schedules/Ops.ics.ics?identifierType=name')).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/calendar; charset=utf-8' },
    });
    await created(app, '/v2/schedules', { name: 'Ops' });
    expect(await app.get(path)).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/calendar; charset=utf-8' },
    });
    expect(await app.get('/v2/schedules/None.ics?identifierType=name')).toMatchObject({
      status: 404,
      body: { message: 'Schedule with name [None] does not exist.' },
    });
  });

  it('is a calendar named for the schedule, from a month ago to three months ahead', async () => {
    const { app, id } = await opsSchedule();
    app.clock.moveTo(new Date('2026-05-20T12:00:00Z'));
    const { status, headers, text } = await app.get(`/v2/schedules/${id}.ics`);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/calendar; charset=utf-8',
      'content-disposition': 'attachment; filename=Ops.ics',
    });
    const events = eventsIn(text);
    expect(events[0]).toMatchObject({ start: '2026-04-20T05:00:00.000Z', end: '2026-04-21T05:00:00.000Z' });
    expect(events.at(-1)?.end).toBe('2026-08-21T05:00:00.000Z');
    expect(events.map(({ summary }) => summary).slice(0, 2)).toEqual([
      'bob@example.com on call: Ops',
      'ada@example.com on call: Ops',
    ]);
    expect(events[0]?.description).toBe('Rotation: Rot1');
  });

  it('agrees with the timeline', async () => {
    const timeRestriction = {
      type: 'time-of-day',
      restriction: { startHour: 22, startMin: 0, endHour: 6, endMin: 30 },
    };
    const { app, id } = await opsSchedule({
      rotations: [daily([user('ada'), user('bob'), { type: 'none' }], { timeRestriction }), daily([user('eve')])],
    });
    app.clock.moveTo(new Date('2026-02-20T12:00:00Z'));
    const { data } = await app.get(`/v2/schedules/${id}/timeline?interval=3&intervalUnit=months`);
    const { startDate, finalTimeline } = data as {
      startDate: string;
      finalTimeline: {
        rotations: { periods: { startDate: string; endDate: string; recipient: { name: string } }[] }[];
      };
    };
    const [from, until] = [Date.parse(startDate), Date.parse(startDate) + 60 * DAY_MS];
    const drawn = (who: string, start: string, end: string) =>
      Date.parse(start) < until && Date.parse(end) > from
        ? [`${who} ${Math.max(Date.parse(start), from)} ${Math.min(Date.parse(end), until)}`]
        : [];
    const periods = finalTimeline.rotations.flatMap((rotation) => rotation.periods);
    const events = eventsIn((await app.get('/v2/schedules/Ops.ics?identifierType=name')).text);
    expect(
      events.flatMap(({ summary, start, end }) => drawn(summary.replace(' on call: Ops', ''), start, end)).sort(),
    ).toEqual(periods.flatMap((one) => drawn(one.recipient.name, one.startDate, one.endDate)).sort());
    expect(events.length).toBeGreaterThan(80);
  });

  it('keeps the id of an event while time goes on, and counts the writes of the schedule', async () => {
    const { app, id } = await opsSchedule();
    const before = eventsIn((await app.get(`/v2/schedules/${id}.ics`)).text);
    app.clock.advance(20 * DAY_MS);
    await app.patch(`/v2/schedules/${id}`, { description: 'changed' });
    const after = eventsIn((await app.get(`/v2/schedules/${id}.ics`)).text);
    const known = new Map(after.map((event) => [event.uid, event]));
    const kept = before.filter(({ uid }) => known.has(uid));
    expect(kept.length).toBe(before.length - 20);
    for (const event of kept) expect(known.get(event.uid)).toEqual({ ...event, sequence: event.sequence + 1 });
  });

  it('says who is on call by an override, names teams, and carries any name', async () => {
    const name = 'Größe, 🔥; "x"\r\nATTENDEE:mailto:a@b\\';
    const { app, id } = await opsSchedule({ name, rotations: [daily([{ type: 'team', id: 'sre' }])] });
    const [startDate, endDate] = ['2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z'];
    await app.post(`/v2/schedules/${id}/overrides`, { alias: 'holiday', user: user('eve'), startDate, endDate });
    const { text, headers } = await app.get(`/v2/schedules/${id}.ics`);
    const [first, second] = eventsIn(text);
    const printed = 'Größe, 🔥; "x"\nATTENDEE:mailto:a@b\\';
    expect(first?.summary).toBe(`Team SRE on call: ${printed}`);
    expect(second).toMatchObject({
      summary: `eve@example.com on call: ${printed}`,
      description: 'Rotation: Rot1\nBy an override',
    });
    const unfolded = text.replaceAll('\r\n ', '');
    expect(unfolded).toContain('NAME:On call: Größe\\, 🔥\\; "x" ATTENDEE:mailto:a@b\\\\\r\n');
    expect(text).not.toMatch(/^ATTENDEE/m);
    expect(headers['content-disposition']).toContain("filename*=UTF-8''Gr%C3%B6%C3%9Fe%2C%20%F0%9F%94%A5");
  });

  it('is empty for a disabled schedule', async () => {
    const { app, id } = await opsSchedule({ enabled: false });
    expect(eventsIn((await app.get(`/v2/schedules/${id}.ics`)).text)).toEqual([]);
  });

  it("answers 404 for a schedule that is not there, 403 for another team's, 422 for a wrong kind of identifier, 503 when names cannot be asked for", async () => {
    const { app, id } = await opsSchedule();
    const status = async (path: string, key?: typeof teamKey) => (await app.get(path, key)).status;
    expect(await status('/v2/schedules/nope.ics')).toBe(404);
    expect(await status(`/v2/schedules/${id}.ics`, teamKey)).toBe(403);
    const { status: refused, body } = await app.get(`/v2/schedules/${id}.ics?identifierType=tiny`);
    expect([refused, Object.keys(body['errors'] as object)]).toEqual([422, ['identifierType']]);
    app.users.remove('bob');
    expect(eventsIn((await app.get(`/v2/schedules/${id}.ics`)).text)[0]?.summary).toBe('ada@example.com on call: Ops');
    app.users.get = () => undefined;
    app.users.fetch = () => Promise.reject(new UnavailableError('The directory does not answer.'));
    expect(await status(`/v2/schedules/${id}.ics`)).toBe(503);
  });
});

describe('GET /v2/schedules/on-calls/{identifier}.ics', () => {
  it('is a calendar of three months named for the user, with their shifts in every schedule', async () => {
    const { app } = await opsSchedule();
    await created(app, '/v2/schedules', { name: 'Net', timezone: 'UTC', rotations: [daily([user('bob')])] });
    await created(app, '/v2/schedules', { name: 'Web', timezone: 'UTC', rotations: [daily([user('eve')])] });
    app.clock.moveTo(new Date('2026-02-01T18:00:00Z'));
    for (const identifier of ['bob', 'bob@example.com', 'BOB@example.com']) {
      const { status, headers, text } = await app.get(`/v2/schedules/on-calls/${identifier}.ics`);
      expect([status, headers['content-disposition']]).toEqual([200, 'attachment; filename="bob@example.com.ics"']);
      const events = eventsIn(text);
      expect(new Set(events.map(({ summary }) => summary))).toEqual(
        new Set(['bob@example.com on call: Ops', 'bob@example.com on call: Net']),
      );
      // In the schedule of one alone the shift began long ago.
      expect(events.at(-1)).toMatchObject({ start: '2026-01-01T00:00:00.000Z', end: '2026-05-02T00:00:00.000Z' });
      expect(events[0]).toMatchObject({ start: '2026-02-01T06:00:00.000Z', end: '2026-02-02T06:00:00.000Z' });
    }
  });

  it('has the duties that are forwarded to the user, and not those that they pass on', async () => {
    const { app } = await opsSchedule();
    app.clock.moveTo(new Date('2026-02-01T18:00:00Z'));
    const [startDate, endDate] = ['2026-02-03T06:00:00Z', '2026-02-03T18:00:00Z'];
    const rule = { fromUser: { username: 'bob@example.com' }, toUser: { username: 'eve@example.com' } };
    await app.post('/v2/forwarding-rules', { ...rule, startDate: '2026-02-03T00:00:00Z', endDate });
    expect(eventsIn((await app.get('/v2/schedules/on-calls/eve.ics')).text)).toMatchObject([
      {
        start: '2026-02-03T06:00:00.000Z',
        end: '2026-02-03T18:00:00.000Z',
        summary: 'eve@example.com on call: Ops',
        description: 'Rotation: Rot1\nForwarded from: bob@example.com',
      },
    ]);
    const own = eventsIn((await app.get('/v2/schedules/on-calls/bob.ics')).text);
    const during = ({ start, end }: Event) => Date.parse(start) < Date.parse(endDate) && end > startDate;
    expect(own.filter(during)).toEqual([]);
    expect(own).toContainEqual(
      expect.objectContaining({ start: '2026-02-03T18:00:00.000Z', end: '2026-02-04T06:00:00.000Z' }),
    );
  });

  it('shows a team key the schedules that it may see', async () => {
    const { app } = await opsSchedule();
    await created(app, '/v2/schedules', { name: 'Own', rotations: [daily([user('ada')])] }, teamKey);
    const { text } = await app.get('/v2/schedules/on-calls/ada.ics', teamKey);
    expect(eventsIn(text).map(({ summary }) => summary)).toEqual(['ada@example.com on call: Own']);
  });

  it('answers 404 naming a user who does not exist, and 503 while directory does not answer', async () => {
    const { app } = await opsSchedule();
    const { status, body } = await app.get('/v2/schedules/on-calls/unknown.ics');
    expect([status, body['message']]).toEqual([404, 'User does not exist with id or username: unknown']);
    app.users.get = () => undefined;
    app.users.fetch = () => Promise.reject(new UnavailableError('The directory does not answer.'));
    expect((await app.get('/v2/schedules/on-calls/unknown.ics')).status).toBe(503);
  });
});

describe('a calendar that a program asks for again', () => {
  it.each(['/v2/schedules/Ops.ics?identifierType=name', '/v2/schedules/on-calls/ada.ics'])(
    'is 304 as long as it says the same, and whole once it does not: %s',
    async (path) => {
      const { app, id } = await opsSchedule();
      const tag = (await app.get(path)).headers['etag'] ?? '';
      const again = () => app.get(path, undefined, { 'if-none-match': `"other", ${tag}` });
      app.clock.advance(60_000);
      expect(await again()).toMatchObject({ status: 304, text: '', headers: { etag: tag } });
      await app.patch(`/v2/schedules/${id}`, { name: 'Ops', description: 'changed' });
      const changed = await again();
      expect([changed.status, changed.headers['etag'] === tag]).toEqual([200, false]);
      expect((await app.get(path, undefined, { 'if-none-match': '' })).status).toBe(200);
    },
  );
});
