import { describe, expect, it } from '@jest/globals';
import { useSharedSystem } from '../system/system.ts';

const system = useSharedSystem();

describe('the import of heartbeats', () => {
  it('import-heartbeat: it is there disabled, and enabled by an import it waits for pings', async () => {
    const scenario = system.scenario();
    const team = await scenario.team('Ops');
    const name = scenario.name('nightly backup');
    const body = {
      name,
      description: 'nightly',
      interval: 5,
      intervalUnit: 'minutes',
      enabled: false,
      ownerTeam: { id: team.id },
      alertTags: ['db'],
    };
    const path = `/v2/imports/heartbeats/${encodeURIComponent(name)}`;
    const results = [];
    for (const sent of [body, body, { ...body, enabled: true }, { ...body, enabled: true }])
      results.push((await system.api.expect(200, 'PUT', path, sent)).body['result']);
    expect(results).toEqual(['Created', 'Unchanged', 'Updated', 'Unchanged']);
    const own = `/v2/heartbeats/${encodeURIComponent(name)}`;
    expect(await system.api.read(own)).toMatchObject({ ...body, enabled: true, ownerTeam: { id: team.id } });
    // Other tests list what there is.
    await system.api.expect(200, 'DELETE', own);
    expect((await system.api.request('PUT', `${path}x`, body)).status).toBe(422);
  });
});
