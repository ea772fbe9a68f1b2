import { createHmac } from 'node:crypto';
import { afterAll, afterEach, describe, expect, it, jest } from '@jest/globals';
import { ManualClock } from '@tocsin/core';
import type { WebhookSettings } from '@tocsin/events';
import { OutgoingCaller } from '@tocsin/http';
import { eventually, startMessageGateway } from '@tocsin/testkit';
import { AT, NOW, webhookCommand, webhookSettings } from '../testing/webhook-samples.ts';
import { planWebhooks } from './webhook-delivery.ts';
import { ReceiverClient } from './receiver-client.ts';

const receiver = await startMessageGateway();
afterAll(() => receiver.stop());
afterEach(() => {
  receiver.always(undefined);
});

const outgoing = new OutgoingCaller({ allowedRanges: ['127.0.0.1'], timeoutMs: 60_000 });
const caller = new ReceiverClient(outgoing, new ManualClock(NOW));
const delivery = (fields: Parameters<typeof webhookCommand>[0] = {}) => {
  const [one] = planWebhooks([webhookCommand(fields)], NOW).deliveries;
  if (one === undefined) throw new Error('there is no delivery');
  return one;
};
const settings = (fields: Partial<WebhookSettings> = {}) =>
  webhookSettings({ url: `${receiver.url}/hook?x=1`, ...fields });

async function bodyOf(
  fields: Parameters<typeof webhookCommand>[0] = {},
  by: Partial<WebhookSettings> = {},
): Promise<unknown> {
  await caller.call(delivery(fields), settings(by));
  return JSON.parse(receiver.requests.at(-1)?.body ?? '');
}

describe('a receiver', () => {
  it('gets a POST with the event, in the form that receivers of the original product read', async () => {
    const responders = [
      { type: 'team' as const, id: 't1', name: 'Ops' },
      { type: 'user' as const, id: 'u1' },
    ];
    expect(await bodyOf({ actor: 'ada@example.com', note: 'first', alert: { responders } })).toEqual({
      action: 'Create',
      source: { name: 'Default API', type: 'API' },
      integrationId: 'hook',
      integrationName: 'Hook',
      integrationType: 'Webhook',
      alert: {
        alertId: 'a1',
        tinyId: '7',
        alias: 'disk',
        message: 'Disk full',
        source: '10.0.0.1',
        entity: 'db1',
        priority: 'P3',
        tags: ['db'],
        actions: [],
        username: 'ada@example.com',
        createdAt: Date.parse(AT),
        updatedAt: Date.parse(AT) * 1_000_000,
        teams: ['Ops'],
        recipients: ['u1'],
        responders,
        note: 'first',
      },
    });
    expect(receiver.requests.at(-1)).toMatchObject({
      method: 'POST',
      path: '/hook',
      headers: { 'content-type': 'application/json' },
    });
  });

  it('receives details and description by the flags alone', async () => {
    expect(await bodyOf()).not.toMatchObject({ alert: { details: expect.anything() as unknown } });
    expect(await bodyOf({}, { addAlertDetails: true, addAlertDescription: true })).toMatchObject({
      alert: { details: { rack: 'b2' }, description: 'No space left' },
    });
    expect(await bodyOf({}, { addAlertDetails: true })).not.toMatchObject({ alert: { description: 'No space left' } });
  });

  const team = { type: 'team', id: 't1', name: 'Ops' } as const;
  it.each([
    [
      { action: 'AddTags', tags: ['a', 'b'] },
      { action: 'AddTags', alert: { addedTags: 'a,b' } },
    ],
    [{ action: 'RemoveTags', tags: ['a'] }, { alert: { removedTags: 'a' } }],
    [{ action: 'AddTeam', responder: team }, { alert: { team: 'Ops' } }],
    [
      { action: 'AddRecipient', responder: { type: 'user', id: 'u1', name: 'ada@example.com' } },
      { alert: { recipient: 'ada@example.com' } },
    ],
    [
      { action: 'EscalateToNext', responder: { type: 'escalation', id: 'e1', name: 'Nights' } },
      { action: 'EscalateToNext', escalationId: 'e1', escalationName: 'Nights' },
    ],
    [{ action: 'CustomAction', customAction: 'Restart' }, { action: 'Restart' }],
    [{ action: 'Snooze', snoozedUntil: AT }, { alert: { snoozedUntil: Date.parse(AT) } }],
    [{ action: 'TakeOwnership', alert: { owner: 'ada@example.com' } }, { alert: { owner: 'ada@example.com' } }],
  ] as const)('receives what is of %j alone', async (fields, expected) => {
    expect(await bodyOf(fields as Parameters<typeof webhookCommand>[0])).toMatchObject(expected);
  });

  it('can verify each of the signatures, and knows a delivery by its id', async () => {
    await caller.call(delivery(), settings({ signingSecrets: ['new', 'old'] }));
    const { body = '', headers = {} } = receiver.requests.at(-1) ?? {};
    const at = NOW.getTime() / 1_000;
    const by = (secret: string) => createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
    expect(headers['x-tocsin-signature']).toBe(`t=${at},v1=${by('new')},v1=${by('old')}`);
    expect(headers['x-tocsin-delivery']).toBe('a1/1:Create:hook');
    await caller.call(delivery(), settings({ signingSecrets: [] }));
    expect(receiver.requests.at(-1)?.headers).not.toHaveProperty('x-tocsin-signature');
  });

  it('has the headers of its integration, except those of the connection and those that Tocsin sets', async () => {
    const headers: [string, string][] = [
      ['X-Token', 'abc'],
      ['Content-Type', 'application/json; charset=utf-8'],
      ['Content-Length', '3'],
      ['Connection', 'close'],
      ['Host', 'evil'],
      ['X-Tocsin-Signature', 'forged'],
    ];
    expect(await caller.call(delivery(), settings({ headers }))).toEqual({
      kind: 'accepted',
      response: 'it answered 200',
    });
    const seen = receiver.requests.at(-1)?.headers ?? {};
    expect(seen).toMatchObject({ 'x-token': 'abc', 'content-type': 'application/json; charset=utf-8' });
    expect(seen['x-tocsin-signature']).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/);
    expect(seen.host).toBe(new URL(receiver.url).host);
  });
});

describe('the answer of a receiver', () => {
  it.each([
    [204, 'accepted'],
    [301, 'permanent'],
    [404, 'permanent'],
    [408, 'temporary'],
    [429, 'temporary'],
    [503, 'temporary'],
  ])('by %i is %s', async (status, kind) => {
    receiver.always({ refuse: status });
    expect((await caller.call(delivery(), settings())).kind).toBe(kind);
  });

  it('is logged without the secrets with which it was called', async () => {
    receiver.always({
      refuse: 400,
      body: 'bad key Bearer hidden-token for https://x/?key=0123456789&sig=ab%2Bcd%3D%3D',
    });
    const url = `${receiver.url}/services/T0000000000000000/hook?key=0123456789&sig=ab%2Bcd%3D%3D`;
    const result = await caller.call(
      delivery(),
      settings({ url, headers: [['Authorization', 'Bearer hidden-token']] }),
    );
    expect(result).toEqual({
      kind: 'permanent',
      reason: 'it answered 400: bad key [secret] for https://x/?key=[secret]&sig=[secret]',
    });
  });

  it('is none where it does not respond, or is at a forbidden address, which is not called', async () => {
    receiver.always({ hang: 'before' });
    const timeout = new AbortController();
    jest.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(timeout.signal);
    const before = receiver.requests.length + 1;
    const hanging = caller.call(delivery(), settings());
    await eventually(() => {
      expect(receiver.requests).toHaveLength(before);
    });
    timeout.abort();
    expect((await hanging).kind).toBe('unknown');
    const guarded = new ReceiverClient(new OutgoingCaller(), new ManualClock(NOW));
    const result = await guarded.call(delivery(), settings());
    expect(result).toMatchObject({
      kind: 'permanent',
      reason: 'it may not be called: its host has a loopback address',
    });
    expect(receiver.requests).toHaveLength(before);
  });
});
