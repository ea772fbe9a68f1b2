import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { AlertCommand } from '@tocsin/events';
import { hostileBody, nested } from '@tocsin/testkit';
import { useApp, type TestApp } from '../testing/app-fixture.ts';

/** How often each write is tried. */
const TRIES = 150;
const PATH = '/v2/heartbeats';

const body = {
  name: 'backup',
  description: 'd',
  interval: 10,
  intervalUnit: 'hours',
  enabled: true,
  ownerTeam: { id: 'ops', name: 'Ops' },
  alertMessage: 'Gone',
  alertTags: ['db', 'disk'],
  alertPriority: 'P1',
};
const writes = [
  { method: 'post', path: PATH },
  { method: 'patch', path: `${PATH}/backup` },
  { method: 'put', path: '/v2/imports/heartbeats/backup' },
] as const;

const openApp = useApp();
let app: TestApp;

beforeAll(async () => {
  app = await openApp();
  await app.pass(0);
  await app.post(PATH, body);
});

async function tryOut({ method, path }: (typeof writes)[number], sent: unknown): Promise<void> {
  const before = (await app.get(PATH)).data;
  const { status, body: answer } = await app[method](path, sent);
  expect([200, 201, 404, 409, 422]).toContain(status);
  const { status: read, data: after } = await app.get(PATH);
  expect(read).toBe(200);
  if (status < 400) return;
  expect(after).toEqual(before);
  const { message, errors = {} } = answer as { message?: unknown; errors?: Readonly<Record<string, unknown>> };
  expect(typeof message).toBe('string');
  expect(Object.values(errors).filter((reason) => typeof reason !== 'string')).toEqual([]);
}

describe('whatever stands in a body', () => {
  it('is understood or refused by its field, and what is understood can be read and makes an alert', async () => {
    for (const write of writes)
      await fc.assert(
        fc.asyncProperty(hostileBody(body), (sent) => tryOut(write, sent)),
        { numRuns: TRIES },
      );
    const { heartbeats } = (await app.get(PATH)).data as { heartbeats: readonly { name: string }[] };
    for (const { name } of heartbeats) await app.post(`${PATH}/${encodeURIComponent(name)}/enable`);
    await app.pass(60 * 24 * 1e6);
    const commands = await app.commands();
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands) expect(AlertCommand.parse(command)).toEqual(command);
  });

  it('is refused however deep it goes', async () => {
    for (const field of ['ownerTeam', 'alertTags', 'interval', 'name'])
      expect(await app.patch(`${PATH}/backup`, { [field]: nested(1_000) })).toMatchObject({ status: 422 });
  });
});
