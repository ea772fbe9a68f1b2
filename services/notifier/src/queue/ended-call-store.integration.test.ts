import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { SendResult } from '../messages/attempts.ts';
import { OK, openWebhookFixture, type WebhookFixture } from '../testing/webhook-fixture.ts';
import { NOW, webhookCommand, webhookSettings } from '../testing/webhook-samples.ts';
import { EndedCalls } from './ended-call-store.ts';

const REFUSED: SendResult = { kind: 'permanent', reason: 'it answered 404' };

let fixture: WebhookFixture;
let version = 0;

beforeEach(async () => {
  fixture = await openWebhookFixture();
});

afterEach(async () => {
  await fixture.close();
});

/** Ends a call of the integration, a minute after what was before. */
async function called(result: SendResult, integrationIds = ['hook']): Promise<void> {
  version += 1;
  fixture.clock.advance(60_000);
  fixture.receiver.answer = () => result;
  await fixture.settle(webhookCommand({ version, action: 'AddNote', integrationIds }));
  await fixture.fireDue();
}

const lastFailed = (since = NOW) => new EndedCalls(fixture.connection).lastFailed('hook', since);

describe('the last failed call of an integration', () => {
  it('is there until one is accepted', async () => {
    await called(OK);
    expect(await lastFailed()).toBeUndefined();
    await called({ kind: 'permanent', reason: 'it answered 403' });
    await called(REFUSED);
    expect(await lastFailed()).toEqual({ at: fixture.clock.now(), reason: expect.stringContaining('404') });
    expect(await lastFailed(new Date(fixture.clock.now().getTime() + 1))).toBeUndefined();
    await called(OK);
    expect(await lastFailed()).toBeUndefined();
  });

  it('is of that integration, and stays while calls are dropped', async () => {
    fixture.settings.set('other', webhookSettings({ id: 'other' }));
    await called(REFUSED, ['other']);
    expect(await lastFailed()).toBeUndefined();
    await called(REFUSED);
    await called(OK, ['other']);
    fixture.settings.set('hook', webhookSettings({ isOn: false }));
    await called(OK);
    expect(await lastFailed()).toMatchObject({ reason: expect.stringContaining('404') });
  });
});
