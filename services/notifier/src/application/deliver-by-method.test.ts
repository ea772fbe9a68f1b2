import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tocsin/clock';
import type { ContactMethod, Page } from '@tocsin/contracts';
import { isBundle, type Outgoing } from '../domain/bundle.ts';
import type { SendResult } from '../domain/attempts.ts';
import type { PageDelivery } from '../domain/delivery.ts';
import type { Channel, HandedOver } from '../ports/channel.ts';
import type { Slots } from '../ports/delivery-store.ts';
import { MemoryNotificationStore } from '../testing/memory-notification-store.ts';
import { deliveryOf, page } from '../testing/page-samples.ts';
import { quietDeliver } from '../testing/quiet-deliver.ts';
import { batch, expanded, NO_SLOTS } from '../testing/stores-under-test.ts';

const WINDOW = 8;
/** Kept for each of two methods, where the other would take all. */
const KEPT = 2;
const OK: SendResult = { kind: 'accepted', response: 'ok' };

/** Each page comes to one message. */
async function addPages(
  store: MemoryNotificationStore,
  pages: readonly Page[],
  change: Partial<PageDelivery>,
  slots: Slots = NO_SLOTS,
): Promise<void> {
  await store.settlePages([batch('pages.v1', pages)], (of) => expanded(deliveryOf(of, change)), slots);
}

/** A provider of text messages that never answers, and one of mails that does. */
function setUp() {
  const store = new MemoryNotificationStore();
  const begun: ContactMethod[] = [];
  const channel = (result: Promise<SendResult>): Channel => ({
    providers: ['one'],
    send: ({ method }: Outgoing) => {
      begun.push(method);
      return result.then((answer) => ({ provider: 'one', result: answer }));
    },
  });
  const deliver = quietDeliver({
    store,
    clock: new ManualClock(new Date('2026-01-01T01:00:00Z')),
    window: WINDOW,
    channels: new Map([
      ['email', channel(Promise.resolve(OK))],
      ['sms', channel(new Promise(() => undefined))],
    ]),
  });
  const add = async (method: ContactMethod, count: number): Promise<void> => {
    const pages = Array.from({ length: count }, (_, n) => page({ pageId: `${method} ${n}`, userId: `${method} ${n}` }));
    await addPages(store, pages, { method });
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
  const send = ({ deliveryId }: Outgoing) => {
    told.push(deliveryId);
    return Promise.resolve({ provider: 'one', result: OK });
  };
  const deliver = quietDeliver({
    store,
    clock,
    window: WINDOW,
    channels: new Map(methods.map((method) => [method, { providers: ['one'], send }])),
  });
  return { deliver, told };
}

describe('a text message that comes to a replica without a channel for it', () => {
  const setUpAt = async (methods: readonly ContactMethod[]) => {
    const clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
    const store = new MemoryNotificationStore();
    await addPages(store, [page()], { method: 'sms', dueAt: clock.now() });
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

/** A process whose one channel is for text messages. */
const texting = (
  {
    clock = new ManualClock(new Date('2026-01-01T01:00:00Z')),
    store,
  }: { clock?: ManualClock; store: MemoryNotificationStore },
  channel: Omit<Channel, 'providers'>,
  onRefused: (result: string) => void = () => undefined,
) =>
  quietDeliver({
    store,
    clock,
    window: WINDOW,
    channels: new Map([['sms', { providers: ['one'], ...channel }]]),
    onRefused,
  });

const addTexts = (store: MemoryNotificationStore, pages: readonly Page[], dueAt?: Date, slots?: Slots): Promise<void> =>
  addPages(store, pages, { method: 'sms', ...(dueAt && { dueAt }) }, slots);

describe('a message that came to no provider for its rate', () => {
  /** So often the provider is at its rate; then it answers this, and takes the next. */
  const after = async (busy: number, answers: SendResult[]) => {
    const clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
    const store = new MemoryNotificationStore();
    const refused: string[] = [];
    let left = busy;
    const send = (): Promise<HandedOver> => {
      left -= 1;
      const atItsRate = { kind: 'temporary', reason: 'it is at its rate' } as const;
      return Promise.resolve(
        left < 0
          ? { provider: 'one', result: answers.shift() ?? OK }
          : { isOverRate: true, provider: undefined, result: atItsRate },
      );
    };
    const deliver = texting({ clock, store }, { send }, (kind) => refused.push(kind));
    await addTexts(store, [page()], clock.now());
    const looks = async (count: number): Promise<void> => {
      for (let look = 0; look < count; look += 1) {
        await deliver.take();
        await deliver.settled();
        clock.advance(500);
      }
    };
    const only = () => [...store.deliveries.values()][0];
    return { looks, only, refused, store };
  };

  it('waits half a second and counts as no try, however long that goes on', async () => {
    const { looks, only, refused, store } = await after(3_000, []);
    await looks(3_001);
    expect(only()).toMatchObject({ state: 'sent', interruptions: 0 });
    expect(store.decisions).toHaveLength(2);
    expect(store.decisions[1]).toMatchObject({ verdicts: [{ outcome: 'sent', facts: { attempts: 1 } }] });
    expect(refused).toEqual([]);
  });

  it('is tried again after the first refusal as soon as any other', async () => {
    const { looks, only, refused } = await after(40, [{ kind: 'temporary', reason: '429' }]);
    await looks(41);
    expect(only()).toMatchObject({ state: 'waiting', reason: '429' });
    expect(refused).toEqual(['temporary']);
    // A first pause is 1 s at least; one after forty tries would be 30 s.
    await looks(2);
    expect(only()).toMatchObject({ state: 'sent' });
  });
});

describe('pages whose bundle was refused for good', () => {
  it('are each tried by itself: what was wrong with one costs no other', async () => {
    const store = new MemoryNotificationStore(new Map([['sms', { most: 1, size: 5 }]]));
    const told: string[] = [];
    const refused: SendResult = { kind: 'permanent', reason: 'it has a word in it' };
    const send = (outgoing: Outgoing): Promise<HandedOver> => {
      const pages = isBundle(outgoing) ? outgoing.pages : [outgoing];
      const ids = pages.map(({ deliveryId }) => deliveryId);
      told.push(ids.join('+'));
      return Promise.resolve({ provider: 'one', result: ids.includes('p1') ? refused : OK });
    };
    const deliver = texting({ store }, { send });
    const pages = ['p0', 'p1', 'p2'].map((pageId) => page({ pageId }));
    await addTexts(store, pages);
    await deliver.take();
    await deliver.settled();
    expect(told).toEqual(['p0+p1+p2', 'p0', 'p1', 'p2']);
    const states = [...store.deliveries.values()].map(({ deliveryId, state }) => `${deliveryId} ${state}`);
    expect(states).toEqual(['p0 sent', 'p1 failed', 'p2 sent']);
  });
});

describe('a provider that takes so many messages a second', () => {
  it('is given as many as it takes; the others wait unbegun, and so do those of a turn that would go on', async () => {
    const store = new MemoryNotificationStore();
    const told: string[] = [];
    let places = 2;
    const send = ({ deliveryId }: Outgoing) => {
      told.push(deliveryId);
      places -= 1;
      return Promise.resolve({ provider: 'one', result: OK });
    };
    const deliver = texting({ store }, { places: () => places, send });
    const pages = ['ada', 'ada', 'eve', 'grace', 'alan'].map((userId, n) => page({ pageId: `p${n}`, userId }));
    await addTexts(store, pages);
    for (const [free, all] of [
      [0, 2],
      [0, 2],
      [1, 3],
      [5, 5],
    ] as const) {
      places += free;
      await deliver.take();
      await deliver.settled();
      expect(told).toHaveLength(all);
    }
    const states = [...store.deliveries.values()].map(({ attempts, state }) => `${state} ${attempts}`);
    expect(new Set(states)).toEqual(new Set(['sent 1']));
  });
});

describe('people who wait for the rate of a provider', () => {
  const setUpAtRate = () => {
    const clock = new ManualClock(new Date('2026-01-01T01:00:00Z'));
    const store = new MemoryNotificationStore();
    const told: string[] = [];
    const rate = { places: 1 };
    const answers: ((result: HandedOver) => void)[] = [];
    const send = ({ deliveryId }: Outgoing): Promise<HandedOver> => {
      told.push(deliveryId);
      rate.places -= 1;
      return new Promise((resolve) => answers.push(resolve));
    };
    const deliver = texting({ clock, store }, { places: () => rate.places, send });
    const answered = async (): Promise<void> => {
      for (const answer of answers.splice(0)) answer({ provider: 'one', result: OK });
      for (let turns = 0; turns < 10; turns += 1) await new Promise(setImmediate);
    };
    return { answered, clock, deliver, rate, store, told };
  };
  const pageOf = (pageId: string, userId = pageId) => page({ pageId, userId });

  it('are told before whoever comes after them, whatever comes in meanwhile (F2)', async () => {
    const { answered, clock, deliver, rate, store, told } = setUpAtRate();
    await addTexts(store, [pageOf('first'), pageOf('waits')]);
    await deliver.take();
    await answered();
    await deliver.take();
    for (let number = 0; number < 5; number += 1) {
      rate.places += 1;
      await deliver.withSlots([`new${number}`], (slots) =>
        addTexts(store, [pageOf(`new${number}`)], clock.now(), slots),
      );
      await deliver.take();
      await answered();
      clock.advance(1_000);
    }
    expect(told.slice(0, 2)).toEqual(['first', 'waits']);
  });

  it('are told before the next message of whoever was told last', async () => {
    const { answered, deliver, rate, store, told } = setUpAtRate();
    await addTexts(store, [pageOf('a1', 'ada'), pageOf('a2', 'ada'), pageOf('a3', 'ada')]);
    await deliver.take();
    await addTexts(store, [pageOf('waits')]);
    for (let number = 0; number < 2; number += 1) {
      await deliver.take();
      // The token comes back while the hand-over is under way, and its result before the next look.
      rate.places += 1;
      await answered();
    }
    await deliver.take();
    expect(told.slice(0, 2)).toEqual(['a1', 'waits']);
  });
});
