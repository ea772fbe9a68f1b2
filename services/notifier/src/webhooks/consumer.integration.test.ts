import { afterEach, describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import { eventually } from '@tocsin/testkit';
import type { SendResult } from '../messages/attempts.ts';
import type { WebhookDelivery } from '../messages/delivery.ts';
import { OK, openWebhookFixture, type WebhookFixture } from '../testing/webhook-fixture.ts';
import { webhookCommand, webhookSettings } from '../testing/webhook-samples.ts';

const BUSY: SendResult = { kind: 'temporary', reason: 'it answered 503' };
const GONE: SendResult = { kind: 'permanent', reason: 'it answered 410' };

const opened: WebhookFixture[] = [];

async function setUp(options: Parameters<typeof openWebhookFixture>[0] = {}): Promise<WebhookFixture> {
  const fixture = await openWebhookFixture(options);
  opened.push(fixture);
  return fixture;
}

afterEach(async () => {
  for (const fixture of opened.splice(0)) await fixture.close();
});

/** Receivers answer when the test says so. */
function hang(fixture: WebhookFixture, hangs: (delivery: WebhookDelivery) => boolean = () => true) {
  const pending: ((result: SendResult) => void)[] = [];
  fixture.receiver.answer = (delivery) =>
    hangs(delivery)
      ? new Promise((resolve) => {
          pending.push(resolve);
        })
      : OK;
  return {
    pending,
    release: () => {
      for (const resolve of pending.splice(0)) resolve(OK);
    },
  };
}

const created = webhookCommand();
const closed = webhookCommand({ action: 'Close', version: 2 });
const others = Array.from({ length: 20 }, (_, number) => webhookCommand({ alertId: `b${number}` }));

describe('an integration that selects actions', () => {
  it('is called once for each, however often its command is delivered, in the order of the actions, and the log says so', async () => {
    const { fireDue, said, settle, calledFor } = await setUp();
    await settle(created, closed, created);
    await settle(closed);
    await fireDue();
    expect(calledFor()).toEqual(['a1 Create', 'a1 Close']);
    expect(await said()).toEqual([
      'The webhook [Hook] accepted Create: it answered 200.',
      'The webhook [Hook] accepted Close: it answered 200.',
    ]);
  });

  it('is tried again with growing pauses after a refusal, and is called for other alerts meanwhile', async () => {
    const { calls, clock, fireDue, receiver, said, settle, calledFor } = await setUp();
    receiver.answer = ({ webhook }) => (webhook.alertId === 'a1' ? BUSY : OK);
    await settle(created, closed, ...others);
    await fireDue();
    expect(calledFor().toSorted()).toEqual(
      ['a1 Create', ...others.map(({ alertId }) => `${alertId} Create`)].toSorted(),
    );
    const before = calls.length;
    clock.advance(999);
    await fireDue();
    expect(calls).toHaveLength(before);
    clock.advance(1);
    await fireDue();
    receiver.answer = () => OK;
    clock.advance(2_000);
    await fireDue();
    expect(calledFor().slice(before)).toEqual(['a1 Create', 'a1 Create', 'a1 Close']);
    expect(new Set(calls.map(({ deliveryId }) => deliveryId)).size).toBe(2 + others.length);
    const texts = await said();
    expect(texts).toContain(
      'The webhook [Hook] has not accepted Create yet and is called again for up to 15 minutes: it answered 503.',
    );
    expect(texts).toHaveLength(3 + others.length);
  });

  it('is not called before the time that its receiver says, for any alert (U7)', async () => {
    const { calls, clock, fireDue, receiver, said, settle } = await setUp();
    receiver.answer = () => ({ kind: 'temporary', reason: 'it answered 429', retryAfterMs: 30 * 60_000 });
    await settle(created);
    await fireDue();
    receiver.answer = () => OK;
    await settle(closed, ...others);
    for (let minute = 0; minute < 30; minute += 1) {
      await fireDue();
      expect(calls).toHaveLength(1);
      clock.advance(60_000);
    }
    await fireDue();
    const texts = await said();
    expect(texts.filter((text) => text?.includes('accepted') === true && !text.includes('not'))).toHaveLength(
      2 + others.length,
    );
    expect(texts.filter((text) => text?.includes('did not') === true)).toEqual([]);
  });

  it('is given up after 15 minutes, and called for later actions', async () => {
    const { calls, clock, fireDue, receiver, said, settle } = await setUp();
    receiver.answer = () => BUSY;
    await settle(created, ...others);
    for (let minute = 0; minute < 16; minute += 1) {
      clock.advance(60_000);
      await fireDue();
    }
    const lost = (await said()).filter((text) => text?.includes('did not accept Create') === true);
    expect(lost).toHaveLength(1 + others.length);
    // A receiver that takes nothing is tried by one call at a time.
    expect(calls.length).toBeLessThan(60);
    receiver.answer = () => OK;
    await settle(closed);
    clock.advance(60_000);
    await fireDue();
    expect((await said()).at(-1)).toBe('The webhook [Hook] accepted Close: it answered 200.');
  });

  it('is given up after 15 minutes, however many processes call it in turn', async () => {
    const { clock, fireDue, receiver, said, settle } = await setUp({ processes: 20 });
    receiver.answer = () => BUSY;
    await settle(created);
    for (let seconds = 0; seconds < 16 * 60; seconds += 10) {
      clock.advance(10_000);
      await fireDue();
    }
    expect((await said()).at(-1)).toContain('The webhook [Hook] did not accept Create:');
  });

  it('is not tried again after a refusal for good', async () => {
    const { calls, clock, fireDue, receiver, said, settle } = await setUp();
    receiver.answer = () => GONE;
    await settle(created);
    await fireDue();
    clock.advance(20 * 60_000);
    await fireDue();
    expect(calls).toHaveLength(1);
    expect(await said()).toEqual(['The webhook [Hook] did not accept Create: it answered 410.']);
  });

  it('is tried again where it fell silent, whatever the priority of the alert', async () => {
    const { clock, fireDue, receiver, said, settle } = await setUp();
    receiver.answer = () => ({ kind: 'unknown', reason: 'it gave no answer' });
    await settle(created);
    await fireDue();
    receiver.answer = () => OK;
    clock.advance(2_000);
    await fireDue();
    expect((await said()).at(-1)).toBe('The webhook [Hook] accepted Create: it answered 200.');
  });

  it('is called for each action that waited through an outage of the notifier, also where it refuses some calls at first', async () => {
    const { clock, fireDue, receiver, said, settle, calledFor } = await setUp();
    await settle(created, ...others);
    clock.advance(60 * 60_000);
    let refusals = 8;
    receiver.answer = () => ((refusals -= 1) >= 0 ? BUSY : OK);
    await fireDue();
    expect(new Set(calledFor())).toEqual(new Set([created, ...others].map(({ alertId }) => `${alertId} Create`)));
    for (let minute = 0; minute < 5; minute += 1) {
      clock.advance(60_000);
      await fireDue();
    }
    const texts = (await said()).filter((text) => text === 'The webhook [Hook] accepted Create: it answered 200.');
    expect(texts).toHaveLength(21);
  });

  it('is not called for events that it is too slow for, so that its queue is bounded', async () => {
    const fixture = await setUp();
    const { clock, deliver, rows, said, settle } = fixture;
    const { pending, release } = hang(fixture);
    for (let minute = 0; minute < 40; minute += 1) {
      await settle(...others.map(({ alertId }) => webhookCommand({ alertId: `${alertId}/${minute}` })));
      await eventually(async () => {
        await deliver.beginDue();
        expect(pending.length).toBeGreaterThan(0);
      });
      clock.advance(60_000);
      release();
    }
    deliver.stop();
    await eventually(() => {
      release();
      expect([deliver.underWay, pending]).toEqual([[], []]);
    });
    expect((await said()).join()).toContain('it was not taken in 15 minutes.');
    expect(await rows.countDocuments({ 'webhook.alert': { $exists: true } })).toBeLessThanOrEqual(17 * others.length);
  });
});

describe('an integration that hangs', () => {
  it('delays no other', async () => {
    const fixture = await setUp({ maxUnderWay: 2 });
    const { deliver, settings, settle, calledFor } = fixture;
    const { release } = hang(fixture, ({ webhook }) => webhook.integrationId === 'slow');
    settings.set('slow', webhookSettings({ id: 'slow', name: 'Slow' }));
    await settle(webhookCommand({ integrationIds: ['slow'] }));
    await deliver.beginDue();
    for (const { alertId } of others) {
      await settle(webhookCommand({ alertId }));
      await deliver.beginDue();
      await eventually(() => {
        expect(deliver.underWay).toHaveLength(1);
      });
    }
    expect(calledFor().slice(1)).toEqual(others.map(({ alertId }) => `${alertId} Create`));
    release();
    await deliver.settled();
  });

  it('has 8 calls under way at most, however many wait for it', async () => {
    const fixture = await setUp();
    const { deliver, settle } = fixture;
    const { pending, release } = hang(fixture);
    await settle(...Array.from({ length: 200 }, (_, number) => webhookCommand({ alertId: `c${number}` })));
    await deliver.beginDue();
    await deliver.beginDue();
    expect(pending).toHaveLength(8);
    deliver.stop();
    release();
    await deliver.settled();
  });

  it('leaves slots for others, also with many receivers that are known not to respond', async () => {
    const fixture = await setUp({ maxUnderWay: 4 });
    const { clock, deliver, fireDue, receiver, settings, settle, calledFor } = fixture;
    const slow = Array.from({ length: 8 }, (_, number) => `slow${number}`);
    for (const id of slow) settings.set(id, webhookSettings({ id }));
    await settle(webhookCommand({ integrationIds: slow }));
    receiver.answer = () => BUSY;
    await fireDue();
    const { release } = hang(fixture, ({ webhook }) => webhook.integrationId !== 'hook');
    clock.advance(1_000);
    await settle(webhookCommand({ alertId: 'a2' }));
    await eventually(async () => {
      await deliver.beginDue();
      expect(calledFor()).toContain('a2 Create');
    });
    await eventually(() => {
      expect(deliver.underWay).toHaveLength(2);
    });
    expect(calledFor().slice(slow.length).toSorted()).toEqual(['a1 Create', 'a1 Create', 'a2 Create']);
    release();
    await deliver.settled();
    receiver.answer = () => OK;
    for (let times = 0; times < 8; times += 1) {
      clock.advance(1_000);
      await fireDue();
    }
    expect(calledFor()).toHaveLength(2 * slow.length + 1);
  });
});

describe('a waiting call of an integration', () => {
  it.each([
    ['it is disabled, or sends no alert actions', webhookSettings({ isOn: false })],
    ['it is deleted', undefined],
  ])('is dropped where %s, and the log says so', async (why, settings) => {
    const tested = await setUp();
    if (settings === undefined) tested.settings.delete('hook');
    else tested.settings.set('hook', settings);
    await tested.settle(created, closed);
    await tested.fireDue();
    expect(tested.calls).toEqual([]);
    const name = settings === undefined ? 'hook' : 'Hook';
    expect(await tested.said()).toEqual([
      `The webhook [${name}] did not accept Create: ${why}.`,
      `The webhook [${name}] did not accept Close: ${why}.`,
    ]);
  });

  it('waits while its settings cannot be read, however long that is', async () => {
    const { calls, clock, fireDue, settings, settle, said, calledFor, troubles } = await setUp();
    settings.set('hook', new UnavailableError('alert-ingest is unavailable'));
    await settle(created);
    for (let minute = 0; minute < 40; minute += 1) {
      await fireDue();
      clock.advance(60_000);
    }
    expect([calls.length, troubles.length]).toEqual([0, 40]);
    expect(await said()).toEqual([]);
    settings.set('hook', webhookSettings());
    await fireDue();
    expect(calledFor()).toEqual(['a1 Create']);
  });

  it('has only the deletion for a deleted alert, with no log entry', async () => {
    const { fireDue, said, settle, calledFor } = await setUp();
    await settle(created, closed);
    await settle(webhookCommand({ action: 'Delete', version: 3 }));
    await fireDue();
    expect(calledFor()).toEqual(['a1 Delete']);
    expect(await said()).toEqual([]);
  });

  it('is sent again under the same id after the death of the process that called', async () => {
    const { calls, claim, clock, expire, fireDue, said, sender, settle, store } = await setUp();
    await settle(created, closed);
    expect((await store.begin(await claim(), clock.now(), sender.check)).begun).toHaveLength(1);
    await expire();
    await fireDue();
    expect(calls.map(({ deliveryId }) => deliveryId)).toEqual(['a1/1:Create:hook', 'a1/2:Close:hook']);
    expect(await said()).toHaveLength(2);
  });
});

describe('a process that stops', () => {
  it('begins no further call, neither in turns that it has nor in those that it is claiming', async () => {
    const fixture = await setUp();
    const { claim, deliver, expire, settings, settle, calledFor } = fixture;
    const { pending, release } = hang(fixture);
    await settle(created, closed);
    await deliver.beginDue();
    expect(pending).toHaveLength(1);
    settings.set('other', webhookSettings({ id: 'other' }));
    await settle(webhookCommand({ integrationIds: ['other'] }));
    const taking = deliver.beginDue();
    deliver.stop();
    await taking;
    release();
    await deliver.settled();
    expect(calledFor()).toEqual(['a1 Create']);
    await expire();
    expect(await claim()).toHaveLength(2);
  });
});
