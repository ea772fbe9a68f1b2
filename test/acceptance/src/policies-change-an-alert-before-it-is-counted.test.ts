import { beforeEach, describe, expect, it } from '@jest/globals';
import { byAlias, type Scenario } from '@tocsin/testkit';
import type { Fields } from './system/policies.ts';
import { useSystem } from './system/system.ts';

const system = useSystem();
let scenario: Scenario;
let alias: string;
let grace: Fields;

beforeEach(async () => {
  scenario = system.scenario();
  alias = scenario.name('disk');
  await scenario.users('ada', 'grace');
  const { id } = await system.api.read<{ readonly id: string }>(`/v2/users/${scenario.address('grace')}`);
  grace = { type: 'user', id };
});

/** Once the policies are in force. */
async function alert(more: Fields = {}, api = system.api): Promise<Fields> {
  await system.settle();
  const body = { message: 'Disk full', alias, responders: [scenario.user('ada')], source: 'db-1', ...more };
  const { body: accepted } = await api.expect(202, 'POST', '/v2/alerts', body);
  await system.settle();
  return system.api.read(`/v2/alerts/requests/${String(accepted['requestId'])}`);
}

/** A key of a team of its own. */
async function keyOfTeam(name: string, ...members: readonly string[]) {
  const team = await scenario.team(name, ...members);
  const integration = { type: 'API', name: scenario.name(`key of ${name}`), ownerTeam: team };
  const { apiKey } = await system.api.create<{ readonly apiKey: string }>('/v2/integrations', integration);
  await system.settle();
  return { team, api: system.api.as(apiKey) };
}

describe('a policy that modifies', () => {
  it('changes what the alert says and who is paged, and its log says which policy changed what', async () => {
    await scenario.policy('Renamed', {
      message: '{{message.toUpperCase()}} on {{source}}',
      ignoreOriginalTags: true,
      ignoreOriginalResponders: true,
      tags: ['from-policy', '{{source}}'],
      details: { 'rack.row': 'b2', was: '{{priority}}' },
      responders: [grace],
      priority: 'P1',
    });
    await alert({ tags: ['sent'], priority: 'P4' });
    await system.mailed(scenario.address('grace'), 'DISK FULL on db-1');
    expect(await scenario.alertOf(alias)).toMatchObject({
      message: 'DISK FULL on db-1',
      tags: ['from-policy', 'db-1'],
      details: { 'rack.row': 'b2', was: 'P4' },
      priority: 'P1',
      responders: [grace],
    });
    const log = await scenario.logOf(alias);
    expect(log).toContain(`[${scenario.name('Renamed')}]`);
    expect(log).toContain('Disk full');
    expect(log).toContain('P4');
  });

  it('ends the sequence unless it says to continue; those after it see what it made', async () => {
    const condition = { field: 'message', operation: 'starts-with', expectedValue: 'First' };
    const filter = { type: 'match-all-conditions', conditions: [condition] };
    const all = { type: 'match-all' };
    const [first, second, third] = [
      await scenario.policy('1', { message: 'First {{message}}', continue: true }),
      await scenario.policy('2', { message: 'Second {{message}}', filter }),
      await scenario.policy('3', { message: 'Third {{message}}', filter: all }),
    ];
    await alert({ responders: [] });
    expect(await scenario.alertOf(alias)).toMatchObject({ message: 'Second First Disk full' });
    for (const { id } of [first, second, third]) await system.api.expect(200, 'DELETE', `/v2/policies/${id}`);
  });

  it('and changes the alias lets an alert count on the one that is open under it (P15)', async () => {
    const [db1, db2] = [scenario.name('db-1'), scenario.name('db-2')];
    await scenario.policy('Folded', { message: '{{message}}', alias: '{{alias.replace("db-2", "db-1")}}' });
    const opened = await alert({ alias: db1 });
    await system.mailed(scenario.address('ada'), 'Disk full');
    const counted = await alert({ alias: db2 });
    expect(counted).toMatchObject({ success: true, alertId: opened['alertId'], alias: db1 });
    expect(await scenario.alertOf(db1)).toMatchObject({ count: 2, responders: [{ type: 'user' }] });
    expect((await system.api.request('GET', byAlias(db2))).status).toBe(404);
  });
});

describe('the policies of a team', () => {
  it("touch the alerts of the team's integration, and those of the account of which it is the only responder (P5)", async () => {
    const red = await keyOfTeam('Red', 'ada');
    const blue = await keyOfTeam('Blue', 'grace');
    await scenario.policy('Quiet', { suppress: true }, red.team.id);
    await alert({ alias: scenario.name('a'), message: 'Red by its key' }, red.api);
    await alert({ alias: scenario.name('b'), message: 'Red by name', responders: [{ type: 'team', id: red.team.id }] });
    await alert({ alias: scenario.name('c'), message: 'Blue', responders: [] }, blue.api);
    await system.mailed(scenario.address('grace'), 'Blue');
    const both = [red, blue].map(({ team }) => ({ type: 'team', id: team.id }));
    await alert({ alias: scenario.name('d'), message: 'Red and Blue', responders: both });
    await system.mailed(scenario.address('ada'), 'Red and Blue');
    await system.mailed(scenario.address('grace'), 'Red and Blue');
    const quiet = `[${scenario.name('Quiet')}]`;
    expect(await scenario.logOf(scenario.name('b'))).toContain(quiet);
    expect(await scenario.logOf(scenario.name('d'))).not.toContain(quiet);
  });

  it('do nothing any more once the team is deleted, are disabled and stay listed (P18)', async () => {
    const { team } = await keyOfTeam('Red', 'ada');
    const { id } = await scenario.policy('Quiet', { suppress: true }, team.id);
    await system.api.expect(200, 'DELETE', `/v2/teams/${team.id}`);
    await system.settle();
    expect(await system.api.read(`/v2/policies/${id}`)).toMatchObject({ enabled: false, suppress: true });
    expect(await system.api.read(`/v2/policies/notification?teamId=${team.id}`)).toMatchObject([
      { id, enabled: false },
    ]);
    await alert();
    await system.mailed(scenario.address('ada'), 'Disk full');
  });
});
