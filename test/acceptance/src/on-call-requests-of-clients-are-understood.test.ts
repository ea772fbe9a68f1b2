import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import { useSystem } from './system/system.ts';

/** The requests are those of the Go SDK, which Terraform and the command line use: with its empty and internal fields. */
const system = useSystem();
let scenario: Scenario;
let ada: Named;

interface Named {
  readonly id: string;
  readonly name: string;
}
type Fields = Readonly<Record<string, unknown>>;

const read = (path: string) => system.api.read<Fields>(path);
const patch = (path: string, body: unknown) => system.api.expect(200, 'PATCH', path, body);
const remove = (path: string) => system.api.expect(200, 'DELETE', path);
const isGone = async (path: string) => {
  expect((await system.api.request('GET', path)).status).toBe(404);
};

beforeEach(async () => {
  scenario = system.scenario();
  await scenario.users('ada', 'bob');
  ada = await system.api.read<Named>(`/v2/users/${scenario.address('ada')}`);
});

/** A user as the SDK names them by id: the other names are sent empty. */
const byId = (type: string, { id }: { readonly id: string }) => ({ type, id, name: '', username: '' });
const schedule = (over: Fields = {}) => ({
  name: scenario.name('Days'),
  description: '',
  timezone: 'Europe/Rome',
  enabled: true,
  rotations: null,
  ...over,
});
const night = { startHour: 22, startMin: 0, endHour: 6, endMin: 30 };
const weekend = { startDay: 'saturday', startHour: 0, startMin: 0, endDay: 'monday', endHour: 8, endMin: 0 };
const rotation = (over: Fields = {}) => ({
  name: 'Nights',
  startDate: '2019-06-17T17:00:00.000Z',
  type: 'hourly',
  length: 6,
  participants: [byId('user', ada)],
  timeRestriction: { type: 'time-of-day', restriction: night },
  ...over,
});

describe('schedules', () => {
  it('are made without rotations, changed in parts and deleted; an empty name keeps the old one', async () => {
    const team = await scenario.team('Ops', 'ada');
    const made = await system.api.create<Named>('/v2/schedules', schedule({ ownerTeam: { id: team.id, name: '' } }));
    const path = `/v2/schedules/${made.id}`;
    const before = await read(`${path}?identifierType=id`);
    const owner = { ownerTeam: { id: team.id, name: scenario.name('Ops') } };
    expect(before).toEqual({ id: made.id, ...schedule({ rotations: [] }), ...owner });
    await patch(`${path}?identifierType=id`, { IdentifierValue: made.id, name: '', enabled: false, rotations: null });
    expect(await read(path)).toEqual({ ...before, enabled: false });
    await remove(`${path}?identifierType=id`);
    await isGone(path);
  });

  it('are listed with their rotations, from which a user is patched out before being deleted', async () => {
    const both = [{ type: 'user', username: scenario.address('ada') }, byId('user', ada), { type: 'none', id: '' }];
    const made = await system.api.create<Named>(
      '/v2/schedules',
      schedule({ rotations: [rotation({ participants: both })] }),
    );
    expect((await system.api.request('DELETE', `/v2/users/${ada.id}`)).status).toBe(428);
    const listed = await system.api.read<readonly (Named & { rotations: readonly Fields[] })[]>(
      '/v2/schedules?expand=rotation',
    );
    const rotations = listed.find(({ id }) => id === made.id)?.rotations ?? [];
    const left = { participants: [{ type: 'none' }] };
    for (const { id } of rotations) await patch(`/v2/schedules/${made.id}/rotations/${String(id)}`, left);
    await remove(`/v2/users/${ada.id}`);
    expect(await read(`/v2/schedules/${made.id}`)).toMatchObject({ rotations: [left] });
  });
});

describe('rotations', () => {
  it('come back as they were written: at the same instant, with one restriction as an object and several as a list', async () => {
    const { id } = await system.api.create<Named>('/v2/schedules', schedule());
    const rotations = `/v2/schedules/${id}/rotations`;
    const forms = [
      { type: 'time-of-day', restriction: night },
      { type: 'weekday-and-time-of-day', restriction: {}, restrictions: [weekend] },
    ];
    const shown = [forms[0], { type: 'weekday-and-time-of-day', restrictions: [weekend] }];
    for (const [place, timeRestriction] of forms.entries()) {
      const query = '?scheduleIdentifierType=id';
      const { id: made } = await system.api.create<Named>(`${rotations}${query}`, rotation({ timeRestriction }));
      const found = await read(`${rotations}/${made}${query}`);
      expect(found).toMatchObject({
        name: 'Nights',
        startDate: '2019-06-17T17:00:00Z',
        type: 'hourly',
        length: 6,
        participants: [{ type: 'user', id: ada.id }],
        timeRestriction: shown[place],
      });
      expect(found).not.toHaveProperty('endDate');
      await patch(`${rotations}/${made}${query}`, { ...found, name: '', _parent: null });
      expect(await read(`${rotations}/${made}${query}`)).toEqual(found);
      await remove(`${rotations}/${made}${query}`);
      await isGone(`${rotations}/${made}${query}`);
    }
  });

  it('may be over, and name a team, an escalation or no participant', async () => {
    const team = await scenario.team('Ops', 'ada');
    const rule = { delay: { timeAmount: 0 }, recipient: byId('user', ada) };
    const escalation = await system.api.create<Named>('/v2/escalations', {
      name: scenario.name('Late'),
      rules: [rule],
    });
    const participants = [byId('team', team), byId('escalation', escalation), { type: 'none' }];
    const over = { startDate: '2019-06-11T08:00:00+02:00', endDate: '2019-06-20T08:30:00+02:00', timeRestriction: {} };
    const { id } = await system.api.create<Named>('/v2/schedules', schedule());
    const rotations = `/v2/schedules/${id}/rotations`;
    const made = await system.api.create<Named>(rotations, rotation({ ...over, type: 'weekly', participants }));
    const found = await read(`${rotations}/${made.id}`);
    expect(found).toMatchObject({
      startDate: '2019-06-11T06:00:00Z',
      endDate: '2019-06-20T06:30:00Z',
      participants: [{ type: 'team', id: team.id }, { type: 'escalation', id: escalation.id }, { type: 'none' }],
    });
    expect(found).not.toHaveProperty('timeRestriction');
    expect(await read(`/v2/schedules/${id}/on-calls`)).toMatchObject({ onCallParticipants: [] });
  });
});

describe('escalations', () => {
  const rules = () => [
    { condition: 'if-not-acked', notifyType: 'default', delay: { timeAmount: 1 }, recipient: byId('user', ada) },
    { condition: 'if-not-closed', notifyType: 'default', delay: { timeAmount: 0 }, recipient: byId('user', ada) },
  ];
  const shown = () =>
    rules().map(({ delay, ...rule }) => ({
      ...rule,
      delay: { ...delay, timeUnit: 'minutes' },
      recipient: { type: 'user', id: ada.id, username: scenario.address('ada') },
    }));

  it('have no repetition where an empty one is sent, keep the order of their rules and are listed with their team', async () => {
    const team = await scenario.team('Ops', 'ada');
    const body = { name: scenario.name('Late'), description: '', rules: rules(), repeat: {} };
    const { id } = await system.api.create<Named>('/v2/escalations', { ...body, ownerTeam: { id: team.id, name: '' } });
    const found = await read(`/v2/escalations/${id}?identifierType=id`);
    const owner = { ownerTeam: { id: team.id, name: scenario.name('Ops') } };
    expect(found).toEqual({ id, name: body.name, description: '', rules: shown(), ...owner });
    expect(await system.api.read<readonly Fields[]>('/v2/escalations')).toContainEqual(found);
    await patch(`/v2/escalations/${id}?identifierType=id`, { ...found, IdentifierType: 0, name: '' });
    expect(await read(`/v2/escalations/${id}`)).toEqual(found);
    await remove(`/v2/escalations/${id}?identifierType=id`);
    await isGone(`/v2/escalations/${id}`);
  });

  it('give back all four fields of a repetition, and lose it by an empty one', async () => {
    const repeat = { waitInterval: 10, count: 1, resetRecipientStates: true, closeAlertAfterAll: false };
    const body = { name: scenario.name('Late'), rules: rules(), repeat };
    const { id } = await system.api.create<Named>('/v2/escalations', body);
    expect(await read(`/v2/escalations/${id}`)).toMatchObject({ repeat });
    await patch(`/v2/escalations/${id}`, { repeat: {} });
    expect(await read(`/v2/escalations/${id}`)).not.toHaveProperty('repeat');
  });
});

describe('overrides and forwarding rules', () => {
  const week = { startDate: '2026-03-01T00:00:00.000Z', endDate: '2026-03-08T00:00:00.123456789+01:00' };

  it('name a user by id beside an empty user name, and rotations by either name', async () => {
    const { id } = await system.api.create<Named>('/v2/schedules', schedule({ rotations: [rotation()] }));
    const overrides = `/v2/schedules/${id}/overrides`;
    const body = { user: byId('user', ada), ...week, rotations: [{ id: '', name: 'Nights' }] };
    await system.api.create(`${overrides}?scheduleIdentifierType=id`, { alias: 'swap', ...body });
    const found = await read(`${overrides}/swap?scheduleIdentifierType=id`);
    expect(found).toMatchObject({ user: { type: 'user', id: ada.id }, rotations: [{ name: 'Nights' }] });
    await system.api.expect(200, 'PUT', `${overrides}/swap`, {
      ...body,
      rotations: null,
      user: { type: 'none', id: '' },
    });
    expect(await read(`${overrides}/swap`)).toMatchObject({ user: { type: 'none' } });
    await remove(`${overrides}/swap?scheduleIdentifierType=id`);
    await isGone(`${overrides}/swap`);
  });

  it('are kept under an alias that only the path has to escape', async () => {
    const alias = `week/9 + 1% ${scenario.name('swap')}`;
    const users = { fromUser: { id: ada.id, username: '' }, toUser: { id: '', username: scenario.address('bob') } };
    const { id } = await system.api.create<Named>('/v2/forwarding-rules', { alias, ...users, ...week });
    const path = `/v2/forwarding-rules/${encodeURIComponent(alias)}?identifierType=alias`;
    const found = await read(path);
    expect(found).toMatchObject({ id, alias, fromUser: { id: ada.id }, toUser: { username: scenario.address('bob') } });
    await system.api.expect(200, 'PUT', path, found);
    expect(await read(path)).toEqual(found);
    await remove(path);
    await isGone(path);
  });
});

describe('who is on call', () => {
  it('is read under both words for the kind of identifier, with slashes at the end, and without unset fields', async () => {
    const made = await system.api.create<Named>(
      '/v2/schedules',
      schedule({ rotations: [rotation({ timeRestriction: null })] }),
    );
    const path = `/v2/schedules/${encodeURIComponent(scenario.name('Days'))}`;
    const flat = {
      _parent: { id: made.id, name: made.name, enabled: true },
      onCallRecipients: [scenario.address('ada')],
    };
    expect(await read(`${path}/on-calls?scheduleIdentifierType=name&flat=true`)).toEqual(flat);
    expect(await read(`${path}/on-calls/?identifierType=Name&flat=TRUE&date=2026-03-02T00:00:00%2B01:00`)).toEqual(
      flat,
    );
    const next = await read(`${path}/next-on-calls?scheduleIdentifierType=name&flat=false`);
    const participant = { type: 'user', id: ada.id, name: scenario.address('ada') };
    expect(next).toMatchObject({ nextOnCallRecipients: [participant] });
    expect(JSON.stringify(next)).not.toContain('forwardedFrom');
  });
});
