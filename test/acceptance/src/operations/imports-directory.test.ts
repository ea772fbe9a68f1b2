import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import { useSharedSystem } from '../system/system.ts';

const system = useSharedSystem();
let scenario: Scenario;
let ada: { readonly id: string; readonly body: Readonly<Record<string, unknown>> };

beforeEach(async () => {
  scenario = system.scenario();
  ada = await imported('ada');
});

/** The result of an import of the thing with that path. */
async function importedAs(path: string, body: object): Promise<unknown> {
  return (await system.api.expect(200, 'PUT', `/v2/imports/${path}`, body)).body['result'];
}

/** A user whom an import has created. */
async function imported(name: string) {
  const [id, contact] = [randomUUID(), randomUUID()];
  const username = scenario.address(name);
  const contacts = [
    { id: contact, method: 'email', to: username, enabled: true },
    { id: randomUUID(), method: 'sms', to: '44-2079460000', enabled: false },
  ];
  const body = { username, fullName: name, role: { name: 'user' }, contacts };
  expect(await importedAs(`users/${id}`, body)).toBe('Created');
  return { id, body, contacts };
}

describe('imports of people and teams (I1)', () => {
  it('import-user answers Created, Unchanged and Updated; user and contacts have their ids', async () => {
    expect(await importedAs(`users/${ada.id}`, ada.body)).toBe('Unchanged');
    const changed = { ...ada.body, fullName: 'Ada King' };
    expect(await importedAs(`users/${ada.id}`, changed)).toBe('Updated');
    const {
      contacts,
      role: _,
      ...fields
    } = changed as typeof changed & { contacts: readonly { id: string }[]; role: unknown };
    expect(await system.api.read(`/v2/users/${ada.id}`)).toMatchObject({ ...fields, id: ada.id });
    const read = await system.api.read<readonly { id: string }[]>(`/v2/users/${ada.id}/contacts`);
    expect(read.map(({ id }) => id)).toEqual(contacts.map(({ id }) => id));
    const taken = await system.api.request('PUT', `/v2/imports/users/${randomUUID()}`, { ...ada.body, contacts: [] });
    expect(taken.status).toBe(409);
    expect(taken.body['message']).toContain(ada.id);
  });

  it('imports a user again who was deleted, whom every service sees', async () => {
    await system.api.expect(200, 'DELETE', `/v2/users/${ada.id}`);
    expect(await importedAs(`users/${ada.id}`, ada.body)).toBe('Created');
    const rotations = [
      { type: 'daily', startDate: '2026-01-01T00:00:00Z', participants: [{ type: 'user', id: ada.id }] },
    ];
    const name = scenario.name('Ops');
    const schedule = await system.api.create('/v2/schedules', { name, rotations });
    const onCall = await system.api.read(`/v2/schedules/${schedule.id}/on-calls?flat=true`);
    expect(onCall).toMatchObject({ onCallRecipients: [scenario.address('ada')] });
  });

  it('import-team and import-routing-rules make a team whose alerts go where the rules say', async () => {
    const [team, schedule] = [randomUUID(), randomUUID()];
    const [role, rule, last] = [randomUUID(), randomUUID(), randomUUID()];
    const members = [{ user: { id: ada.id }, role: 'admin' }];
    const body = { name: scenario.name('Ops'), members, roles: [{ id: role, name: 'Editor' }] };
    expect(await importedAs(`teams/${team}`, body)).toBe('Created');
    expect(await importedAs(`teams/${team}`, body)).toBe('Unchanged');
    expect(await system.api.read(`/v2/teams/${team}/roles`)).toMatchObject([{ id: role, name: 'Editor' }]);
    const owned = { name: scenario.name('Nights'), ownerTeam: { id: team } };
    await system.api.expect(200, 'PUT', `/v2/imports/schedules/${schedule}`, owned);
    const rules = [
      { id: rule, name: 'All', notify: { type: 'schedule', id: schedule } },
      { id: last, isDefault: true, notify: { type: 'none' } },
    ];
    expect(await importedAs(`routing-rules/${team}`, { rules })).toBe('Updated');
    expect(await importedAs(`routing-rules/${team}`, { rules })).toBe('Unchanged');
    expect(await system.api.read(`/v2/teams/${team}/routing-rules`)).toMatchObject([
      { id: rule, notify: { id: schedule } },
      { id: last, isDefault: true },
    ]);
    await system.api.expect(200, 'DELETE', `/v2/teams/${team}`);
    expect(await importedAs(`teams/${team}`, body)).toBe('Created');
    const integration = { name: scenario.name('API'), type: 'API', ownerTeam: { id: team } };
    await system.api.expect(201, 'POST', '/v2/integrations', integration);
  });

  it('import-notification-rules replaces all rules of a user', async () => {
    const [rule, step] = [randomUUID(), randomUUID()];
    const contact = { method: 'email', to: scenario.address('ada') };
    const steps = [{ id: step, contact, sendAfter: { timeAmount: 0, timeUnit: 'minutes' }, enabled: true }];
    const rules = [{ id: rule, name: 'All', actionType: 'create-alert', enabled: true, steps }];
    expect(await importedAs(`notification-rules/${ada.id}`, { rules })).toBe('Updated');
    expect(await importedAs(`notification-rules/${ada.id}`, { rules })).toBe('Unchanged');
    const path = `/v2/users/${ada.id}/notification-rules`;
    expect(await system.api.read(path)).toMatchObject([{ id: rule, name: 'All' }]);
    expect(await system.api.read(`${path}/${rule}`)).toMatchObject({ steps: [{ id: step, contact }] });
  });
});
