import { beforeEach, describe, expect, it } from '@jest/globals';
import { useSharedSystem } from '../system/system.ts';

const system = useSharedSystem();
let team: { readonly id: string; readonly name: string };
let rules: string;

beforeEach(async () => {
  team = await system.api.create('/v2/teams', { name: system.scenario().name('Ops') });
  rules = `/v2/teams/${team.id}/routing-rules`;
});

interface Rule {
  readonly id: string;
  readonly name: string;
  readonly isDefault: boolean;
  readonly order: number;
  readonly notify: { readonly type: string; readonly id?: string; readonly name?: string };
}

const weekend = {
  type: 'weekday-and-time-of-day',
  restrictions: [{ startDay: 'saturday', startHour: 0, startMin: 0, endDay: 'monday', endHour: 0, endMin: 0 }],
};
const database = {
  type: 'match-any-condition',
  conditions: [
    { field: 'tags', not: false, operation: 'contains', expectedValue: 'db' },
    { field: 'extra-properties', key: 'region', not: true, operation: 'starts-with', expectedValue: 'eu' },
  ],
};
const rule = (changes: Readonly<Record<string, unknown>> = {}) => ({
  name: 'Databases',
  order: 0,
  timezone: 'America/Chicago',
  criteria: database,
  timeRestriction: weekend,
  notify: { type: 'schedule', name: `${team.name}_schedule` },
  ...changes,
});
const listed = () => system.api.read<readonly Rule[]>(rules);

describe('routing rules (part 2, 4.2)', () => {
  it('create-routing-rule answers 201 Created with the id', async () => {
    const { body } = await system.api.expect(201, 'POST', rules, rule());
    expect(body).toMatchObject({ result: 'Created', data: { id: expect.any(String) } });
    const byName = `/v2/teams/${encodeURIComponent(team.name)}/routing-rules?teamIdentifierType=name`;
    await system.api.expect(201, 'POST', byName, rule({ name: '', criteria: { type: 'match-all' } }));
    const missing = await system.api.request('POST', rules, rule({ notify: { type: 'escalation', name: 'Nothing' } }));
    expect(missing.status).toBe(404);
    expect(missing.body['message']).toContain('Nothing');
    const wrong = { ...database, conditions: [{ field: 'message', operation: 'contains-key', expectedValue: 'x' }] };
    expect((await system.api.request('POST', rules, rule({ criteria: wrong }))).status).toBe(422);
    expect((await system.api.request('POST', rules, rule({ notify: undefined }))).status).toBe(422);
  });

  it('get-routing-rule answers what was written, with id and name of what is notified', async () => {
    const { id } = await system.api.create(rules, rule());
    const read = await system.api.read<Rule>(`${rules}/${id}`);
    expect(read).toMatchObject({ ...rule(), id, isDefault: false });
    expect(read.notify.id).toEqual(expect.any(String));
    expect((await system.api.request('GET', `${rules}/nothing`)).status).toBe(404);
  });

  it('list-routing-rules answers the rules in order, the default last', async () => {
    await system.api.create(rules, rule({ name: 'second', order: undefined }));
    await system.api.create(rules, rule({ name: 'first' }));
    const items = await listed();
    expect(items.map(({ name }) => name).slice(0, 2)).toEqual(['first', 'second']);
    expect(items.map(({ order }) => order)).toEqual([0, 1, 2]);
    expect(items.at(2)).toMatchObject({ isDefault: true, notify: { type: 'escalation' } });
    expect(items.at(2)).not.toHaveProperty('timeRestriction');
  });

  it('update-routing-rule changes what is sent; a PATCH of what was read changes nothing', async () => {
    const { id } = await system.api.create(rules, rule());
    const before = await system.api.read<Rule>(`${rules}/${id}`);
    await system.api.expect(200, 'PATCH', `${rules}/${id}`, before);
    expect(await system.api.read(`${rules}/${id}`)).toEqual(before);
    const { body } = await system.api.expect(200, 'PATCH', `${rules}/${id}`, { notify: { type: 'none' } });
    expect(body).toMatchObject({ result: 'Updated', data: { id } });
    expect(await system.api.read(`${rules}/${id}`)).toEqual({ ...before, notify: { type: 'none' } });
  });

  it('change-routing-rule-order moves a rule, but never the default', async () => {
    const { id } = await system.api.create(rules, rule({ name: 'a' }));
    await system.api.create(rules, rule({ name: 'b', order: 1 }));
    const { body } = await system.api.expect(200, 'POST', `${rules}/${id}/change-order`, { order: 1 });
    expect(body).toMatchObject({ result: 'Changed', data: { id } });
    const items = await listed();
    expect(items.map(({ name }) => name).slice(0, 2)).toEqual(['b', 'a']);
    expect((await system.api.request('POST', `${rules}/${id}/change-order`, { order: -1 })).status).toBe(422);
    const byDefault = `${rules}/${items.at(2)?.id}`;
    expect((await system.api.request('POST', `${byDefault}/change-order`, { order: 0 })).status).toBe(422);
  });

  it('delete-routing-rule answers Deleted, but never for the default', async () => {
    const { id } = await system.api.create(rules, rule());
    expect((await system.api.expect(200, 'DELETE', `${rules}/${id}`)).body).toMatchObject({ result: 'Deleted' });
    const items = await listed();
    expect(items.map(({ isDefault, order }) => [isDefault, order])).toEqual([[true, 0]]);
    expect((await system.api.request('DELETE', `${rules}/${items[0]?.id}`)).status).toBe(422);
  });
});
