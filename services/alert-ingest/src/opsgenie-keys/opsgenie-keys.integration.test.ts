import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { hashKey } from '@tocsin/http';
import { signedIn } from '@tocsin/testkit';
import { ACCOUNT, openService, TEAM, type TestService } from '../testing/app-fixture.ts';
import { integrationOf } from '../testing/integration-samples.ts';

const GATEWAY = { service: 'gateway' } as const;
const PATH = '/v2/account/opsgenie-keys';
const [ONE, OTHER] = ['1', '2'].map((digit) => digit.repeat(64)) as [string, string];

let service: TestService;

beforeEach(async () => {
  service = await openService();
});

const learned = (changes: object = {}) => ({
  sha256: ONE,
  firstAt: '2027-01-25T09:00:00Z',
  lastAt: '2027-01-25T10:00:00Z',
  requests: 3,
  operation: 'create-alert',
  requestId: 'first',
  ...changes,
});

const report = async (source: string, ...keys: readonly object[]) =>
  (await service.call('post', '/internal/opsgenie-keys', { source, keys }, GATEWAY)).status;
const list = (query = '', caller = ACCOUNT) => service.call('get', `${PATH}${query}`, undefined, caller);

describe('the keys with which tools send to Opsgenie (M9)', () => {
  it('are the sum of what gateways have learned, also where a report comes twice, late or after the next one', async () => {
    const [gateway, second] = [randomUUID(), randomUUID()];
    const later = learned({
      lastAt: '2027-01-26T10:00:00Z',
      requests: 5,
      operation: 'get-alert',
      requestId: undefined,
    });
    expect(await report(gateway, learned(), learned({ sha256: OTHER, requestId: undefined }))).toBe(200);
    for (const each of [later, learned(), later]) expect(await report(gateway, each)).toBe(200);
    await report(
      second,
      learned({ firstAt: '2027-01-24T09:00:00Z', lastAt: '2027-01-24T09:00:00Z', requestId: 'old' }),
    );
    const { body, status } = await list();
    expect([status, body]).toMatchObject([
      200,
      {
        totalCount: 2,
        data: [
          {
            sha256: ONE,
            firstAt: '2027-01-24T09:00:00Z',
            lastAt: '2027-01-26T10:00:00Z',
            requests: 8,
            operation: 'get-alert',
            requestId: 'first',
          },
          { sha256: OTHER, requests: 3 },
        ],
      },
    ]);
    expect((body['data'] as object[])[1]).not.toHaveProperty('requestId');
  });

  it('name the integration that has the key, also as one that was replaced', async () => {
    const key = { hash: ONE };
    const retiring = [{ keyHash: OTHER, validUntil: new Date('2027-02-01T00:00:00Z') }];
    await service.store.insert(integrationOf('a', { name: 'Nagios', key, retiringKeys: retiring }));
    await report(randomUUID(), learned(), learned({ sha256: OTHER }), learned({ sha256: hashKey('x') }));
    const keys = (await list()).body['data'] as { readonly sha256: string; readonly integration?: object }[];
    expect(Object.fromEntries(keys.map(({ integration, sha256 }) => [sha256, integration]))).toEqual({
      [ONE]: { id: 'a', name: 'Nagios' },
      [OTHER]: { id: 'a', name: 'Nagios' },
      [hashKey('x')]: undefined,
    });
  });

  it('are listed in pages', async () => {
    await report(randomUUID(), learned(), learned({ sha256: OTHER }));
    expect((await list('?limit=1&offset=1')).body).toMatchObject({ totalCount: 2, data: [{ sha256: OTHER }] });
    expect((await list('?limit=101')).status).toBe(422);
  });

  it('are for keys of the account, owners and admins alone', async () => {
    expect((await list('', TEAM)).status).toBe(403);
    expect((await list('', { ...ACCOUNT, mayConfigure: false })).status).toBe(403);
    expect((await service.call('get', PATH, undefined, signedIn({}, { role: 'user' }))).status).toBe(403);
    expect((await service.call('get', PATH, undefined, signedIn({}, { role: 'admin' }))).status).toBe(200);
  });

  it('are reported by services alone, and a report that is not valid changes nothing', async () => {
    const body = { source: randomUUID(), keys: [learned()] };
    expect((await service.call('post', '/internal/opsgenie-keys', body)).status).toBe(403);
    expect(await report('no id', learned())).toBe(422);
    expect(await report(randomUUID(), learned(), learned({ sha256: 'a-key' }))).toBe(422);
    expect((await list()).body).toMatchObject({ totalCount: 0, data: [] });
  });
});
