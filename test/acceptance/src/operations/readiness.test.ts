import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import { useSharedSystem } from '../system/system.ts';

const system = useSharedSystem();
let scenario: Scenario;

beforeEach(async () => {
  scenario = system.scenario();
  await scenario.users('ada');
});

interface Finding {
  readonly kind: string;
  readonly entity: { readonly id: string };
}

describe('readiness (S17)', () => {
  it('list-readiness answers what will go wrong, and after it is mended no longer', async () => {
    const team = await system.api.create<{ readonly id: string }>('/v2/teams', { name: scenario.name('Solo') });
    const schedule = await system.api.create<{ readonly id: string }>('/v2/schedules', {
      name: scenario.name('Empty'),
      ownerTeam: { id: team.id },
    });
    const kinds = async () => {
      const { body } = await system.api.expect(200, 'GET', `/v2/readiness?team=${team.id}&kind=schedule-gap`);
      return (body['data'] as Finding[]).filter(({ entity }) => entity.id === schedule.id).map(({ kind }) => kind);
    };
    expect(await kinds()).toEqual(['schedule-gap']);
    await system.api.expect(201, 'POST', `/v2/schedules/${schedule.id}/rotations`, {
      type: 'daily',
      startDate: '2020-01-01T00:00:00Z',
      participants: [{ type: 'user', username: scenario.address('ada') }],
    });
    expect(await kinds()).toEqual([]);
    expect((await system.api.request('GET', '/v2/readiness?team=nothing')).status).toBe(404);
    expect((await system.api.request('GET', '/v2/readiness?kind=nothing')).status).toBe(422);
  });
});
