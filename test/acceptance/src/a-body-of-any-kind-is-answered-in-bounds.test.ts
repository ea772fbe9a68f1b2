import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { API_KEY } from './system/api.ts';
import { useSystem } from './system/system.ts';

const system = useSystem();

async function post(path: string, body: string | Buffer, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(system.api.url + path, {
    method: 'POST',
    headers: { authorization: `GenieKey ${API_KEY}`, 'content-type': 'application/json', ...headers },
    body: body as string,
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const zipped = (path: string, body: string | Buffer) => post(path, gzipSync(body), { 'content-encoding': 'gzip' });

describe('a body in gzip', () => {
  it('is taken by every service', async () => {
    const scenario = system.scenario();
    const alias = scenario.name('zipped');
    expect((await zipped('/v2/alerts', JSON.stringify({ message: 'Disk full', alias }))).status).toBe(202);
    const team = JSON.stringify({ name: scenario.name('Zipped') });
    expect((await zipped('/v2/teams', team)).status).toBe(201);
    const schedule = JSON.stringify({ name: scenario.name('Zipped'), timezone: 'UTC' });
    expect((await zipped('/v2/schedules', schedule)).status).toBe(201);
    await scenario.users('ada');
    const search = {
      name: scenario.name('Zipped'),
      query: 'status:open',
      owner: { username: scenario.address('ada') },
    };
    expect((await zipped('/v2/alerts/saved-searches', JSON.stringify(search))).status).toBe(201);
    await system.settle();
    expect(await scenario.alertOf(alias)).toMatchObject({ message: 'Disk full' });
  });

  it('that would become huge is cut off, and one that is broken is malformed', async () => {
    expect((await zipped('/v2/alerts', Buffer.alloc(256 * 1_048_576))).status).toBe(413);
    const broken = gzipSync('{"message":"Disk full"}').subarray(0, -5);
    expect((await post('/v2/alerts', broken, { 'content-encoding': 'gzip' })).status).toBe(400);
    expect((await post('/v2/alerts', '{}', { 'content-encoding': 'compress' })).status).toBe(415);
  });
});

describe('a body that is dear to read', () => {
  it.each(['/v2/alerts', '/v2/teams', '/v2/schedules', '/v2/alerts/saved-searches'])(
    'is refused at %s',
    async (path) => {
      const keys = `{${Array.from({ length: 12_000 }, (_, index) => `"k${index}":0`).join()}}`;
      for (const body of ['['.repeat(200_000), keys, `{"tags":[${'0,'.repeat(100_000)}0]}`])
        expect((await post(path, body)).status).toBe(422);
    },
  );
});
