import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { SendResult } from '../messages/attempts.ts';
import { afterCall } from '../webhooks/webhook-delivery.ts';
import { isWebhook } from '../messages/delivery.ts';
import type { MessageResult, BegunMessage } from './message-result.ts';
import { OK, openWebhookFixture, type WebhookFixture } from '../testing/webhook-fixture.ts';
import { NOW, webhookCommand } from '../testing/webhook-samples.ts';
import { RetainedRows } from '../messages/store.ts';

const BUSY: SendResult = { kind: 'temporary', reason: 'it answered 503' };

let fixture: WebhookFixture;

beforeEach(async () => {
  fixture = await openWebhookFixture();
});

afterEach(async () => {
  await fixture.close();
});

const later = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1_000);
const first = webhookCommand();
const second = webhookCommand({ action: 'Close', version: 2 });
const other = webhookCommand({ alertId: 'a2' });

/** Begins the calls that are due at `at`, and releases queues without one. */
async function begin(at = NOW): Promise<readonly BegunMessage[]> {
  const { claim, clock, sender, store } = fixture;
  clock.advance(at.getTime() - clock.now().getTime());
  return (await store.begin(await claim(at), at, sender.check)).begun;
}

/** All that is begun, in one queue after the other, each call with `result`. */
async function callAll(result: SendResult, at = NOW): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let begun = await begin(at); begun.length > 0; begun = await begin(at)) {
    ids.push(...idsOf(begun));
    await fixture.store.recordResults(
      begun.map((each) => concluded(each, result, at)),
      at,
    );
  }
  return ids.toSorted();
}

const idsOf = (begun: readonly BegunMessage[]): readonly string[] =>
  begun.map(({ delivery }) => delivery.deliveryId).toSorted();

function concluded({ delivery, queue }: BegunMessage, result: SendResult, at = NOW): MessageResult {
  if (!isWebhook(delivery)) throw new Error('it is no call');
  return { queue, ...afterCall(delivery, result, at, 0) };
}

describe('calls about one alert', () => {
  it('are under way one at a time, those about others beside them', async () => {
    await fixture.settle(first, second, webhookCommand({ alertId: 'a2', integrationIds: ['hook', 'x'] }));
    const begun = await begin();
    expect(idsOf(begun)).toEqual(['a1/1:Create:hook', 'a2/1:Create:hook', 'a2/1:Create:x']);
    expect(await fixture.claim()).toEqual([]);
  });

  it('wait while one before them is tried later, and no other call does', async () => {
    await fixture.settle(first, second, other);
    const begun = await begin();
    await fixture.store.recordResults(
      begun.map((each) => concluded(each, each.delivery.deliveryId.startsWith('a1') ? BUSY : OK)),
      NOW,
    );
    expect(await begin()).toEqual([]);
    await fixture.settle(webhookCommand({ action: 'Close', alertId: 'a2', version: 2 }));
    expect(await callAll(OK)).toEqual(['a2/2:Close:hook']);
    expect(idsOf(await begin(later(1)))).toEqual(['a1/1:Create:hook']);
  });

  it('wait for the one before them however many alerts do, and no other alert waits', async () => {
    const many = Array.from({ length: 200 }, (_, number) => webhookCommand({ alertId: `a${number}` }));
    await fixture.settle(...many);
    await callAll(BUSY);
    const behind = many.map(({ alertId }) => webhookCommand({ alertId, action: 'Close', version: 2 }));
    await fixture.settle(...behind, webhookCommand({ alertId: 'free' }));
    expect(await callAll(OK)).toEqual(['free/1:Create:hook']);
    const atLast = await callAll(OK, later(60));
    expect(atLast).toHaveLength(2 * many.length);
  });

  it('go on, whichever is written first: the end of the one before, or the next', async () => {
    for (let version = 1; version <= 30; version += 1) {
      const at = later(version);
      if (version === 1) await fixture.settle(webhookCommand({ version, action: 'AddNote' }));
      const [begun, ...more] = await begin(at);
      expect([begun?.delivery.deliveryId, more]).toEqual([`a1/${version}:AddNote:hook`, []]);
      if (begun === undefined) throw new Error('nothing is due');
      await Promise.all([
        fixture.store.recordResults([concluded(begun, OK, at)], at),
        fixture.settle(webhookCommand({ version: version + 1, action: 'AddNote' })),
      ]);
    }
  });
});

describe('a command for webhooks', () => {
  it('is recognised when it is repeated, in one batch or in another, also after the call of its webhook', async () => {
    await fixture.settle(first, first);
    await fixture.settle(first);
    expect(await callAll(OK)).toEqual(['a1/1:Create:hook']);
    await fixture.settle(first);
    expect(await fixture.claim(later(60))).toEqual([]);
  });

  it('of a deletion erases all texts of the alert, also of calls that ended or are under way (A6)', async () => {
    const { decisions, rows, settle, store } = fixture;
    const secret = { alert: { message: 'Secret' } };
    await settle(webhookCommand({ ...secret, alertId: 'ended' }), webhookCommand({ ...secret, alertId: 'cut' }));
    await callAll(OK);
    await settle(webhookCommand(secret), webhookCommand({ ...secret, action: 'Close', version: 2 }));
    const [begun] = await begin();
    if (begun === undefined) throw new Error('nothing is due');
    await settle(webhookCommand({ ...secret, action: 'Delete', version: 3 }));
    const { recorded: written } = await store.recordResults([concluded(begun, BUSY)], NOW);
    expect(written).toEqual([]);
    await store.release([begun.queue]);
    expect(await callAll(OK)).toEqual(['a1/3:Delete:hook']);
    expect(JSON.stringify(await rows.find({}).toArray())).not.toContain('Secret');
    expect(await decisions()).toEqual([]);
    await settle(webhookCommand(secret), webhookCommand({ ...secret, action: 'Close', version: 2 }));
    expect(await fixture.claim(later(60))).toEqual([]);
  });
});

it('a queue whose receiver is not called for a while is not claimed earlier for a new call', async () => {
  const { claim, clock, sender, settle, store } = fixture;
  await settle(first);
  const queues = await claim();
  const held = new Map(queues.map(({ id }) => [id, later(10)]));
  expect(await store.begin(queues, clock.now(), sender.check, held)).toEqual({ begun: [], ended: [] });
  await settle(second);
  expect(await claim(later(9))).toEqual([]);
  expect(idsOf(await begin(later(10)))).toEqual(['a1/1:Create:hook']);
});

it('only the result of the process that holds the call counts', async () => {
  await fixture.settle(first);
  const [one] = await begin();
  await fixture.expire();
  const [two] = await begin();
  if (one === undefined || two === undefined) throw new Error('nothing is due');
  expect((await fixture.store.recordResults([concluded(one, BUSY)], NOW)).recorded).toEqual([]);
  expect((await fixture.store.recordResults([concluded(two, OK)], NOW)).recorded).toHaveLength(1);
});

it('calls that ended long ago are removed as messages to users are, and none that waits', async () => {
  const { connection, rows, settle, store } = fixture;
  await settle(first, other);
  const begun = await begin();
  await store.recordResults(
    begun.map((each) => concluded(each, each.delivery.deliveryId.startsWith('a1') ? OK : BUSY)),
    NOW,
  );
  const retained = new RetainedRows(connection);
  await retained.remove('deliveries', later(-1));
  expect(await rows.countDocuments()).toBe(2);
  await retained.remove('deliveries', NOW);
  expect((await rows.find({}).toArray()).map(({ _id }) => String(_id))).toEqual(['a2/1:Create:hook']);
});
