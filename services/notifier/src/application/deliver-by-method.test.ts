import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tocsin/clock';
import type { ContactMethod, Page } from '@tocsin/contracts';
import type { Delivery, SendResult } from '../domain/delivery.ts';
import type { Channel } from '../ports/channel.ts';
import { MemoryNotificationStore } from '../testing/memory-notification-store.ts';
import { deliveryOf, page } from '../testing/page-samples.ts';
import { batch, NO_SLOTS } from '../testing/stores-under-test.ts';
import { Deliver } from './deliver.ts';

const WINDOW = 8;
/** Kept for each of two methods, where the other would take all. */
const KEPT = 2;
const OK: SendResult = { kind: 'accepted', response: 'ok' };

/** A provider of text messages that never answers, and one of mails that does. */
function setUp() {
  const store = new MemoryNotificationStore();
  const begun: ContactMethod[] = [];
  const channel = (result: Promise<SendResult>): Channel => ({
    providers: ['one'],
    send: ({ method }: Delivery) => {
      begun.push(method);
      return result.then((answer) => ({ provider: 'one', result: answer }));
    },
  });
  const deliver = new Deliver({
    store,
    clock: new ManualClock(new Date('2026-01-01T01:00:00Z')),
    random: () => 0,
    window: WINDOW,
    channels: new Map([
      ['email', channel(Promise.resolve(OK))],
      ['sms', channel(new Promise(() => undefined))],
    ]),
    onHandedOver: () => undefined,
    onRefused: () => undefined,
    onNotice: () => undefined,
    onTrouble: () => undefined,
    pause: () => Promise.resolve(),
    users: { get: () => undefined },
  });
  const add = async (method: ContactMethod, count: number): Promise<void> => {
    const pages = Array.from({ length: count }, (_, n) => page({ pageId: `${method} ${n}`, userId: `${method} ${n}` }));
    const expand = (of: Page) => {
      const decision = { decisionId: of.pageId, alertId: 'a1', stage: 'page', at: of.pagedAt, verdicts: [] } as const;
      return { deliveries: [deliveryOf(of, { method })], next: undefined, decision: { ...decision, verdicts: [] } };
    };
    await store.settlePages([batch('pages.v1', pages)], expand, NO_SLOTS);
  };
  const count = (method: ContactMethod): number => begun.filter((each) => each === method).length;
  return { add, count, deliver, store };
}

describe('text messages whose provider is silent', () => {
  it('leave places in the window to mails, of which every one is handed over', async () => {
    const { add, count, deliver } = setUp();
    await add('sms', 50);
    await deliver.take();
    expect(count('sms')).toBe(WINDOW - KEPT);
    await add('email', 40);
    for (let looks = 0; looks < 200 && count('email') < 40; looks += 1) {
      await deliver.take();
      await new Promise(setImmediate);
    }
    expect([count('email'), count('sms')]).toEqual([40, WINDOW - KEPT]);
  });

  it('wait, and are not looked at again and again', async () => {
    const { add, deliver } = setUp();
    await add('sms', 50);
    await deliver.take();
    expect(await deliver.take()).toBe(false);
  });
});

/** A replica with channels for `methods`, of which each takes every message. */
function replica(store: MemoryNotificationStore, clock: ManualClock, methods: readonly ContactMethod[]) {
  const told: string[] = [];
  const send = ({ deliveryId }: Delivery) => {
    told.push(deliveryId);
    return Promise.resolve({ provider: 'one', result: OK });
  };
  const deliver = new Deliver({
    store,
    clock,
    random: () => 0,
    window: WINDOW,
    channels: new Map(methods.map((method) => [method, { providers: ['one'], send }])),
    onHandedOver: () => undefined,
    onRefused: () => undefined,
    onNotice: () => undefined,
    onTrouble: () => undefined,
    pause: () => Promise.resolve(),
    users: { get: () => undefined },
  });
  return { deliver, told };
}

describe('a text message that comes to a replica without a channel for it', () => {
  const setUpAt = async (methods: readonly ContactMethod[]) => {
    const clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
    const store = new MemoryNotificationStore();
    const expand = (of: Page) => {
      const decision = { decisionId: of.pageId, alertId: 'a1', stage: 'page', at: of.pagedAt, verdicts: [] } as const;
      return {
        deliveries: [deliveryOf(of, { method: 'sms', dueAt: clock.now() })],
        next: undefined,
        decision: { ...decision, verdicts: [] },
      };
    };
    await store.settlePages([batch('pages.v1', [page()])], expand, NO_SLOTS);
    const look = async ({ deliver }: ReturnType<typeof replica>) => {
      await deliver.take();
      await deliver.settled();
    };
    return { clock, store, without: replica(store, clock, ['email']), having: replica(store, clock, methods), look };
  };
  const only = (store: MemoryNotificationStore) => [...store.deliveries.values()][0];

  it('is handed over by one that has it', async () => {
    const { clock, having, look, store, without } = await setUpAt(['email', 'sms']);
    await look(without);
    expect(only(store)).toMatchObject({ state: 'waiting', reason: 'there is no channel for sms' });
    clock.advance(60_000);
    await look(having);
    expect(having.told).toHaveLength(1);
    expect(only(store)).toMatchObject({ state: 'sent' });
  });

  it('fails after 15 minutes where none has it', async () => {
    const { clock, look, store, without } = await setUpAt(['email']);
    for (let minutes = 0; minutes < 16; minutes += 1) {
      await look(without);
      clock.advance(60_000);
    }
    expect(only(store)).toMatchObject({
      state: 'failed',
      reason: 'there is no channel for sms (given up after 15 minutes)',
    });
  });
});
