import { describe, expect, test } from '@jest/globals';
import { CallError } from '../api/call-error.ts';
import type { CallRequest } from '../api/call.ts';
import { formOf } from './form.ts';
import type { Integration } from './queries.ts';
import { act, changeIntegration, createIntegration, replaceKey } from './write.ts';

const stored = { id: 'a/b', name: 'Scripts', type: 'API', enabled: true, responders: [] } as unknown as Integration;

/** A server that answers with `data`, and notes what is sent to it. */
function serverWith(data: object) {
  const sent: CallRequest[] = [];
  return {
    sent,
    call: <T>(request: CallRequest) => {
      if (request.method !== undefined) sent.push(request);
      return Promise.resolve({ data } as T);
    },
  };
}

describe('a write of an integration', () => {
  test('One that is created has its key, where it has one.', async () => {
    const body = { type: 'API', name: 'Scripts' };
    const server = serverWith({ id: '1', apiKey: 'key-1' });

    expect(await createIntegration(body, server)).toEqual({ id: '1', key: { apiKey: 'key-1' } });
    expect(await createIntegration(body, serverWith({ id: '2' }))).toEqual({ id: '2', key: undefined });
    expect(server.sent).toEqual([{ method: 'POST', path: '/v2/integrations', body }]);
  });

  test('A new key replaces the one before.', async () => {
    const server = serverWith({ apiKey: 'key-2', previousKeyValidUntil: '2026-01-05T12:00:00Z' });

    expect(await replaceKey('a/b', server)).toMatchObject({ apiKey: 'key-2' });
    expect(server.sent).toEqual([{ method: 'POST', path: '/v2/integrations/a%2Fb/rotate-key' }]);
  });

  test('A change is sent where no other person changed the same, with what was read right before.', async () => {
    const server = serverWith({ ...stored, tags: ['new'] });
    const form = { ...formOf(stored), name: 'Tools' };

    expect((await changeIntegration({ form, filled: stored, seen: stored }, server)).changes).toEqual([]);
    expect(server.sent).toMatchObject([
      { method: 'PUT', path: '/v2/integrations/a%2Fb', body: { name: 'Tools', tags: ['new'] } },
    ]);
  });

  test('It is not where another person did; once its person has seen that, it is.', async () => {
    const server = serverWith({ ...stored, name: 'Robots' });
    const form = { ...formOf(stored), name: 'Tools' };
    const { changes, seen } = await changeIntegration({ form, filled: stored, seen: stored }, server);

    expect(changes).toHaveLength(1);
    expect(server.sent).toEqual([]);
    await changeIntegration({ form, filled: stored, seen }, server);
    expect(server.sent).toMatchObject([{ body: { name: 'Tools' } }]);
  });

  test('One that is gone already is deleted, and another failure stays one.', async () => {
    const failing = (status: number) => ({
      call: () => Promise.reject(new CallError({ status, message: 'Failed' })),
    });

    await expect(act('delete', 'a/b', failing(404))).resolves.toBeUndefined();
    await expect(act('delete', 'a/b', failing(503))).rejects.toMatchObject({ status: 503 });
    await expect(act('enable', 'a/b', failing(404))).rejects.toMatchObject({ status: 404 });
  });
});
