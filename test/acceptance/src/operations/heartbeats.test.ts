import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { formatInstant } from '@tocsin/events';
import type { Scenario } from '@tocsin/testkit';
import { useSharedSystem } from '../system/system.ts';

const system = useSharedSystem();
const PATH = '/v2/heartbeats';

let scenario: Scenario;
let made: string[];

beforeEach(() => {
  scenario = system.scenario();
  made = [];
});
/** Other tests list what there is. */
afterEach(async () => {
  for (const path of made) await system.api.request('DELETE', path);
});

interface Shown {
  readonly name: string;
}

const pathOf = (of: string) => `${PATH}/${encodeURIComponent(scenario.name(of))}`;

async function create(of: string, more: object = {}): Promise<Readonly<Record<string, unknown>>> {
  made.push(pathOf(of));
  return system.api.create(PATH, { name: scenario.name(of), interval: 5, intervalUnit: 'minutes', ...more });
}

const read = (of: string) => system.api.read<Readonly<Record<string, unknown>>>(pathOf(of));

describe('heartbeats (part 1, 2.6 and 4.3)', () => {
  it('create-heartbeat, get-heartbeat: what was written comes back, by the name in the path', async () => {
    const team = await scenario.team('Ops');
    const written = {
      description: 'nightly',
      enabled: true,
      alertMessage: 'Backup is missing',
      alertTags: ['db'],
      alertPriority: 'P2',
      ownerTeam: { id: team.id, name: scenario.name('Ops') },
    };
    const created = await create('backup', written);
    expect(created).toEqual({
      name: scenario.name('backup'),
      interval: 5,
      intervalUnit: 'minutes',
      expired: false,
      ...written,
    });
    expect(await read('backup')).toEqual(created);
  });

  it('create-heartbeat refuses a taken name, a wrong field and an unknown team, each by its name', async () => {
    await create('backup');
    const body = { name: scenario.name('backup'), interval: 5, intervalUnit: 'minutes' };
    await system.api.expect(409, 'POST', PATH, body);
    const wrong = await system.api.expect(422, 'POST', PATH, { ...body, name: 'x', interval: 0 });
    expect(wrong.body['errors']).toEqual({ interval: 'should be at least 1' });
    const unknown = await system.api.expect(404, 'POST', PATH, { ...body, ownerTeam: { name: 'Missing' } });
    expect(unknown.body['message']).toContain('Missing');
  });

  it('list-heartbeats lists them by creation in an object of their own', async () => {
    await create('b');
    await create('a');
    const { heartbeats } = await system.api.read<{ heartbeats: readonly Shown[] }>(PATH);
    const names = heartbeats.map(({ name }) => name);
    expect(names.filter((name) => name === scenario.name('a') || name === scenario.name('b'))).toHaveLength(2);
    expect(heartbeats).toContainEqual(await read('a'));
  });

  it.each([
    ['ping-heartbeat', 'GET'],
    ['ping-heartbeat-by-post', 'POST'],
    ['ping-heartbeat-by-put', 'PUT'],
    ['ping-heartbeat-by-patch', 'PATCH'],
  ])('%s is on disk with the answer; an unknown or disabled name is answered likewise', async (_, method) => {
    await create('backup', { enabled: true });
    await create('off');
    for (const known of ['backup', 'off', 'unknown']) {
      const { body } = await system.api.expect(202, method, `${pathOf(known)}/ping`);
      expect(body).toEqual({
        result: 'PONG - Heartbeat received',
        took: expect.any(Number),
        requestId: expect.any(String),
      });
    }
    expect(await read('backup')).toMatchObject({ lastPingTime: formatInstant(system.clock.now()), expired: false });
    expect(await read('off')).not.toHaveProperty('lastPingTime');
    await system.api.expect(404, 'GET', pathOf('unknown'));
  });

  it('update-heartbeat changes what it names, and takes the name of the path beside it', async () => {
    await create('backup');
    const body = { name: scenario.name('backup'), interval: 2, intervalUnit: 'hours', enabled: true };
    const { body: answer } = await system.api.expect(200, 'PATCH', pathOf('backup'), body);
    expect(answer).toMatchObject({ result: 'Updated' });
    expect(answer['data']).toEqual({ name: scenario.name('backup'), enabled: true, expired: false });
    expect(await read('backup')).toMatchObject({
      ...body,
      lastPingTime: formatInstant(system.clock.now()),
    });
    await system.api.expect(422, 'PATCH', pathOf('backup'), { name: 'other' });
  });

  it('enable-heartbeat counts as a ping, disable-heartbeat ends the waiting', async () => {
    await create('backup');
    const name = scenario.name('backup');
    const enabled = await system.api.expect(200, 'POST', `${pathOf('backup')}/enable`);
    expect(enabled.body).toMatchObject({ result: 'Enabled', data: { name, enabled: true, expired: false } });
    expect(await read('backup')).toMatchObject({ lastPingTime: formatInstant(system.clock.now()) });
    const disabled = await system.api.expect(200, 'POST', `${pathOf('backup')}/disable`);
    expect(disabled.body).toMatchObject({ result: 'Disabled', data: { name, enabled: false, expired: false } });
  });

  it('delete-heartbeat: it is gone at once, and its name is free', async () => {
    await create('backup');
    expect((await system.api.expect(200, 'DELETE', pathOf('backup'))).body).toMatchObject({ result: 'Deleted' });
    for (const method of ['GET', 'DELETE', 'PATCH']) await system.api.expect(404, method, pathOf('backup'));
    await create('backup');
  });
});

describe('keys', () => {
  interface Key {
    readonly apiKey: string;
  }

  it('without rights ping, and do nothing else (K3)', async () => {
    await create('backup', { enabled: true });
    const rights = { allowConfigurationAccess: false, allowWriteAccess: false };
    const { apiKey } = await system.api.create<Key>('/v2/integrations', {
      type: 'API',
      name: scenario.name('Pinger'),
      ...rights,
    });
    const pinger = system.api.as(apiKey);
    await pinger.expect(202, 'GET', `${pathOf('backup')}/ping`);
    expect(await read('backup')).toHaveProperty('lastPingTime');
    for (const [method, path] of [
      ['GET', PATH],
      ['GET', pathOf('backup')],
      ['POST', `${pathOf('backup')}/enable`],
      ['DELETE', pathOf('backup')],
    ] as const)
      expect((await pinger.expect(403, method, path)).body).toMatchObject({ code: 40301 });
  });

  it('of a team own what they create, and have nothing to do with what others own (K4)', async () => {
    const team = await scenario.team('Ops');
    const { apiKey } = await system.api.create<Key>('/v2/integrations', {
      type: 'API',
      name: scenario.name('Own'),
      ownerTeam: team,
      allowConfigurationAccess: true,
    });
    const own = system.api.as(apiKey);
    await create('theirs', { enabled: true });
    made.push(pathOf('own'));
    const body = { name: scenario.name('own'), interval: 5, intervalUnit: 'minutes' };
    expect(await own.create(PATH, body)).toMatchObject({ ownerTeam: { id: team.id } });
    await own.expect(202, 'POST', `${pathOf('own')}/ping`);
    const { heartbeats } = await own.read<{ heartbeats: readonly Shown[] }>(PATH);
    expect(heartbeats.map(({ name }) => name)).toEqual([scenario.name('own')]);
    for (const [method, path] of [
      ['GET', pathOf('theirs')],
      ['PATCH', pathOf('theirs')],
      ['POST', `${pathOf('theirs')}/ping`],
    ] as const)
      expect((await own.expect(403, method, path, method === 'GET' ? undefined : {})).body).toMatchObject({
        code: 40301,
      });
  });
});
