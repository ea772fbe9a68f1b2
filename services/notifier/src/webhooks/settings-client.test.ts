import { describe, expect, it } from '@jest/globals';
import { ManualClock, UnavailableError } from '@tocsin/core';
import type { IntegrationState } from '@tocsin/events';
import type { InternalReply } from '@tocsin/http';
import { MemoryReplica } from '@tocsin/kafka';
import { NOW, webhookSettings } from '../testing/webhook-samples.ts';
import { WebhookSettingsClient } from './settings-client.ts';

const STATE: IntegrationState = {
  id: 'hook',
  name: 'Hook',
  type: 'Webhook',
  enabled: true,
  allowReadAccess: true,
  allowWriteAccess: true,
  allowConfigurationAccess: false,
  suppressNotifications: false,
};

function setUp() {
  const clock = new ManualClock(NOW);
  const integrations = new MemoryReplica<IntegrationState>();
  const asked: string[] = [];
  const answer: { now: () => Promise<InternalReply> } = {
    now: () => Promise.resolve({ status: 200, body: { data: webhookSettings({ name: `Hook ${asked.length}` }) } }),
  };
  const internal = {
    get: (path: string) => {
      asked.push(path);
      return answer.now();
    },
  };
  return { answer, asked, clock, client: new WebhookSettingsClient(internal, integrations, clock), integrations };
}

describe('the settings of a webhook', () => {
  it('are read once for half a minute, also by several at once', async () => {
    const { asked, clock, client } = setUp();
    await Promise.all([client.of('hook'), client.of('hook')]);
    clock.advance(29_999);
    expect(await client.of('hook')).toMatchObject({ name: 'Hook 1' });
    expect(asked).toEqual(['/internal/webhooks/hook']);
    clock.advance(1);
    expect(await client.of('hook')).toMatchObject({ name: 'Hook 2' });
  });

  it('are read again as soon as another version of it is published, also while an answer is pending', async () => {
    const { answer, asked, client, integrations } = setUp();
    await client.of('hook');
    integrations.put('hook', STATE);
    expect(await client.of('hook')).toMatchObject({ name: 'Hook 2' });
    integrations.put('hook', STATE);
    const { promise, resolve } = Promise.withResolvers<InternalReply>();
    const at = answer.now;
    answer.now = () => promise;
    const old = client.of('hook');
    integrations.put('hook', { ...STATE, enabled: false });
    answer.now = at;
    resolve({ status: 200, body: { data: webhookSettings({ name: 'old' }) } });
    expect(await old).toMatchObject({ name: 'old' });
    expect(await client.of('hook')).toMatchObject({ name: 'Hook 4' });
    expect(asked).toHaveLength(4);
  });

  it('are kept for no longer than half a minute, whether they are read again or not', async () => {
    const { clock, client } = setUp();
    for (let number = 0; number < 100; number += 1) {
      await client.of(`hook ${number}`);
      clock.advance(1_000);
    }
    expect(client.size).toBe(30);
  });

  it('are unknown where their owner does not know them', async () => {
    const { answer, client } = setUp();
    answer.now = () => Promise.resolve({ status: 200, body: { data: null } });
    expect(await client.of('hook')).toBeUndefined();
  });

  it.each<[string, () => Promise<InternalReply>]>([
    ['does not answer', () => Promise.reject(new UnavailableError('unavailable'))],
    ['answers something else', () => Promise.resolve({ status: 200, body: { data: { id: 'hook' } } })],
    ['refuses', () => Promise.resolve({ status: 403, body: {} })],
    ['does not know the path', () => Promise.resolve({ status: 404, body: {} })],
  ])('cannot be said while its owner %s, and is asked again', async (_, now) => {
    const { answer, asked, client } = setUp();
    answer.now = now;
    await expect(client.of('hook')).rejects.toThrow(UnavailableError);
    await expect(client.of('hook')).rejects.toThrow(UnavailableError);
    expect(asked).toHaveLength(2);
  });
});
