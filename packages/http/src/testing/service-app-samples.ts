import supertest from 'supertest';
import { z } from 'zod';
import { ManualClock, UnavailableError } from '@tocsin/core';
import {
  type Caller,
  type KeyPrincipal,
  PRINCIPAL_HEADER,
  PrincipalSigner,
  PrincipalVerifier,
} from '../authentication/index.ts';
import { accountKey } from '@tocsin/testkit';
import { createServiceApp, defineInternalRoute, defineRoute, type Route, type RouteInput } from '../index.ts';

const KEY = 'a-signing-key-of-the-installation';
export const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
const signer = new PrincipalSigner([KEY]);

/** A failure of the driver, which only the service can distinguish from a defect. */
export const outage = new Error('connection closed');
export const readOnly: KeyPrincipal = { ...accountKey, mayWrite: false };
export const teamMember: KeyPrincipal = { ...accountKey, teamId: 'b8f1d1b0-1d5c-4f0e-8a8a-6a3e7f0d9c11' };
export const otherKey: KeyPrincipal = { ...accountKey, integrationId: 'another' };
export const scheduling = { service: 'scheduling' } as const;
export const stranger: KeyPrincipal = { ...accountKey, integrationName: 'Forged' };

interface Service {
  readonly send: (method: 'get' | 'post' | 'put' | 'patch' | 'delete', path: string, caller?: Caller) => supertest.Test;
  readonly defects: unknown[];
  readonly inputs: RouteInput<unknown, unknown>[];
}

/** A service of one operation and one internal route, and whatever `routes` it is given. */
export async function service(routes: readonly Route[] = []): Promise<Service> {
  const defects: unknown[] = [];
  const inputs: RouteInput<unknown, unknown>[] = [];
  const close = defineRoute({
    operation: 'close-alert',
    query: z.object({ identifierType: z.string().optional() }),
    body: z.object({ note: z.string().optional(), tags: z.array(z.object({ name: z.string() })).optional() }),
    handle: (input) => {
      inputs.push(input);
      return Promise.resolve({
        status: 202,
        headers: { 'X-Extra': 'yes' },
        body: { result: 'Request will be processed' },
      });
    },
  });
  const internal = defineInternalRoute({
    method: 'PUT',
    path: '/internal/teams/:teamId/defaults',
    query: z.object({ dry: z.string().optional() }),
    body: z.object({ teamName: z.string() }),
    handle: ({ params, query, body, caller }) => Promise.resolve({ body: { data: { params, query, body, caller } } }),
  });
  const app = createServiceApp({
    routes: [close, ...routes],
    internalRoutes: [internal],
    verifier: new PrincipalVerifier([KEY], 'scheduling'),
    clock,
    onDefect: (error, requestId) => defects.push([error, requestId]),
    meaningOf: (error) => (error === outage ? new UnavailableError('The database is unavailable.') : error),
  });
  const tokens = new Map<Caller, string>();
  for (const caller of [accountKey, otherKey, readOnly, teamMember, scheduling]) {
    tokens.set(caller, await signer.sign(caller, 'scheduling', clock.now()));
  }
  const send: Service['send'] = (method, path, caller = accountKey) =>
    supertest(app)
      [method](path)
      .set(PRINCIPAL_HEADER, tokens.get(caller) ?? 'nonsense');
  return { send, defects, inputs };
}
