import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { chosenApps, type SocketIntegration } from './app.ts';

const API = 'https://slack.com/api';
const of = (id: string, appToken: string, ownerTeamId?: string, url = API): SocketIntegration => ({
  id,
  ownerTeamId,
  url,
  appToken,
});

describe('the apps of integrations', () => {
  it('are one for each token at each server, and their keys have nothing of the token', () => {
    const { chosen, left } = chosenApps(
      [of('b', 'xapp-1', 't1'), of('a', 'xapp-1'), of('c', 'xapp-2'), of('d', 'xapp-1', undefined, 'https://other')],
      { inAll: 10, each: 10 },
    );
    expect(new Set(chosen.map(({ integrationIds }) => integrationIds.join()))).toEqual(new Set(['a,b', 'c', 'd']));
    expect(new Set(chosen.map(({ key }) => key)).size).toBe(3);
    for (const { key } of chosen) expect(key).toMatch(/^[0-9a-f]{32}$/);
    expect(left).toEqual([]);
  });

  it('of a team with many leave a place to each other team', () => {
    const many = Array.from({ length: 8 }, (_, n) => of(`many-${n}`, `xapp-many-${n}`, 't1'));
    const { chosen, left } = chosenApps([...many, of('x', 'xapp-x', 't2'), of('y', 'xapp-y')], { inAll: 4, each: 3 });
    const ids = chosen.flatMap(({ integrationIds }) => integrationIds);
    expect(ids).toEqual(expect.arrayContaining(['x', 'y']));
    expect([ids.length, left.length]).toEqual([4, 6]);
  });

  it('are the same in whatever order integrations come, each chosen or left, within the limits', () => {
    const integration = fc.record({
      id: fc.uuid(),
      appToken: fc.constantFrom('xapp-1', 'xapp-2', 'xapp-3', 'xapp-4'),
      ownerTeamId: fc.constantFrom('t1', 't2', undefined),
      url: fc.constantFrom(API, 'https://other'),
    });
    const limits = fc.record({ inAll: fc.integer({ min: 1, max: 6 }), each: fc.integer({ min: 1, max: 3 }) });
    fc.assert(
      fc.property(fc.uniqueArray(integration, { selector: ({ id }) => id }), limits, (all, bounds) => {
        const apps = chosenApps(all, bounds);
        expect(chosenApps(all.toReversed(), bounds)).toEqual(apps);
        const each = [...apps.chosen, ...apps.left];
        expect(each.flatMap(({ integrationIds }) => integrationIds).sort()).toEqual(all.map(({ id }) => id).sort());
        expect(apps.chosen.length).toBeLessThanOrEqual(bounds.inAll);
      }),
    );
  });
});
