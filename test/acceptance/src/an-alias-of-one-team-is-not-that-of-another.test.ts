import { describe, expect, it } from '@jest/globals';
import { byAlias } from '@tocsin/testkit';
import type { Api } from './system/api.ts';
import { useSystem } from './system/system.ts';

const system = useSystem();

interface Seen {
  readonly id: string;
  readonly count: number;
  readonly status: string;
  readonly message: string;
}

async function keyOfTeam(id: string, name: string): Promise<Api> {
  const { apiKey } = await system.api.create<{ readonly apiKey: string }>('/v2/integrations', {
    type: 'API',
    name,
    ownerTeam: { id },
  });
  return system.api.as(apiKey);
}

/** Two teams, of ada and of grace, each with a key. */
async function twoTeams() {
  const scenario = system.scenario();
  await scenario.users('ada', 'grace');
  const [red, blue] = [await scenario.team('Red', 'ada'), await scenario.team('Blue', 'grace')];
  const [redKey, blueKey] = [
    await keyOfTeam(red.id, scenario.name('red')),
    await keyOfTeam(blue.id, scenario.name('blue')),
  ];
  await system.settle();
  const alias = scenario.name('disk');
  return { scenario, alias, redKey, blueKey };
}

describe('an alias that two teams open (A16)', () => {
  it('is an alert of each: both page their own people, and each write by alias is about its own', async () => {
    const { scenario, alias, redKey, blueKey } = await twoTeams();
    const open = (key: Api, message: string, name: string) =>
      key.expect(202, 'POST', '/v2/alerts', { message, alias, responders: [scenario.user(name)] });
    await open(redKey, 'Opened first by Red', 'ada');
    await system.mailed(scenario.address('ada'), 'Opened first by Red');
    await open(blueKey, 'A fire at Blue', 'grace');
    await system.mailed(scenario.address('grace'), 'A fire at Blue');
    const [ofRed, ofBlue] = [await redKey.read<Seen>(byAlias(alias)), await blueKey.read<Seen>(byAlias(alias))];
    expect([ofRed, ofBlue]).toMatchObject([
      { message: 'Opened first by Red', count: 1 },
      { message: 'A fire at Blue', count: 1 },
    ]);
    await redKey.expect(202, 'POST', byAlias(alias, '/close'));
    await system.settle();
    expect(await redKey.read(`/v2/alerts/${ofRed.id}`)).toMatchObject({ status: 'closed' });
    expect(await blueKey.read(byAlias(alias))).toMatchObject({ id: ofBlue.id, status: 'open' });
    const { body } = await redKey.expect(202, 'POST', byAlias(alias, '/close'));
    const status = await redKey.read(`/v2/alerts/requests/${body['requestId'] as string}`);
    expect(status).toMatchObject({ success: false, status: 'Alert does not exist' });
    expect((await redKey.request('GET', byAlias(alias))).status).toBe(404);
    expect(await blueKey.read(byAlias(alias))).toMatchObject({ status: 'open' });
  });

  it('means to a key of the account its own alert, then the newest that is open', async () => {
    const { scenario, alias, redKey, blueKey } = await twoTeams();
    const keys = { red: redKey, account: system.api, blue: blueKey };
    for (const [message, key] of Object.entries(keys)) {
      await key.expect(202, 'POST', '/v2/alerts', { message, alias });
      await system.settle();
    }
    await system.mailed(scenario.address('ada'), 'red');
    await system.mailed(scenario.address('grace'), 'blue');
    const meant: string[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      meant.push((await system.api.read<Seen>(byAlias(alias))).message);
      await scenario.act(alias, 'close');
      await system.settle();
    }
    expect(meant).toEqual(['account', 'blue', 'red']);
    expect((await system.api.request('GET', byAlias(alias))).status).toBe(404);
  });
});
