import { describe, expect, it } from '@jest/globals';
import { OPERATIONS } from '@tocsin/api';
import { accountKey } from '@tocsin/testkit';
import { useApp } from './testing/app-fixture.ts';

const openApp = useApp();

const owned = OPERATIONS.filter(({ owner }) => owner === 'heartbeat-monitor');

describe('the app', () => {
  it.each(owned.map((operation) => [operation.id, operation] as const))(
    'has an answer of its own to %s, but to no key without the right (K3)',
    async (_, { method, path, right }) => {
      const app = await openApp();
      const nowhere = path.replaceAll(/\{\w+\}/g, 'nothing');
      const ask = (caller = accountKey) =>
        method === 'GET' || method === 'DELETE'
          ? app[method === 'GET' ? 'get' : 'delete'](nowhere, caller)
          : app[method === 'POST' ? 'post' : method === 'PUT' ? 'put' : 'patch'](nowhere, {}, caller);
      const { status, body } = await ask();
      expect(body['message']).not.toBe('No handler found');
      expect([200, 202, 404, 422]).toContain(status);
      const { status: without } = await ask({ ...accountKey, mayWrite: false, mayConfigure: false });
      expect(without).toBe(right === 'read' ? 202 : 403);
    },
  );
});
