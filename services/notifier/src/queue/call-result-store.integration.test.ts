import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { SendResult } from '../messages/attempts.ts';
import { OK, openWebhookFixture, type WebhookFixture } from '../testing/webhook-fixture.ts';
import { NOW, webhookCommand, webhookSettings } from '../testing/webhook-samples.ts';
import { CallResults } from './call-result-store.ts';

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

const lastFailed = (since = NOW) => new CallResults(fixture.connection).lastFailed('hook', since, fixture.clock.now());
const failedDeletions = (since = NOW) => new CallResults(fixture.connection).failedDeletions('hook', since);

/** Makes the integration a channel of chat. */
function makeChat(): void {
  const chat = { provider: 'slack', channel: 'C0ALERTS', token: 'xoxb', thread: 'all' } as const;
  fixture.settings.set('hook', webhookSettings({ type: 'Slack', chat }));
}

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

  it('is also the event that a channel of chat does not take for 15 minutes, although it is tried on', async () => {
    makeChat();
    await called({ kind: 'temporary', reason: 'it answered 503' });
    const at = fixture.clock.now();
    fixture.clock.advance(14 * 60_000);
    await fixture.fireDue();
    expect(await lastFailed()).toBeUndefined();
    fixture.clock.advance(60_000);
    expect(await lastFailed()).toEqual({ at, reason: 'it answered 503' });
    await called(OK);
    expect(await lastFailed()).toBeUndefined();
  });
});

describe('the deletions that a channel did not take', () => {
  it('are counted, also after posts that it took', async () => {
    makeChat();
    expect(await failedDeletions()).toBeUndefined();
    fixture.receiver.answer = () => REFUSED;
    await fixture.settle(...['a', 'b'].map((alertId) => webhookCommand({ alertId, action: 'Delete', version: 9 })));
    await fixture.fireDue();
    const at = fixture.clock.now();
    await called(OK);
    expect(await failedDeletions()).toEqual({ at, count: 2, reason: 'it answered 404' });
    expect(await failedDeletions(new Date(at.getTime() + 1))).toBeUndefined();
  });
});
