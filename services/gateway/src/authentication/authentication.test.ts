import { beforeEach, describe, expect, it } from '@jest/globals';
import { ManualClock, UnavailableError } from '@tocsin/core';
import type { IntegrationState } from '@tocsin/events';
import { hashKey } from '@tocsin/http';
import { MemoryReplica } from '@tocsin/kafka';
import { KEY_INDEXES, KeyDirectory } from './key-directory.ts';
import { Authentication } from './authentication.ts';

const key = '0f8fad5b-d9cb-469f-a165-70867728950e';
const integration: IntegrationState = {
  id: '5d1c8c1e-7d0a-4d1c-9d1d-0a7f3c1b2a3c',
  name: 'Default API',
  type: 'API',
  enabled: true,
  ownerTeamId: 'b8f1d1b0-1d5c-4f0e-8a8a-6a3e7f0d9c11',
  allowReadAccess: true,
  allowWriteAccess: true,
  allowConfigurationAccess: false,
  suppressNotifications: false,
  keyHash: hashKey(key),
};

const clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
let replica: MemoryReplica<IntegrationState>;
let authentication: Authentication;
const principalOf = (given = key) =>
  authentication.principalOf({ authorization: `GenieKey ${given}`, otherKey: undefined, address: '127.0.0.1' });

beforeEach(() => {
  replica = new MemoryReplica<IntegrationState>(KEY_INDEXES);
  const keys = new KeyDirectory(replica, { spend: () => undefined, giveBack: () => undefined });
  authentication = new Authentication({ keys, clock, schemes: ['GenieKey'] });
});

describe('Authentication', () => {
  it('finds the integration behind a key, with its rights and its team', async () => {
    replica.put(integration.id, integration);
    expect(await principalOf(key.toUpperCase())).toEqual({
      kind: 'key',
      integrationId: integration.id,
      integrationName: 'Default API',
      integrationType: 'API',
      teamId: integration.ownerTeamId,
      mayRead: true,
      mayWrite: true,
      mayConfigure: false,
    });
  });

  it('finds one that was created a moment ago at its owner (E11)', async () => {
    replica.ownerHas('keyHash', hashKey(key), integration);
    expect(await principalOf()).toMatchObject({ integrationId: integration.id });
  });

  it('gives the same principal until the integration changes', async () => {
    replica.put(integration.id, integration);
    const before = await principalOf();
    expect(await principalOf()).toBe(before);
    replica.put(integration.id, { ...integration, allowReadAccess: false, allowWriteAccess: false });
    expect(await principalOf()).toMatchObject({ mayRead: false, mayWrite: false });
  });

  it('refuses an unknown key, and that of a disabled or deleted integration, in the same words (E4, K2)', async () => {
    const refusal = { code: 'unauthenticated', message: 'Could not authenticate' };
    await expect(principalOf()).rejects.toMatchObject(refusal);
    replica.put(integration.id, { ...integration, enabled: false });
    await expect(principalOf()).rejects.toMatchObject(refusal);
    replica.put(integration.id, integration);
    replica.remove(integration.id);
    await expect(principalOf()).rejects.toMatchObject(refusal);
  });

  it('accepts a replaced key until its time is over, exclusive, and the new one before and after', async () => {
    const old = '1f8fad5b-d9cb-469f-a165-70867728950e';
    const retiringKeys = [{ keyHash: hashKey(old), validUntil: '2026-01-01T01:00:00.000Z' }];
    replica.put(integration.id, { ...integration, retiringKeys });
    clock.moveTo(new Date('2026-01-01T00:59:59.999Z'));
    expect(await principalOf(old)).toBe(await principalOf());
    clock.moveTo(new Date('2026-01-01T01:00:00Z'));
    await expect(principalOf(old)).rejects.toMatchObject({ code: 'unauthenticated' });
    expect(await principalOf()).toMatchObject({ integrationId: integration.id });
  });

  it('does not refuse a key as unknown while it cannot be looked up', async () => {
    replica.refuseWith(new UnavailableError('The owner is unavailable.'));
    await expect(principalOf()).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('refuses what is no key', async () => {
    await expect(principalOf('42')).rejects.toMatchObject({ code: 'invalid' });
    await expect(
      authentication.principalOf({ authorization: undefined, otherKey: undefined, address: '127.0.0.1' }),
    ).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});
