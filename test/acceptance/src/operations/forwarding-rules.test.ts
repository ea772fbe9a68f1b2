import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import { useSharedSystem } from '../system/system.ts';

const system = useSharedSystem();
const rules = '/v2/forwarding-rules';
let scenario: Scenario;

beforeEach(async () => {
  scenario = system.scenario();
  await scenario.users('ada', 'bob', 'eve');
});

interface Rule {
  readonly id: string;
  readonly alias: string;
}

const period = { startDate: '2026-03-01T20:15:00Z', endDate: '2026-03-05T08:00:00Z' };
const user = (name: string) => ({ username: scenario.address(name) });
const rule = (changes: Readonly<Record<string, unknown>> = {}) => ({
  fromUser: user('ada'),
  toUser: user('bob'),
  ...period,
  ...changes,
});
const listed = async () => (await system.api.read<readonly Rule[]>(rules)).map(({ id }) => id);

describe('forwarding rules (part 2, 4.7)', () => {
  it('create-forwarding-rule answers 201 with alias and id', async () => {
    const alias = scenario.name('Holiday');
    const { body } = await system.api.expect(201, 'POST', rules, rule({ alias }));
    expect(body).toMatchObject({ data: { alias, id: expect.any(String) } });
    expect((await system.api.request('POST', rules, rule({ alias }))).status).toBe(409);
    for (const missing of ['fromUser', 'toUser', 'startDate', 'endDate'])
      expect((await system.api.request('POST', rules, rule({ [missing]: undefined }))).status).toBe(422);
    expect((await system.api.request('POST', rules, rule({ toUser: user('ada') }))).status).toBe(422);
    expect((await system.api.request('POST', rules, rule({ alias: 'x'.repeat(513) }))).status).toBe(422);
    const ghost = await system.api.request('POST', rules, rule({ toUser: user('ghost') }));
    expect([ghost.status, ghost.body['message']]).toEqual([404, expect.stringContaining(scenario.address('ghost'))]);
  });

  it('get-forwarding-rule answers what was written, by id or alias', async () => {
    const alias = scenario.name('Away');
    const { id } = await system.api.create<Rule>(rules, rule({ alias }));
    const read = await system.api.read(`${rules}/${id}`);
    expect(read).toEqual({
      id,
      alias,
      ...period,
      fromUser: { ...user('ada'), id: expect.any(String) },
      toUser: { ...user('bob'), id: expect.any(String) },
    });
    expect(await system.api.read(`${rules}/${encodeURIComponent(alias)}?identifierType=alias`)).toEqual(read);
    const unnamed = await system.api.create<Rule>(rules, rule());
    expect(await system.api.read(`${rules}/${unnamed.id}`)).toMatchObject({ alias: '' });
    expect((await system.api.request('GET', `${rules}/nothing`)).status).toBe(404);
  });

  it('list-forwarding-rules answers all of them in the order of their creation', async () => {
    const first = await system.api.create<Rule>(rules, rule());
    const second = await system.api.create<Rule>(rules, rule({ fromUser: user('eve') }));
    expect((await listed()).slice(-2)).toEqual([first.id, second.id]);
  });

  it('list-user-forwarding-rules answers those that pass on what reaches the user', async () => {
    const { id } = await system.api.create<Rule>(rules, rule());
    await system.api.create<Rule>(rules, rule({ fromUser: user('eve') }));
    expect(await system.api.read(`/v2/users/${scenario.address('ada')}/forwarding-rules`)).toMatchObject([
      { id, fromUser: user('ada') },
    ]);
    expect(await system.api.read(`/v2/users/${scenario.address('bob')}/forwarding-rules`)).toEqual([]);
    expect((await system.api.request('GET', '/v2/users/unknown/forwarding-rules')).status).toBe(404);
  });

  it('update-forwarding-rule replaces users and dates, and keeps id and alias', async () => {
    const alias = scenario.name('Moved');
    const { id } = await system.api.create<Rule>(rules, rule({ alias }));
    const body = rule({ toUser: user('eve'), endDate: '2026-03-06T00:00:00Z' });
    const answer = await system.api.expect(200, 'PUT', `${rules}/${id}`, body);
    expect(answer.body).toMatchObject({ data: { alias, id } });
    const read = await system.api.read(`${rules}/${id}`);
    expect(read).toMatchObject({ id, alias, toUser: user('eve'), endDate: '2026-03-06T00:00:00Z' });
    await system.api.expect(200, 'PUT', `${rules}/${encodeURIComponent(alias)}?identifierType=alias`, read);
    expect(await system.api.read(`${rules}/${id}`)).toEqual(read);
    expect((await system.api.request('PUT', `${rules}/nothing`, rule())).status).toBe(404);
  });

  it('delete-forwarding-rule answers Deleted, and the duty stays with its user', async () => {
    await scenario.schedule('Own', { participants: ['ada'] });
    const { id } = await system.api.create<Rule>(rules, rule());
    const path = `/v2/schedules/${encodeURIComponent(scenario.name('Own'))}/on-calls?scheduleIdentifierType=name&flat=true`;
    expect(await system.api.read(path)).toMatchObject({ onCallRecipients: [scenario.address('bob')] });
    const { body } = await system.api.expect(200, 'DELETE', `${rules}/${id}`);
    expect(body['result']).toBe('Deleted');
    expect(await system.api.read(path)).toMatchObject({ onCallRecipients: [scenario.address('ada')] });
    expect((await system.api.request('DELETE', `${rules}/${id}`)).status).toBe(404);
  });
});
