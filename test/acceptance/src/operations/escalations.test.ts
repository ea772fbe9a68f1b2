import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import { useSharedSystem } from '../system/system.ts';

const system = useSharedSystem();
const escalations = '/v2/escalations';
let scenario: Scenario;
let name: string;

beforeEach(async () => {
  scenario = system.scenario();
  name = scenario.name('Late');
  await scenario.users('ada');
  await scenario.schedule('Ops', { participants: ['ada'] });
  await scenario.team('Crew', 'ada');
});

interface Escalation {
  readonly id: string;
  readonly name: string;
}

const rule = (changes: Readonly<Record<string, unknown>> = {}) => ({
  condition: 'if-not-acked',
  notifyType: 'default',
  delay: { timeAmount: 5 },
  recipient: scenario.user('ada'),
  ...changes,
});
const repeat = { waitInterval: 10, count: 20, resetRecipientStates: true, closeAlertAfterAll: false };
const escalation = (changes: Readonly<Record<string, unknown>> = {}) => ({ name, rules: [rule()], ...changes });
const toSchedule = (changes: Readonly<Record<string, unknown>> = {}) =>
  rule({ recipient: scenario.responder('schedule', 'Ops'), ...changes });
const toTeam = (changes: Readonly<Record<string, unknown>> = {}) =>
  rule({ recipient: scenario.responder('team', 'Crew'), ...changes });
const byName = (of: string) => `${escalations}/${encodeURIComponent(of)}?identifierType=name`;

describe('escalations (part 2, 4.6a)', () => {
  it('create-escalation answers 201 Created with name and id', async () => {
    const { body } = await system.api.expect(201, 'POST', escalations, escalation());
    expect(body).toMatchObject({ result: 'Created', data: { id: expect.any(String), name } });
    const taken = await system.api.request('POST', escalations, escalation());
    expect([taken.status, taken.body['message']]).toEqual([409, `Escalation with name [${name}] already exists.`]);
  });

  it('create-escalation takes each notify type of each recipient, and no other', async () => {
    const allowed = [
      ...['default', 'next', 'previous'].map((notifyType) => toSchedule({ notifyType })),
      ...['default', 'users', 'admins', 'all', 'random'].map((notifyType) => toTeam({ notifyType })),
      rule({ condition: 'IF-NOT-CLOSED', notifyType: 'Default' }),
      { delay: { timeAmount: 1, timeUnit: 'hours' }, recipient: scenario.user('ada') },
    ];
    const { id } = await system.api.create(escalations, escalation({ rules: allowed }));
    const { rules } = await system.api.read<{ rules: readonly object[] }>(`${escalations}/${id}`);
    expect(rules).toHaveLength(allowed.length);
    expect(rules.at(-1)).toMatchObject({
      condition: 'if-not-acked',
      notifyType: 'default',
      delay: { timeAmount: 60, timeUnit: 'minutes' },
    });
    for (const refused of [
      rule({ notifyType: 'next' }),
      rule({ notifyType: 'all' }),
      toSchedule({ notifyType: 'admins' }),
      toTeam({ notifyType: 'previous' }),
      rule({ notifyType: 'loud' }),
    ]) {
      const { status, body } = await system.api.request('POST', escalations, escalation({ rules: [refused] }));
      expect([status, body['errors']]).toEqual([422, { 'rules[0].notifyType': expect.any(String) }]);
    }
  });

  it('create-escalation answers 422 naming the field, and 404 naming what does not exist', async () => {
    for (const [field, changes] of [
      ['name', { name: undefined }],
      ['rules', { rules: undefined }],
      ['rules', { rules: [] }],
      ['rules[0].condition', { rules: [rule({ condition: 'if-bored' })] }],
      ['rules[0].delay', { rules: [rule({ delay: undefined })] }],
      ['rules[0].delay.timeAmount', { rules: [rule({ delay: { timeAmount: -1 } })] }],
      ['rules[0].recipient.type', { rules: [rule({ recipient: { type: 'escalation', name: 'x' } })] }],
      ['repeat.count', { repeat: { ...repeat, count: 21 } }],
    ] as const) {
      const { status, body } = await system.api.request('POST', escalations, escalation(changes));
      expect([status, body['errors']]).toEqual([422, { [field]: expect.any(String) }]);
    }
    for (const [type, key] of [
      ['user', 'username'],
      ['schedule', 'name'],
      ['team', 'name'],
    ] as const) {
      const recipient = { type, [key]: `missing ${name}` };
      const { status, body } = await system.api.request(
        'POST',
        escalations,
        escalation({ rules: [rule({ recipient })] }),
      );
      expect([status, body['message']]).toEqual([404, expect.stringContaining(`missing ${name}`)]);
    }
    expect((await system.api.request('GET', byName(name))).status).toBe(404);
  });

  it('get-escalation answers what was written, with id and name of recipients and owner', async () => {
    const rules = [rule(), toSchedule({ notifyType: 'next' }), toTeam({ condition: 'if-not-closed' })];
    const { id } = await system.api.create(
      escalations,
      escalation({ rules, repeat, description: 'who comes next', ownerTeam: { name: scenario.name('Crew') } }),
    );
    const read = await system.api.read(`${escalations}/${id}`);
    expect(read).toMatchObject({ id, ...escalation({ rules, repeat, description: 'who comes next' }) });
    expect(read).toMatchObject({
      ownerTeam: { id: expect.any(String), name: scenario.name('Crew') },
      rules: rules.map(() => ({ delay: { timeUnit: 'minutes' }, recipient: { id: expect.any(String) } })),
    });
    expect(await system.api.read(byName(name))).toEqual(read);
    expect((await system.api.request('GET', `${escalations}/nothing`)).status).toBe(404);
  });

  it('get-escalation leaves repeat out where there is none', async () => {
    const { id } = await system.api.create(escalations, escalation({ repeat: {} }));
    expect(await system.api.read(`${escalations}/${id}`)).not.toHaveProperty('repeat');
  });

  it('list-escalations answers whole escalations in the order of their creation, with the names of their owners', async () => {
    await system.api.create(escalations, escalation({ repeat, ownerTeam: { name: scenario.name('Crew') } }));
    await system.api.create(escalations, escalation({ name: scenario.name('Later') }));
    const listed = await system.api.read<readonly Escalation[]>(escalations);
    const mine = listed.filter((each) => [name, scenario.name('Later')].includes(each.name));
    expect(mine).toMatchObject([
      { name, repeat, ownerTeam: { name: scenario.name('Crew') }, rules: [{ recipient: scenario.user('ada') }] },
      { name: scenario.name('Later') },
    ]);
  });

  it('update-escalation changes what is sent; a PATCH of what was read changes nothing', async () => {
    const { id } = await system.api.create(escalations, escalation({ repeat, rules: [rule(), toSchedule()] }));
    const before = await system.api.read<{ readonly repeat?: unknown }>(`${escalations}/${id}`);
    const { body } = await system.api.expect(200, 'PATCH', `${escalations}/${id}`, before);
    expect(body).toMatchObject({ result: 'Updated', data: { id, name } });
    expect(await system.api.read(`${escalations}/${id}`)).toEqual(before);
    await system.api.expect(200, 'PATCH', byName(name), { name: '', description: 'x', repeat: {} });
    expect(await system.api.read(`${escalations}/${id}`)).toEqual({ ...before, repeat: undefined, description: 'x' });
    const { id: other } = await system.api.create(escalations, escalation({ name: scenario.name('Other') }));
    expect((await system.api.request('PATCH', `${escalations}/${other}`, { name })).status).toBe(409);
    expect((await system.api.request('PATCH', `${escalations}/${other}`, { rules: [] })).status).toBe(422);
    expect((await system.api.request('PATCH', `${escalations}/nothing`, {})).status).toBe(404);
  });

  it('delete-escalation deletes what nothing uses, and answers 428 naming what does', async () => {
    const { id } = await system.api.create(escalations, escalation());
    const schedule = await system.api.create('/v2/schedules', {
      name: scenario.name('Uses it'),
      rotations: [{ startDate: '2026-03-02T00:00:00Z', type: 'daily', participants: [{ type: 'escalation', name }] }],
    });
    const rotated = await system.api.request('DELETE', `${escalations}/${id}`);
    expect([rotated.status, rotated.body['message']]).toEqual([428, expect.stringContaining(scenario.name('Uses it'))]);
    await system.api.expect(200, 'DELETE', `/v2/schedules/${schedule.id}`);

    const team = encodeURIComponent(scenario.name('Crew'));
    const routing = await system.api.create(`/v2/teams/${team}/routing-rules?teamIdentifierType=name`, {
      name: 'Disks',
      criteria: { type: 'match-all' },
      notify: { type: 'escalation', name },
    });
    const routed = await system.api.request('DELETE', byName(name));
    expect([routed.status, routed.body['message']]).toEqual([428, expect.stringContaining('Disks')]);
    await system.api.expect(200, 'DELETE', `/v2/teams/${team}/routing-rules/${routing.id}?teamIdentifierType=name`);

    const { body } = await system.api.expect(200, 'DELETE', byName(name));
    expect(body).toMatchObject({ result: 'Deleted' });
    expect((await system.api.request('GET', `${escalations}/${id}`)).status).toBe(404);
    expect((await system.api.request('DELETE', `${escalations}/${id}`)).status).toBe(404);
  });
});
