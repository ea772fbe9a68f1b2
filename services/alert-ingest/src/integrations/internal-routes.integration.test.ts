import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { WebhookSettings } from '@tocsin/events';
import { UnavailableError } from '@tocsin/core';
import { webhookSecretOf } from '@tocsin/http';
import { ACCOUNT, openService } from '../testing/app-fixture.ts';
import { integrationOf } from '../testing/integration-samples.ts';

const GATEWAY = { service: 'gateway' } as const;
const DIRECTORY = { service: 'directory' } as const;

describe('GET /internal/states/integrations.v1', () => {
  it.each(['id=a', 'keyHash=hash-a', 'keyHash=old-a'])(
    'gives the state of the one with %s, without its key',
    async (query) => {
      const { call, store } = await openService();
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
          allowReadAccess: true,
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
    const { call } = await openService();
    expect((await call('get', `/internal/states/integrations.v1?${query}`, undefined, GATEWAY)).status).toBe(404);
  });

  it('gives those that exist of many', async () => {
    const { call, store } = await openService();
    for (const id of ['a', 'b']) await store.insert(integrationOf(id));
    const states = async (index: string, values: readonly string[]) =>
      (await call('post', '/internal/states/integrations.v1', { index, values }, GATEWAY)).body;
    expect(await states('keyHash', ['old-b', 'none', 'hash-a'])).toMatchObject({ data: [{ id: 'b' }, { id: 'a' }] });
    expect(await states('name', ['Probe'])).toMatchObject({ data: [] });
  });

  it('answers no key of a caller from outside (K6)', async () => {
    const { call } = await openService();
    expect((await call('get', '/internal/states/integrations.v1?id=a', undefined, ACCOUNT)).status).toBe(403);
  });
});

describe('what the topic says of a webhook', () => {
  it('names the actions that it receives, and neither its URL nor its headers', async () => {
    const { call, store } = await openService();
    await store.insert(integrationOf('a', { sendAlertActions: true }));
    const { body } = await call('get', '/internal/states/integrations.v1?id=a', undefined, GATEWAY);
    expect((body as { data: { state: { webhook: unknown } } }).data.state.webhook).toEqual({
      alertActions: ['Create', 'Close'],
      alertFilter: integrationOf('a').alertFilter.set,
    });
    expect(JSON.stringify(body)).not.toMatch(/example\.com|X-A/);
  });

  it.each([
    ['sends no alert actions', {}],
    ['lists none', { sendAlertActions: true, alertActions: [] }],
    ['is of another type', { sendAlertActions: true, webhook: undefined }],
  ])('is nothing where it %s', async (_, changes) => {
    const { call, store } = await openService();
    await store.insert(integrationOf('a', changes));
    const { body } = await call('get', '/internal/states/integrations.v1?id=a', undefined, GATEWAY);
    expect((body as { data: { state: object } }).data.state).not.toHaveProperty('webhook');
  });
});

describe('GET /internal/webhooks/{integrationId}', () => {
  const NOTIFIER = { service: 'notifier' } as const;
  const ask = async (...made: Parameters<typeof integrationOf>[1][]) => {
    const service = await openService();
    for (const changes of made) await service.store.insert(integrationOf('a', changes));
    return service.call('get', '/internal/webhooks/a', undefined, NOTIFIER);
  };

  it('answers with the URL and the content of a webhook, with the secrets of the key and of those that still work', async () => {
    const retiringKeys = [
      { keyHash: 'dead', validUntil: new Date('2025-12-31T00:00:00Z'), signingSecret: 'dead' },
      { keyHash: 'old', validUntil: new Date('2026-01-01T01:00:00Z'), signingSecret: 'old' },
      { keyHash: 'older than this', validUntil: new Date('2026-01-01T01:00:00Z') },
    ];
    const key = { hash: 'hash-a', lastFour: 'abcd', signingSecret: 'new' };
    const { body, status } = await ask({ sendAlertActions: true, key, retiringKeys });
    expect(status).toBe(200);
    const { data } = body as { data: unknown };
    expect(WebhookSettings.parse(data)).toEqual({
      id: 'a',
      version: integrationOf('a').version,
      name: 'Integration a [🔔]',
      type: 'Prometheus',
      isOn: true,
      url: 'https://example.com/',
      headers: [['X-A', 'b']],
      addAlertDetails: true,
      addAlertDescription: false,
      signingSecrets: ['new', 'old'],
    });
  });

  it('answers with the channel and the secrets of a chat (P22)', async () => {
    const chat = {
      provider: 'slack',
      channel: 'C1',
      token: 'xoxb-1',
      thread: 'all',
      signingSecret: 's',
      appToken: 'xapp-1',
    } as const;
    const { body } = await ask({
      sendAlertActions: true,
      webhook: undefined,
      chat: { ...chat, url: 'https://slack.com/api', addAlertDescription: true, addAlertDetails: false },
    });
    const { data } = body as { data: unknown };
    expect(WebhookSettings.parse(data)).toMatchObject({
      isOn: true,
      url: 'https://slack.com/api',
      chat,
      addAlertDescription: true,
      addAlertDetails: false,
    });
  });

  it.each([
    { sendAlertActions: false },
    { sendAlertActions: true, enabled: false },
    { sendAlertActions: true, alertActions: [] },
  ])('says that one is off with %j', async (changes) => {
    expect((await ask(changes)).body).toMatchObject({ data: { isOn: false } });
  });

  it('says that there is none where one leads nowhere, and where there is no integration', async () => {
    expect(await ask({ webhook: undefined })).toMatchObject({ status: 200, body: { data: null } });
    expect(await ask()).toMatchObject({ status: 200, body: { data: null } });
  });

  it('is closed to keys', async () => {
    const { call, store } = await openService();
    await store.insert(integrationOf('a'));
    expect((await call('get', '/internal/webhooks/a', undefined, ACCOUNT)).status).toBe(403);
  });
});

describe('the key of a webhook', () => {
  it('signs with a secret that is made of it, and of the one before as long as that works', async () => {
    const { call, store } = await openService();
    const body = {
      type: 'Webhook',
      name: 'Hook',
      url: 'https://example.com/',
      sendAlertActions: true,
      alertActions: ['Create'],
    };
    const made = (await call('post', '/v2/integrations', body)).body as { data: { id: string; apiKey: string } };
    const { id, apiKey } = made.data;
    const first = webhookSecretOf(apiKey);
    expect(first).toBe(createHmac('sha256', apiKey).update('tocsin-webhook-v1').digest('hex'));
    const rotated = (await call('post', `/v2/integrations/${id}/rotate-key`)).body as { data: { apiKey: string } };
    const { body: settings } = await call('get', `/internal/webhooks/${id}`, undefined, { service: 'notifier' });
    expect(settings).toMatchObject({ data: { signingSecrets: [webhookSecretOf(rotated.data.apiKey), first] } });
    expect((await call('get', `/internal/states/integrations.v1?id=${id}`, undefined, GATEWAY)).body).not.toMatchObject(
      {
        data: { state: { key: expect.anything() as unknown } },
      },
    );
    const api = (await call('post', '/v2/integrations', { type: 'API', name: 'Api' })).body as { data: { id: string } };
    expect((await store.find(api.data.id))?.key).not.toHaveProperty('signingSecret');
  });
});

describe('DELETE /internal/teams/{teamId}/integrations', () => {
  const path = '/internal/teams/team-1/integrations';

  it('stops every key of the team and no other, and the same again changes nothing (S12)', async () => {
    const { announcer, call, store } = await openService();
    await store.insert(integrationOf('a'));
    await store.insert(integrationOf('b'));
    await store.insert(integrationOf('c', { ownerTeam: undefined }));
    for (let turn = 0; turn < 2; turn += 1) {
      const { status, body } = await call('delete', path, undefined, DIRECTORY);
      expect({ status, body }).toMatchObject({ status: 200, body: { data: { disabled: 2 } } });
    }
    const after = await store.readAll();
    expect(after.map(({ id, enabled, version, ownerTeam }) => [id, enabled, version.n, ownerTeam?.id])).toEqual([
      ['a', false, 2, 'team-1'],
      ['b', false, 2, 'team-1'],
      ['c', true, 1, undefined],
    ]);
    expect(announcer.insisted).toEqual(['a', 'b', 'a', 'b']);
  });

  it('answers 503 while the other services cannot be notified', async () => {
    const { announcer, call, store } = await openService();
    await store.insert(integrationOf('a'));
    announcer.refuseWith(new UnavailableError('Kafka is unavailable.'));
    expect((await call('delete', path, undefined, DIRECTORY)).status).toBe(503);
  });

  it('is closed to keys', async () => {
    const { call } = await openService();
    expect((await call('delete', path)).status).toBe(403);
  });
});
