import { describe, expect, it } from '@jest/globals';
import { OPERATIONS } from '@tocsin/api';
import { testApp } from './testing/app-fixture.ts';

const owned = OPERATIONS.filter(({ owner }) => owner === 'scheduling');

describe('the app', () => {
  it.each(owned.map(({ id, method, path }) => [id, method, path] as const))(
    'has an answer of its own to %s, %s %s',
    async (_, method, path) => {
      const app = await testApp();
      const nowhere = path.replaceAll(/\{\w+\}/g, 'nothing');
      const [get, send] = [
        { GET: app.get, DELETE: app.delete },
        { POST: app.post, PUT: app.put, PATCH: app.patch },
      ];
      const { status, body } =
        method === 'GET' || method === 'DELETE' ? await get[method](nowhere) : await send[method](nowhere, {});
      expect(body['message']).not.toBe('No handler found');
      expect([200, 404, 422]).toContain(status);
    },
  );
});
