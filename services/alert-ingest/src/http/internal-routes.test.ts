import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/errors';
import { ACCOUNT, serviceUnderTest } from '../testing/service-under-test.ts';
import { integrationOf } from '../storage/integration-store.contract.ts';

const GATEWAY = { service: 'gateway' } as const;
const DIRECTORY = { service: 'directory' } as const;

describe('GET /internal/states/integrations.v1', () => {
  it.each(['id=a', 'keyHash=hash-a', 'keyHash=old-a'])(
    'gives the state of the one with %s, without its key',
    async (query) => {
      const { call, store } = serviceUnderTest();
      await store.insert(integrationOf('a'));
      const { status, body } = await call('get', `/internal/states/integrations.v1?${query}`, undefined, GATEWAY);
      expect(status).toBe(200);
      expect((body as { data: unknown }).data).toEqual({
        id: 'a',
        version: integrationOf('a').version,
        deleted: false,
        state: {
          id: 'a',
          name: 'Integration a [🔔]',
          type: 'Prometheus',
          enabled: true,
          ownerTeamId: 'team-1',
          allowWriteAccess: true,
          allowConfigurationAccess: false,
          suppressNotifications: false,
          keyHash: 'hash-a',
          retiringKeys: [{ keyHash: 'old-a', validUntil: '2026-01-01T01:00:00.000Z' }],
        },
      });
    },
  );

  it.each(['id=b', 'keyHash=b', 'name=Probe'])('answers 404 for %s', async (query) => {
    const { call } = serviceUnderTest();
    expect((await call('get', `/internal/states/integrations.v1?${query}`, undefined, GATEWAY)).status).toBe(404);
  });

  it('answers no key of a caller from outside (K6)', async () => {
    const { call } = serviceUnderTest();
    expect((await call('get', '/internal/states/integrations.v1?id=a', undefined, ACCOUNT)).status).toBe(403);
  });
});

describe('DELETE /internal/teams/{teamId}/integrations', () => {
  const path = '/internal/teams/team-1/integrations';

  it('stops every key of the team and of nobody else, and the same again changes nothing (S12)', async () => {
    const { announcer, call, store } = serviceUnderTest();
    await store.insert(integrationOf('a'));
    await store.insert(integrationOf('b'));
    await store.insert(integrationOf('c', { ownerTeam: undefined }));
    for (let turn = 0; turn < 2; turn += 1) {
      const { status, body } = await call('delete', path, undefined, DIRECTORY);
      expect({ status, body }).toMatchObject({ status: 200, body: { data: { disabled: 2 } } });
    }
    const after = await store.list({});
    expect(after.map(({ id, enabled, version, ownerTeam }) => [id, enabled, version.n, ownerTeam?.id])).toEqual([
      ['a', false, 2, 'team-1'],
      ['b', false, 2, 'team-1'],
      ['c', true, 1, undefined],
    ]);
    expect(announcer.insisted).toEqual(['a', 'b', 'a', 'b']);
  });

  it('answers 503 while the other services cannot be told', async () => {
    const { announcer, call, store } = serviceUnderTest();
    await store.insert(integrationOf('a'));
    announcer.refuseWith(new UnavailableError('Kafka is away.'));
    expect((await call('delete', path, undefined, DIRECTORY)).status).toBe(503);
  });

  it('is closed to keys', async () => {
    const { call } = serviceUnderTest();
    expect((await call('delete', path)).status).toBe(403);
  });
});
