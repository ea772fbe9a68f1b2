import { describe, expect, it } from '@jest/globals';
import { useSharedSystem } from '../system/system.ts';

const system = useSharedSystem();

const list = async (query: string): Promise<readonly string[]> => {
  const path = `/v2/alerts?sort=alias&order=asc&query=${encodeURIComponent(query)}`;
  return (await system.api.read<readonly { readonly alias: string }[]>(path)).map(({ alias }) => alias);
};

describe('the search for alerts (part 1, 4.1; A11)', () => {
  it('list-alerts finds by fields, and by words soon after the create', async () => {
    const scenario = system.scenario();
    await scenario.team('search');
    const teams = [{ name: scenario.name('search') }];
    const alias = scenario.name('disk');
    await scenario.alert({ message: 'Zirconium disk full', alias, tags: ['search'], responders: [], teams });
    await scenario.alert({ message: 'Zirconium pump hot', alias: scenario.name('pump'), priority: 'P1' });
    await system.settle();
    expect(await list('zirconium')).toEqual([alias, scenario.name('pump')].sort());
    expect(await list('message:"zirconium disk" AND status:open')).toEqual([alias]);
    expect(await list('zircon* NOT priority:P1')).toEqual([alias]);
    expect(await list(`teams:"${scenario.name('search')}"`)).toEqual([alias]);
    const refused = await system.api.request('GET', '/v2/alerts?query=zirconium%3A1');
    expect(refused).toMatchObject({
      status: 422,
      body: { errors: { query: expect.stringMatching(/^at character 1:/) } },
    });
  });

  it('count-alerts counts what a query finds', async () => {
    const scenario = system.scenario();
    const alias = scenario.name('counted');
    await scenario.alert({ message: 'One of one', alias });
    const query = encodeURIComponent(`alias:"${alias}" AND acknowledged:false`);
    await system.settle();
    expect(await system.api.read(`/v2/alerts/count?query=${query}`)).toEqual({ count: 1 });
  });
});
