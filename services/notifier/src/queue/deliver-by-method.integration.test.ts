import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tocsin/core';
import { eventually } from '@tocsin/testkit';
import type { ContactMethod, Page } from '@tocsin/events';
import { isBundle, type Outgoing } from '../messages/bundle.ts';
import type { SendResult } from '../messages/attempts.ts';
import type { PageDelivery } from '../messages/delivery.ts';
import type { Channel, HandedOver } from '../channels/channel.ts';
import type { Slots } from './message-result.ts';
import { useStores } from '../testing/mongo-fixture.ts';
import type { MongoStores } from '../testing/mongo-stores.ts';
import { deliveryOf, page } from '../testing/page-samples.ts';
import { quietDeliver } from '../testing/quiet-deliver.ts';
import { batch, expanded, NO_SLOTS } from '../testing/store-samples.ts';

const MAX_UNDER_WAY = 8;
/** Kept for each of two methods, where the other would take all. */
const KEPT = 2;
const OK: SendResult = { kind: 'accepted', response: 'ok' };

const open = useStores();

/** Where the next pages of a test are in their topic. */
let offset = 0;

/** Each page comes to one message. */
async function addPages(
  { settlePages }: MongoStores,
  pages: readonly Page[],
  change: Partial<PageDelivery>,
  slots: Slots = NO_SLOTS,
): Promise<void> {
  await settlePages([batch('pages.v1', pages, offset)], (of) => expanded(deliveryOf(of, change)), slots);
  offset += pages.length;
}

/** A provider of text messages that never answers, and one of mails that does. */
async function setUp() {
  const stores = await open();
  const begun: ContactMethod[] = [];
  const channel = (result: Promise<SendResult>): Channel => ({
    providers: ['one'],
    send: ({ method }: Outgoing) => {
      begun.push(method);
      return result.then((answer) => ({ provider: 'one', result: answer }));
    },
  });
  const deliver = quietDeliver({
    store: stores.deliveries,
    clock: new ManualClock(new Date('2026-01-01T01:00:00Z')),
    maxUnderWay: MAX_UNDER_WAY,
    channels: new Map([
      ['email', channel(Promise.resolve(OK))],
      ['sms', channel(new Promise(() => undefined))],
    ]),
  });
  const add = async (method: ContactMethod, count: number): Promise<void> => {
    const pages = Array.from({ length: count }, (_, n) => page({ pageId: `${method} ${n}`, userId: `${method} ${n}` }));
    await addPages(stores, pages, { method });
  };
  const count = (method: ContactMethod): number => begun.filter((each) => each === method).length;
  return { add, count, deliver };
}

describe('text messages whose provider does not answer', () => {
  it('leave slots to mails, of which every one is handed over', async () => {
    const { add, count, deliver } = await setUp();
    await add('sms', 50);
    await deliver.beginDue();
    expect(count('sms')).toBe(MAX_UNDER_WAY - KEPT);
    await add('email', 40);
    await eventually(async () => {
      await deliver.beginDue();
      expect(count('email')).toBe(40);
    });
    expect([count('email'), count('sms')]).toEqual([40, MAX_UNDER_WAY - KEPT]);
  });

  it('wait, without repeated looks at them', async () => {
    const { add, deliver } = await setUp();
    await add('sms', 50);
    await deliver.beginDue();
    expect(await deliver.beginDue()).toBe(false);
  });
});

/** A replica with channels for `methods`, of which each takes every message. */
function replica(stores: MongoStores, clock: ManualClock, methods: readonly ContactMethod[]) {
  const sent: string[] = [];
  const send = ({ deliveryId }: Outgoing) => {
    sent.push(deliveryId);
    return Promise.resolve({ provider: 'one', result: OK });
  };
  const deliver = quietDeliver({
    store: stores.deliveries,
    clock,
    maxUnderWay: MAX_UNDER_WAY,
    channels: new Map(methods.map((method) => [method, { providers: ['one'], send }])),
  });
  return { deliver, sent };
}

describe('a text message that comes to a replica without a channel for it', () => {
  const setUpAt = async (methods: readonly ContactMethod[]) => {
    const clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
    const stores = await open();
    await addPages(stores, [page()], { method: 'sms', dueAt: clock.now() });
    const look = async ({ deliver }: ReturnType<typeof replica>) => {
      await deliver.beginDue();
      await deliver.settled();
    };
    return { clock, stores, without: replica(stores, clock, ['email']), having: replica(stores, clock, methods), look };
  };
  const only = async ({ stored }: MongoStores) => (await stored())[0];

  it('is sent by one that has it', async () => {
    const { clock, having, look, stores, without } = await setUpAt(['email', 'sms']);
    await look(without);
    expect(await only(stores)).toMatchObject({ state: 'waiting', reason: 'there is no channel for sms' });
    clock.advance(60_000);
    await look(having);
    expect(having.sent).toHaveLength(1);
    expect(await only(stores)).toMatchObject({ state: 'sent' });
  });

  it('fails after 15 minutes where none has it', async () => {
    const { clock, look, stores, without } = await setUpAt(['email']);
    for (let minutes = 0; minutes < 16; minutes += 1) {
      await look(without);
      clock.advance(60_000);
    }
    expect(await only(stores)).toMatchObject({
      state: 'failed',
      reason: 'there is no channel for sms (given up after 15 minutes)',
    });
  });
});

/** A process whose one channel is for text messages. */
const texting = (
  { clock = new ManualClock(new Date('2026-01-01T01:00:00Z')), stores }: { clock?: ManualClock; stores: MongoStores },
  channel: Omit<Channel, 'providers'>,
  onRefused: (result: string) => void = () => undefined,
) =>
  quietDeliver({
    store: stores.deliveries,
    clock,
    maxUnderWay: MAX_UNDER_WAY,
    channels: new Map([['sms', { providers: ['one'], ...channel }]]),
    onRefused,
  });

const addTexts = (stores: MongoStores, pages: readonly Page[], dueAt?: Date, slots?: Slots): Promise<void> =>
  addPages(stores, pages, { method: 'sms', ...(dueAt && { dueAt }) }, slots);

describe('a message that came to no provider for its rate', () => {
  /** So often the provider is at its rate; then it answers this, and takes the next. */
  const after = async (busy: number, answers: SendResult[]) => {
    const clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
    const stores = await open();
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
    const deliver = texting({ clock, stores }, { send }, (kind) => refused.push(kind));
    await addTexts(stores, [page()], clock.now());
    const looks = async (count: number, pauseMs = 500): Promise<void> => {
      for (let look = 0; look < count; look += 1) {
        await deliver.beginDue();
        await deliver.settled();
        clock.advance(pauseMs);
      }
    };
    const tries = () => busy - left;
    const only = async () => (await stores.stored())[0];
    return { looks, only, refused, stores, tries };
  };

  it('waits half a second and counts as no try, each time', async () => {
    const { looks, only, refused, stores, tries } = await after(100, []);
    await looks(1, 499);
    await looks(1, 1);
    expect(tries()).toBe(1);
    await looks(1);
    expect(tries()).toBe(2);
    // Longer than the tries of a message that is refused.
    await looks(99, 20_000);
    expect(await only()).toMatchObject({ state: 'sent', interruptions: 0 });
    expect(await stores.decisions()).toMatchObject([
      { stage: 'page' },
      { findings: [{ outcome: 'sent', facts: { attempts: 1 } }] },
    ]);
    expect(refused).toEqual([]);
  });

  it('is tried again after the first refusal as soon as any other', async () => {
    const { looks, only, refused } = await after(40, [{ kind: 'temporary', reason: '429' }]);
    await looks(41);
    expect(await only()).toMatchObject({ state: 'waiting', reason: '429' });
    expect(refused).toEqual(['temporary']);
    // A first pause is 1 s at least; one after forty tries would be 30 s.
    await looks(2);
    expect(await only()).toMatchObject({ state: 'sent' });
  });
});

describe('pages whose bundle was refused for good', () => {
  it('are tried one by one, so that a bad one costs no other', async () => {
    const stores = await open({ bundles: new Map([['sms', { most: 1, size: 5 }]]) });
    const sent: string[] = [];
    const refused: SendResult = { kind: 'permanent', reason: 'it has a word in it' };
    const send = (outgoing: Outgoing): Promise<HandedOver> => {
      const pages = isBundle(outgoing) ? outgoing.pages : [outgoing];
      const ids = pages.map(({ deliveryId }) => deliveryId);
      sent.push(ids.join('+'));
      return Promise.resolve({ provider: 'one', result: ids.includes('p1') ? refused : OK });
    };
    const deliver = texting({ stores }, { send });
    const pages = ['p0', 'p1', 'p2'].map((pageId) => page({ pageId }));
    await addTexts(stores, pages);
    // The bundle, then what is left of it.
    for (let looks = 0; looks < 2; looks += 1) {
      await deliver.beginDue();
      await deliver.settled();
    }
    expect(sent).toEqual(['p0+p1+p2', 'p0', 'p1', 'p2']);
    const states = (await stores.stored()).map(({ deliveryId, state }) => `${deliveryId} ${state}`);
    expect(states).toEqual(['p0 sent', 'p1 failed', 'p2 sent']);
  });
});

describe('a provider with a limit of messages a second', () => {
  it('gets as many as it accepts; the others wait unbegun, also those of a claimed queue', async () => {
    const stores = await open();
    const sent: string[] = [];
    let places = 2;
    const send = ({ deliveryId }: Outgoing) => {
      sent.push(deliveryId);
      places -= 1;
      return Promise.resolve({ provider: 'one', result: OK });
    };
    const deliver = texting({ stores }, { slots: () => places, send });
    const pages = ['ada', 'ada', 'eve', 'grace', 'alan'].map((userId, n) => page({ pageId: `p${n}`, userId }));
    await addTexts(stores, pages);
    for (const [free, all] of [
      [0, 2],
      [0, 2],
      [1, 3],
      [5, 5],
    ] as const) {
      places += free;
      await deliver.beginDue();
      await deliver.settled();
      expect(sent).toHaveLength(all);
    }
    const states = (await stores.stored()).map(({ attempts, state }) => `${state} ${attempts}`);
    expect(new Set(states)).toEqual(new Set(['sent 1']));
  });
});

describe('users who wait for the rate of a provider', () => {
  const setUpAtRate = async () => {
    const clock = new ManualClock(new Date('2026-01-01T01:00:00Z'));
    const stores = await open();
    const sent: string[] = [];
    const rate = { places: 1 };
    const answers: ((result: HandedOver) => void)[] = [];
    let hasMoved: () => void = () => undefined;
    const send = ({ deliveryId }: Outgoing): Promise<HandedOver> => {
      sent.push(deliveryId);
      rate.places -= 1;
      hasMoved();
      return new Promise((resolve) => answers.push(resolve));
    };
    const deliver = texting({ clock, stores }, { slots: () => rate.places, send });
    const answered = async (): Promise<void> => {
      for (const answer of answers.splice(0)) {
        // Its queue goes on, or makes room.
        const moved = new Promise<void>((resolve) => {
          hasMoved = resolve;
          deliver.onFreeSlot(resolve);
        });
        answer({ provider: 'one', result: OK });
        await moved;
      }
    };
    return { answered, clock, deliver, rate, stores, sent };
  };
  const pageOf = (pageId: string, userId = pageId) => page({ pageId, userId });

  it('get their messages before users whose pages come later (F2)', async () => {
    const { answered, clock, deliver, rate, stores, sent } = await setUpAtRate();
    await addTexts(stores, [pageOf('first'), pageOf('waits')]);
    await deliver.beginDue();
    await answered();
    await deliver.beginDue();
    for (let number = 0; number < 5; number += 1) {
      rate.places += 1;
      const slots = deliver.reserveSlots([`new${number}`]);
      await addTexts(stores, [pageOf(`new${number}`)], clock.now(), slots);
      slots.release();
      await deliver.beginDue();
      await answered();
      clock.advance(1_000);
    }
    expect(sent.slice(0, 2)).toEqual(['first', 'waits']);
  });

  it('get their messages before the next one of the user who got the last', async () => {
    const { answered, deliver, rate, stores, sent } = await setUpAtRate();
    await addTexts(stores, [pageOf('a1', 'ada'), pageOf('a2', 'ada'), pageOf('a3', 'ada')]);
    await deliver.beginDue();
    await addTexts(stores, [pageOf('waits')]);
    for (let number = 0; number < 2; number += 1) {
      await deliver.beginDue();
      // The token comes back while the hand-over is under way, and its result before the next look.
      rate.places += 1;
      await answered();
    }
    await deliver.beginDue();
    expect(sent.slice(0, 2)).toEqual(['a1', 'waits']);
  });
});
