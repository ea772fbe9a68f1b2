import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import { useSharedSystem } from '../system/system.ts';

const system = useSharedSystem();
const DAY_MS = 86_400_000;
let scenario: Scenario;
let ops: { readonly id: string; readonly name: string; readonly enabled: boolean };

interface Participant {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly escalationTime?: number;
  readonly notifyType?: string;
  readonly onCallParticipants?: readonly Participant[];
}

const daysAhead = (days: number) => new Date(system.clock.now().getTime() + days * DAY_MS).toISOString();
const schedules = () => `/v2/schedules/${ops.id}`;
const onCallIn = (rotation: object, of: string) =>
  system.api.create<typeof ops>('/v2/schedules', { name: scenario.name(of), timezone: 'UTC', rotations: [rotation] });

/** Ada and Bob take turns of a day in `Ops`; the first begins now. */
beforeEach(async () => {
  scenario = system.scenario();
  await scenario.users('ada', 'bob');
  const participants = [scenario.user('ada'), scenario.user('bob')];
  ops = await onCallIn({ name: 'Days', type: 'daily', startDate: daysAhead(0), participants }, 'Ops');
});

describe('on-call queries (part 2, 4.6)', () => {
  it('get-on-calls answers who is on call, now and at a date, nested and flat, by id and by name', async () => {
    const { id, name } = ops;
    const now = await system.api.read<{ readonly onCallParticipants: readonly Participant[] }>(
      `${schedules()}/on-calls`,
    );
    expect(now).toEqual({
      _parent: { id, name, enabled: true },
      onCallParticipants: [{ type: 'user', id: expect.any(String), name: scenario.address('ada') }],
    });
    const byName = `/v2/schedules/${encodeURIComponent(name)}/on-calls?scheduleIdentifierType=name`;
    const tomorrow = await system.api.read(`${byName}&flat=true&date=${encodeURIComponent(daysAhead(1))}`);
    expect(tomorrow).toEqual({ _parent: { id, name, enabled: true }, onCallRecipients: [scenario.address('bob')] });
    expect((await system.api.request('GET', '/v2/schedules/nothing/on-calls')).status).toBe(404);
    expect((await system.api.request('GET', `${schedules()}/on-calls?date=soon`)).status).toBe(422);
  });

  it('get-on-calls opens a team to its escalation and the escalation to its schedules and members', async () => {
    const team = await scenario.team('Team', 'ada', 'bob');
    const participants = [{ type: 'team', id: team.id }];
    const { id } = await onCallIn({ type: 'weekly', startDate: daysAhead(0), participants }, 'Outer');
    const owned = `/v2/schedules/${encodeURIComponent(`${scenario.name('Team')}_schedule`)}?identifierType=name`;
    const rotation = {
      type: 'daily',
      startDate: daysAhead(0),
      participants: [scenario.user('ada'), scenario.user('bob')],
    };
    await system.api.expect(200, 'PATCH', owned, { rotations: [rotation] });
    interface Tree {
      readonly onCallParticipants: readonly Participant[];
    }
    const { onCallParticipants } = await system.api.read<Tree>(`/v2/schedules/${id}/on-calls`);
    expect(onCallParticipants).toMatchObject([{ type: 'team', id: team.id, name: scenario.name('Team') }]);
    const escalation = onCallParticipants[0]?.onCallParticipants?.[0];
    expect(escalation).toMatchObject({ type: 'escalation', name: `${scenario.name('Team')}_escalation` });
    const named = (one: Participant) => one.onCallParticipants?.map(({ name }) => name);
    expect(
      escalation?.onCallParticipants?.map((one) => [one.type, one.escalationTime, one.notifyType, named(one)]),
    ).toEqual([
      ['schedule', 0, 'default', [scenario.address('ada')]],
      ['schedule', 5, 'next', [scenario.address('bob')]],
      ['team', 10, 'all', [scenario.address('ada'), scenario.address('bob')]],
    ]);
    const flat = await system.api.read<{ readonly onCallRecipients: readonly string[] }>(
      `/v2/schedules/${id}/on-calls?flat=true`,
    );
    expect(flat.onCallRecipients).toEqual([scenario.address('ada'), scenario.address('bob')]);
  });

  it('list-on-calls answers the same for every schedule', async () => {
    const { id, name } = ops;
    const all = await system.api.read<readonly { readonly _parent: { readonly id: string } }[]>(
      '/v2/schedules/on-calls?flat=true',
    );
    expect(all.filter(({ _parent }) => _parent.id === id)).toEqual([
      { _parent: { id, name, enabled: true }, onCallRecipients: [scenario.address('ada')] },
    ]);
  });

  it('get-next-on-calls answers who comes next, by turns and exactly', async () => {
    const { id, name } = ops;
    const bob = { type: 'user', id: expect.any(String), name: scenario.address('bob') };
    expect(await system.api.read(`${schedules()}/next-on-calls`)).toEqual({
      _parent: { id, name, enabled: true },
      nextOnCallRecipients: [bob],
      exactNextOnCallRecipients: [bob],
    });
    expect(await system.api.read(`${schedules()}/next-on-calls?flat=true&date=${daysAhead(1)}`)).toEqual({
      _parent: { id, name, enabled: true },
      nextOnCallParticipants: [scenario.address('ada')],
      exactNextOnCallParticipants: [scenario.address('ada')],
    });
    expect((await system.api.request('GET', '/v2/schedules/nothing/next-on-calls')).status).toBe(404);
  });
});

describe('timelines and calendars (part 2, 4.3 and 4.6)', () => {
  it('get-schedule-timeline answers the periods of a range, and the layers that are asked for', async () => {
    const { id, name } = ops;
    const { body } = await system.api.expect(200, 'GET', `${schedules()}/timeline?interval=2&intervalUnit=days`);
    expect(body['expandable']).toEqual(expect.arrayContaining(['base', 'forwarding', 'override']));
    expect(body['data']).toMatchObject({
      _parent: { id, name, enabled: true },
      finalTimeline: {
        rotations: [
          {
            name: 'Days',
            periods: [
              { type: 'default', recipient: { type: 'user', name: scenario.address('ada') } },
              { type: 'default', recipient: { type: 'user', name: scenario.address('bob') } },
            ],
          },
        ],
      },
    });
    expect(body['data']).not.toHaveProperty('baseTimeline');
    const expanded = await system.api.read(`${schedules()}/timeline?expand=base,forwarding,override`);
    expect(Object.keys(expanded as object)).toEqual(
      expect.arrayContaining(['baseTimeline', 'forwardingTimeline', 'overrideTimeline']),
    );
    expect((await system.api.request('GET', `${schedules()}/timeline?interval=0`)).status).toBe(422);
    expect((await system.api.request('GET', '/v2/schedules/nothing/timeline')).status).toBe(404);
  });

  it('simulate-override answers the timeline with an override that is not written', async () => {
    const range = 'timeline?interval=2&intervalUnit=days';
    const before = await system.api.read(`${schedules()}/${range}`);
    const override = { user: scenario.user('bob'), startDate: daysAhead(0), endDate: daysAhead(1) };
    const simulated = `${schedules()}/timeline/simulate?interval=2&intervalUnit=days`;
    const { body } = await system.api.expect(200, 'POST', simulated, override);
    expect(body['data']).toMatchObject({
      finalTimeline: {
        rotations: [
          {
            periods: [
              { type: 'override', recipient: { type: 'user', name: scenario.address('bob') } },
              { type: 'default', recipient: { type: 'user', name: scenario.address('bob') } },
            ],
          },
        ],
      },
    });
    expect(await system.api.read(`${schedules()}/${range}`)).toEqual(before);
    expect((await system.api.request('POST', simulated, { ...override, endDate: daysAhead(0) })).status).toBe(422);
    expect((await system.api.request('POST', '/v2/schedules/nothing/timeline/simulate', override)).status).toBe(404);
  });

  it('simulate-rotation answers the timeline with a rotation that is not written', async () => {
    const range = 'timeline?interval=2&intervalUnit=days';
    const before = await system.api.read(`${schedules()}/${range}`);
    const rotation = { name: 'Late', startDate: daysAhead(0), type: 'daily', participants: [scenario.user('bob')] };
    const simulated = `${schedules()}/timeline/simulate-rotation?interval=2&intervalUnit=days`;
    const { body } = await system.api.expect(200, 'POST', simulated, rotation);
    expect(body['data']).toMatchObject({
      finalTimeline: {
        rotations: [{}, { name: 'Late', periods: [{ recipient: { type: 'user', name: scenario.address('bob') } }] }],
      },
    });
    expect(await system.api.read(`${schedules()}/${range}`)).toEqual(before);
    expect((await system.api.request('POST', simulated, { ...rotation, participants: [] })).status).toBe(422);
    const none = '/v2/schedules/nothing/timeline/simulate-rotation';
    expect((await system.api.request('POST', none, rotation)).status).toBe(404);
  });

  it('export-schedule answers a calendar named for the schedule, under the headers of every answer', async () => {
    const { text, headers } = await system.api.download(`${schedules()}.ics`);
    expect(headers.get('content-type')).toMatch(/^text\/calendar/);
    expect(headers.get('content-disposition')).toContain(`filename="${ops.name}.ics"`);
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(Number(headers.get('x-response-time'))).toBeGreaterThan(0);
    expect(headers.get('x-ratelimit-state')).toBe('OK');
    const lines = text.replaceAll('\r\n ', '').split('\r\n');
    expect([lines[0], lines.at(-1)]).toEqual(['BEGIN:VCALENDAR', 'END:VCALENDAR']);
    expect(lines).toContain(`SUMMARY:${scenario.address('ada')} on call: ${ops.name}`);
    const missing = await system.api.request('GET', '/v2/schedules/nothing.ics');
    expect([missing.status, typeof missing.body['message']]).toEqual([404, 'string']);
  });

  it('export-on-calls answers the calendar of a user, by id or user name', async () => {
    const { text, headers } = await system.api.download(`/v2/schedules/on-calls/${scenario.address('bob')}.ics`);
    expect(headers.get('content-disposition')).toContain(`${scenario.address('bob')}.ics`);
    const { id } = await system.api.read<{ readonly id: string }>(`/v2/users/${scenario.address('bob')}`);
    const byId = await system.api.download(`/v2/schedules/on-calls/${id}.ics`);
    expect(byId.text).toBe(text);
    const events = text.replaceAll('\r\n ', '').match(/^SUMMARY:.*$/gm) ?? [];
    expect(events.length).toBeGreaterThan(40);
    expect(new Set(events)).toEqual(new Set([`SUMMARY:${scenario.address('bob')} on call: ${ops.name}`]));
    expect((await system.api.request('GET', '/v2/schedules/on-calls/unknown.ics')).status).toBe(404);
  });
});

describe('the calendar link of a user (S16)', () => {
  it('create-calendar-link, get-calendar-link, open-calendar-link and delete-calendar-link answer a link that needs no key', async () => {
    const link = `/v2/users/${scenario.address('bob')}/calendar-link`;
    expect(await system.api.read(link)).toEqual({ isActive: false });
    const { createdAt, url } = await system.api.create<{ readonly url: string; readonly createdAt: string }>(link, {});
    expect(await system.api.read(link)).toEqual({ isActive: true, createdAt });
    const calendar = await fetch(url);
    expect([calendar.status, calendar.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8']);
    const text = (await calendar.text()).replaceAll('\r\n ', '');
    expect(text).toContain(`SUMMARY:${scenario.address('bob')} on call: ${ops.name}`);
    const statusOf = async (headers: Readonly<Record<string, string>> = {}) => {
      const answer = await fetch(url, { headers });
      await answer.text();
      return answer.status;
    };
    expect(await statusOf({ 'If-None-Match': calendar.headers.get('etag') ?? '' })).toBe(304);
    await system.api.expect(200, 'DELETE', link);
    expect(await statusOf()).toBe(404);
    expect((await system.api.request('GET', '/v2/users/unknown/calendar-link')).status).toBe(404);
  });
});

describe('what a user has to do with (part 3, 4.1)', () => {
  it('list-user-schedules answers the schedules in which the user takes turns', async () => {
    const { id, name } = ops;
    expect(await system.api.read(`/v2/users/${scenario.address('ada')}/schedules`)).toEqual([
      { id, name, enabled: true },
    ]);
    expect((await system.api.request('GET', '/v2/users/unknown/schedules')).status).toBe(404);
  });

  it('list-user-escalations answers the escalations that reach the user', async () => {
    await scenario.escalation('Late', { delay: 5, to: { type: 'user', name: 'bob' } });
    const [found, ...rest] = await system.api.read<readonly { readonly id: string }[]>(
      `/v2/users/${scenario.address('bob')}/escalations`,
    );
    expect(rest).toEqual([]);
    expect(found).toEqual(await system.api.read(`/v2/escalations/${found?.id}`));
    expect(found).toMatchObject({ name: scenario.name('Late'), rules: [{ recipient: { type: 'user' } }] });
    expect(await system.api.read(`/v2/users/${scenario.address('ada')}/escalations`)).toEqual([]);
    expect((await system.api.request('GET', '/v2/users/unknown/escalations')).status).toBe(404);
  });
});
