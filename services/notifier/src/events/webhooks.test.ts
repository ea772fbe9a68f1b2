import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tocsin/clock';
import type { WebhookCommand, WebhookSettings } from '@tocsin/contracts';
import { UnavailableError } from '@tocsin/errors';
import { CallWebhooks, type CallWebhooksPorts } from '../application/webhooks/call-webhooks.ts';
import type { SendResult } from '../domain/attempts.ts';
import type { WebhookDelivery } from '../domain/webhooks/webhook-delivery.ts';
import { MemoryWebhookStore } from '../testing/memory-webhook-store.ts';
import { NOW, webhookBatch, webhookCommand, webhookSettings } from '../testing/webhook-samples.ts';
import { webhookHandler } from './handlers.ts';

const OK: SendResult = { kind: 'accepted', response: 'it answered 200' };
const BUSY: SendResult = { kind: 'temporary', reason: 'it answered 503' };
const GONE: SendResult = { kind: 'permanent', reason: 'it answered 410' };

/** Everything between the topic and the receivers, in memory; receivers take everything unless told. */
function setUp({ processes = 1, window = 4 } = {}) {
  const clock = new ManualClock(NOW);
  const store = new MemoryWebhookStore();
  const settings = new Map<string, WebhookSettings | Error>([['hook', webhookSettings()]]);
  const calls: WebhookDelivery[] = [];
  const answers: SendResult[] = [];
  const hanging = new Map<string, Promise<SendResult>>();
  const results: string[] = [];
  const troubles: unknown[] = [];
  const burials = { bury: () => Promise.resolve({ outcome: 'done' } as const) };
  const handler = webhookHandler(store, { burials, clock });
  const ports: CallWebhooksPorts = {
    store,
    directory: {
      of: (id) => {
        const known = settings.get(id);
        return Error.isError(known) ? Promise.reject(known) : Promise.resolve(known);
      },
    },
    caller: {
      call: (delivery) => {
        calls.push(delivery);
        return hanging.get(delivery.integrationId) ?? Promise.resolve(answers.shift() ?? OK);
      },
    },
    clock,
    random: () => 0,
    onCalled: (result) => void results.push(result),
    onTrouble: (error) => void troubles.push(error),
    pause: () => Promise.resolve(),
    window,
  };
  const [webhooks = new CallWebhooks(ports), ...more] = Array.from(
    { length: processes },
    () => new CallWebhooks(ports),
  );
  let turns = 0;
  let offset = 0;
  return {
    answers,
    calls,
    clock,
    hanging,
    results,
    settings,
    store,
    troubles,
    webhooks,
    settle: async (...commands: WebhookCommand[]) => {
      await handler.settle(webhookBatch(commands, offset));
      offset += commands.length;
    },
    /** Hands over what is due, each time by the next process. */
    fireDue: async () => {
      for (let next = store.nextDueAt(); next !== undefined && next <= clock.now(); next = store.nextDueAt()) {
        const process = [webhooks, ...more][turns % processes] ?? webhooks;
        turns += 1;
        await process.take();
        await process.settled();
      }
    },
    said: () => store.decisions.map(({ verdicts }) => verdicts[0]?.text),
    told: () => calls.map(({ told }) => `${told.alertId} ${told.action}`),
  };
}

const created = webhookCommand();
const closed = webhookCommand({ action: 'Close', version: 2 });
const others = Array.from({ length: 20 }, (_, number) => webhookCommand({ alertId: `b${number}` }));

describe('an integration that wants to be told', () => {
  it('is told once however often its command comes, in the order of what happened, and the log says so', async () => {
    const { fireDue, said, settle, told } = setUp();
    await settle(created, closed, created);
    await settle(closed);
    await fireDue();
    expect(told()).toEqual(['a1 Create', 'a1 Close']);
    expect(said()).toEqual([
      'The webhook [Hook] was told of Create: it answered 200.',
      'The webhook [Hook] was told of Close: it answered 200.',
    ]);
  });

  it('is tried again with growing pauses after a refusal, and is told of other alerts meanwhile', async () => {
    const { answers, calls, clock, fireDue, said, settle, told } = setUp();
    answers.push(BUSY);
    await settle(created, closed, webhookCommand({ alertId: 'a2' }));
    await fireDue();
    expect(told()).toEqual(['a1 Create', 'a2 Create']);
    clock.advance(999);
    await fireDue();
    expect(calls).toHaveLength(2);
    clock.advance(1);
    answers.push(BUSY);
    await fireDue();
    clock.advance(2_000);
    await fireDue();
    expect(told()).toEqual(['a1 Create', 'a2 Create', 'a1 Create', 'a1 Create', 'a1 Close']);
    expect(new Set(calls.map(({ deliveryId }) => deliveryId)).size).toBe(3);
    expect(said()).toContain(
      'The webhook [Hook] did not take Create and is called again for up to 15 minutes: it answered 503.',
    );
    expect(said()).toHaveLength(4);
  });

  it('is given up after 15 minutes, and told of what comes after that', async () => {
    const { answers, calls, clock, fireDue, said, settle } = setUp();
    await settle(created, ...others);
    for (let minute = 0; minute < 16; minute += 1) {
      answers.splice(0, Infinity, ...Array.from({ length: 100 }, () => BUSY));
      clock.advance(60_000);
      await fireDue();
    }
    expect(said().filter((text) => text?.includes('was not told of Create') === true)).toHaveLength(1 + others.length);
    // A receiver that takes nothing is tried by one delivery at a time.
    expect(calls.length).toBeLessThan(60);
    answers.splice(0);
    await settle(closed);
    clock.advance(60_000);
    await fireDue();
    expect(said().at(-1)).toBe('The webhook [Hook] was told of Close: it answered 200.');
  });

  it('is given up after 15 minutes, however many processes call it in turn', async () => {
    const { answers, clock, fireDue, said, settle } = setUp({ processes: 20 });
    await settle(created);
    for (let seconds = 0; seconds < 16 * 60; seconds += 10) {
      answers.splice(0, Infinity, BUSY);
      clock.advance(10_000);
      await fireDue();
    }
    expect(said().at(-1)).toContain('The webhook [Hook] was not told of Create:');
  });

  it('is not tried again after a refusal for good', async () => {
    const { answers, calls, clock, fireDue, said, settle } = setUp();
    answers.push(GONE);
    await settle(created);
    await fireDue();
    clock.advance(20 * 60_000);
    await fireDue();
    expect(calls).toHaveLength(1);
    expect(said()).toEqual(['The webhook [Hook] was not told of Create: it answered 410.']);
  });

  it('is told of each action that waited through an outage of the notifier, also where it refuses some calls at first', async () => {
    const { answers, clock, fireDue, said, settle, told } = setUp();
    await settle(created, ...others);
    clock.advance(60 * 60_000);
    answers.push(...Array.from({ length: 8 }, () => BUSY));
    await fireDue();
    expect(told()).toEqual([created, ...others].map(({ alertId }) => `${alertId} Create`));
    for (let minute = 0; minute < 5; minute += 1) {
      clock.advance(60_000);
      await fireDue();
    }
    expect(said().filter((text) => text === 'The webhook [Hook] was told of Create: it answered 200.')).toHaveLength(
      21,
    );
  });

  it('is not told of what it is too slow for, so that what waits is bounded', async () => {
    const { calls, clock, hanging, said, settle, store, webhooks } = setUp();
    for (let minute = 0; minute < 40; minute += 1) {
      await settle(...others.map(({ alertId }) => webhookCommand({ alertId: `${alertId}/${minute}` })));
      const { promise, resolve } = Promise.withResolvers<SendResult>();
      hanging.set('hook', promise);
      const before = calls.length;
      while (calls.length === before) {
        await webhooks.take();
        await new Promise(setImmediate);
      }
      clock.advance(60_000);
      resolve(OK);
      await webhooks.settled();
    }
    expect(said().join()).toContain('it was not taken in 15 minutes.');
    const waiting = await store.waiting({ id: 'hook', token: '' }, clock.now(), 10_000);
    expect(waiting.length).toBeLessThanOrEqual(16 * others.length);
  });
});

describe('an integration that hangs', () => {
  it('holds up nobody but itself', async () => {
    const { hanging, settings, settle, told, webhooks } = setUp({ window: 2 });
    const { promise, resolve } = Promise.withResolvers<SendResult>();
    hanging.set('slow', promise);
    settings.set('slow', webhookSettings({ id: 'slow', name: 'Slow' }));
    await settle(webhookCommand({ integrationIds: ['slow'] }));
    await webhooks.take();
    for (const { alertId } of others) {
      await settle(webhookCommand({ alertId }));
      await webhooks.take();
      while (webhooks.underWay.some(({ id }) => id === 'hook')) await Promise.resolve();
    }
    expect(told().slice(1)).toEqual(others.map(({ alertId }) => `${alertId} Create`));
    expect(webhooks.underWay).toHaveLength(1);
    resolve(OK);
    await webhooks.settled();
  });

  it('leaves room for others with all that hang, once they are known to', async () => {
    const { answers, clock, fireDue, hanging, settings, settle, told, webhooks } = setUp({ window: 4 });
    const slow = Array.from({ length: 8 }, (_, number) => `slow${number}`);
    for (const id of slow) settings.set(id, webhookSettings({ id }));
    await settle(webhookCommand({ integrationIds: slow }));
    answers.push(...slow.map(() => BUSY));
    await fireDue();
    const { promise, resolve } = Promise.withResolvers<SendResult>();
    for (const id of slow) hanging.set(id, promise);
    clock.advance(1_000);
    await settle(webhookCommand({ alertId: 'a2' }));
    for (let times = 0; times < 8; times += 1) {
      await webhooks.take();
      await new Promise(setImmediate);
    }
    expect(webhooks.underWay).toHaveLength(2);
    expect(told().slice(slow.length)).toEqual(['a1 Create', 'a1 Create', 'a2 Create']);
    resolve(OK);
    await webhooks.settled();
    for (let times = 0; times < 8; times += 1) {
      clock.advance(1_000);
      await fireDue();
    }
    expect(told()).toHaveLength(2 * slow.length + 1);
  });
});

describe('what an integration was to be told', () => {
  it.each([
    ['it is disabled, or sends no alert actions', webhookSettings({ isOn: false })],
    ['it is deleted', undefined],
  ])('is dropped where %s, and the log says so', async (why, settings) => {
    const tested = setUp();
    if (settings === undefined) tested.settings.delete('hook');
    else tested.settings.set('hook', settings);
    await tested.settle(created, closed);
    await tested.fireDue();
    expect(tested.calls).toEqual([]);
    const name = settings === undefined ? 'hook' : 'Hook';
    expect(tested.said()).toEqual([
      `The webhook [${name}] was not told of Create: ${why}.`,
      `The webhook [${name}] was not told of Close: ${why}.`,
    ]);
  });

  it('waits while its settings cannot be asked', async () => {
    const { calls, clock, fireDue, settings, settle, told, troubles } = setUp();
    settings.set('hook', new UnavailableError('alert-ingest is away'));
    await settle(created);
    await fireDue();
    expect([calls.length, troubles.length]).toEqual([0, 1]);
    settings.set('hook', webhookSettings());
    clock.advance(1_000);
    await fireDue();
    expect(told()).toEqual(['a1 Create']);
  });

  it('is not told of a deleted alert but that it is, nothing of which is in a log', async () => {
    const { fireDue, said, settle, told } = setUp();
    await settle(created, closed);
    await settle(webhookCommand({ action: 'Delete', version: 3 }));
    await fireDue();
    expect(told()).toEqual(['a1 Delete']);
    expect(said()).toEqual([]);
  });

  it('comes again under the same id after the death of whoever told it', async () => {
    const { calls, fireDue, said, settle, store, webhooks } = setUp();
    await settle(created);
    const [turn] = await store.claim(NOW, 1);
    if (turn === undefined) throw new Error('no turn');
    await store.due(turn, NOW, 1);
    store.expire();
    await fireDue();
    await webhooks.settled();
    expect(calls.map(({ deliveryId }) => deliveryId)).toEqual(['a1/1:Create:hook']);
    expect(said()).toHaveLength(1);
  });
});

describe('a process that stops', () => {
  it('calls no receiver from then on, neither in turns that it has nor in those that it is claiming', async () => {
    const { calls, settings, settle, store, webhooks } = setUp();
    const asked = Promise.withResolvers<undefined>();
    const due = store.due.bind(store);
    store.due = async (...args) => {
      await asked.promise;
      return due(...args);
    };
    await settle(created);
    await webhooks.take();
    settings.set('other', webhookSettings({ id: 'other' }));
    await settle(webhookCommand({ integrationIds: ['other'] }));
    const taking = webhooks.take();
    webhooks.stop();
    asked.resolve(undefined);
    await taking;
    await webhooks.settled();
    expect(calls).toEqual([]);
    expect(await store.claim(NOW, 10)).toHaveLength(2);
  });
});
