import { describe, expect, it } from '@jest/globals';
import type { Page, PageMessage } from '@tocsin/events';
import fc from 'fast-check';
import { beginAttempt } from '../messages/attempts.ts';
import { type Delivery, markDropped, isPage } from '../messages/delivery.ts';
import type { Repetition } from './repetition.ts';
import type { Check } from '../queue/message-result.ts';
import { casesOf } from '@tocsin/testkit';
import type { MongoStores } from '../testing/mongo-stores.ts';
import { cancel, closing, deliveryOf, page } from '../testing/page-samples.ts';
import { useStores } from '../testing/mongo-fixture.ts';
import { batch, expanded, LATER, NO_SLOTS } from '../testing/store-samples.ts';

const open = useStores();

const isCancelled = (delivery: Delivery): boolean => isPage(delivery) && delivery.cancelReason !== undefined;
const check: Check = (delivery) => ({
  delivery: isCancelled(delivery) ? markDropped(delivery, 'cancelled') : beginAttempt(delivery),
});
const repetition = (of: Page, number = 1): Repetition => ({
  page: of,
  number,
  dueAt: LATER,
  loopAfterMinutes: 10,
});

/** The stores with the next offset of their topic. */
class Topic {
  readonly #tested: MongoStores;
  #offset = 0;

  constructor(tested: MongoStores) {
    this.#tested = tested;
  }

  /** Settles messages in one batch. Each page has one message, and a repetition. */
  async settle(...messages: readonly PageMessage[]): Promise<void> {
    const expand = (of: Page) => expanded(deliveryOf(of), { next: repetition(of) });
    const settlement = await this.#tested.settlePages([batch('pages.v1', messages, this.#offset)], expand, NO_SLOTS);
    this.#offset += messages.length;
    if (settlement.outcome !== 'done') throw new Error(`the batch was not settled: ${settlement.outcome}`);
  }

  /** Sends the messages that are due and not cancelled, and returns their ids. */
  async send(at = LATER): Promise<readonly string[]> {
    const { deliveries } = this.#tested;
    const sent: string[] = [];
    for (let queues = await deliveries.claim(at, 100); queues.length > 0; queues = await deliveries.claim(at, 100)) {
      const { begun } = await deliveries.begin(queues, at, check);
      sent.push(...begun.map(({ delivery }) => delivery.deliveryId));
      await deliveries.recordResults(
        begun.map(({ delivery, queue }) => ({ queue, delivery: { ...delivery, state: 'sent' } })),
        at,
      );
    }
    return sent.toSorted();
  }

  /** Ends the repetitions that are due, and answers the pages of which none was cancelled. */
  async repeated(): Promise<readonly string[]> {
    const found: string[] = [];
    await this.#tested.repeatDue(LATER, ({ cancelReason, page: of }) => {
      if (cancelReason === undefined) found.push(of.pageId);
      return { deliveries: [], next: undefined, decision: undefined };
    });
    return found.toSorted();
  }
}

type Action = 'page' | 'page until a close' | 'ack' | 'close' | 'send';

const histories = fc.record({
  actions: fc.array(
    fc.record({
      action: fc.constantFrom<Action>('page', 'page', 'page until a close', 'ack', 'close', 'send'),
      userId: fc.constantFrom('ada', 'eve'),
      /** How many of the messages before come again with it. */
      again: fc.constantFrom(0, 0, 1, 3),
    }),
    { maxLength: 12 },
  ),
  /** Whether the events between two looks for due work come in one batch. */
  isOneBatch: fc.boolean(),
});

const messageOf = (action: Exclude<Action, 'send'>, version: number, userId: string): PageMessage => {
  const of = { pageId: `p${version}`, userId, alertVersion: version };
  switch (action) {
    case 'page':
      return page(of);
    case 'page until a close':
      return page({ ...of, cancelOn: 'close' });
    case 'ack':
      return cancel(version, { userId });
    case 'close':
      return closing(version, { userId });
  }
};

describe('a cancel', () => {
  const withTopic = async () => {
    const tested = await open();
    return { ...tested, topic: new Topic(tested) };
  };

  it('ends the messages and repetitions of the pages of its user and alert that came before it, and no others', async () => {
    const { topic } = await withTopic();
    const others = [
      page({ pageId: 'of another user', userId: 'eve' }),
      page({ pageId: 'of another alert', alertId: 'a2' }),
      page({ pageId: 'after it', alertVersion: 2 }),
    ];
    const { cancelOn: _, ...update } = page({ pageId: 'status update', actionType: 'closed-alert' });
    await topic.settle(page(), ...others, update);
    await topic.settle(closing(2));
    const left = ['after it', 'of another alert', 'of another user', 'status update'];
    expect([await topic.send(), await topic.repeated()]).toEqual([left, left]);
  });

  it('by an acknowledgement ends only the repetitions of a page that only a close ends', async () => {
    const { topic } = await withTopic();
    await topic.settle(page({ cancelOn: 'close' }));
    await topic.settle(cancel());
    expect([await topic.repeated(), await topic.send()]).toEqual([[], [page().pageId]]);
  });

  it('ends a message that is under way then, after its provider has not accepted it', async () => {
    const { claim, deliveries, topic } = await withTopic();
    await topic.settle(page());
    const [begun] = (await deliveries.begin(await claim(LATER), LATER, check)).begun;
    if (begun === undefined) throw new Error('nothing was due');
    await topic.settle(cancel());
    const { delivery, queue } = begun;
    await deliveries.recordResults([{ queue, delivery: { ...delivery, state: 'waiting' }, retryAt: LATER }], LATER);
    expect(await topic.send()).toEqual([]);
  });

  it('ends a message whose process died or is frozen, and later writes of this process change nothing', async () => {
    const { claim, deliveries, expire, topic } = await withTopic();
    await topic.settle(page());
    const [frozen] = (await deliveries.begin(await claim(LATER), LATER, check)).begun;
    if (frozen === undefined) throw new Error('nothing was due');
    await topic.settle(cancel());
    await expire();
    expect(await topic.send()).toEqual([]);
    const { delivery, queue } = frozen;
    const late = [{ queue, delivery: { ...delivery, state: 'waiting' as const }, retryAt: LATER }];
    expect((await deliveries.recordResults(late, LATER, check)).recorded).toEqual([]);
    expect(await topic.send()).toEqual([]);
  });

  it.each([
    ['a close, whose page is not sent', closing(), { cancelReason: 'the alert was closed' }],
    ['an acknowledgement, whose page is sent once', cancel(), { page: { once: true } }],
  ])('reaches a page that waits for its user, by %s', async (_, ending, expected) => {
    const { settlePages, repeatDue, topic } = await withTopic();
    const waiting = page({ cancelOn: 'close' });
    const next = repetition(waiting, 0);
    await settlePages(
      [batch('pages.v1', [waiting])],
      () => expanded(deliveryOf(waiting), { deliveries: [], next }),
      NO_SLOTS,
    );
    await topic.settle({ ...page(), pageId: 'before', userId: 'eve' }, ending);
    const seen: unknown[] = [];
    await repeatDue(LATER, (each) => {
      if (each.number === 0) seen.push(each);
      return { deliveries: [], next: undefined, decision: undefined };
    });
    expect(seen).toMatchObject([expected]);
  });

  it('gives the reason of the first one, where several end a message', async () => {
    const { claim, deliveries, topic } = await withTopic();
    await topic.settle(page());
    await topic.settle(cancel(), closing(3));
    await topic.settle(closing(4));
    const [begun] = (
      await deliveries.begin(await claim(LATER), LATER, (delivery) => ({
        delivery: beginAttempt(delivery),
      }))
    ).begun;
    expect(begun?.delivery).toMatchObject({ cancelReason: 'the alert was acknowledged' });
  });

  it('ends earlier messages that are not sent yet, and no later ones, however often messages are repeated', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async ({ actions, isOneBatch }) => {
        const { topic } = await withTopic();
        const published: PageMessage[] = [];
        const left = new Map<string, Page>();
        const expected: string[] = [];
        const found: string[] = [];
        let coming: PageMessage[] = [];
        const flush = async () => {
          if (coming.length > 0) await topic.settle(...coming);
          coming = [];
        };
        for (const [index, { action, again, userId }] of [
          ...actions,
          { action: 'send' as const, again: 0, userId: '' },
        ].entries()) {
          if (action === 'send') {
            await flush();
            found.push(...(await topic.send()));
            expected.push(...[...left.keys()].toSorted());
            left.clear();
            continue;
          }
          const message = messageOf(action, index + 1, userId);
          published.push(message);
          coming.push(message, ...published.slice(0, again));
          if (message.kind === 'page') left.set(message.pageId, message);
          else
            for (const [id, of] of left)
              if (of.userId === userId && (action === 'close' || of.cancelOn === 'ack')) left.delete(id);
          if (!isOneBatch) await flush();
        }
        expect(found).toEqual(expected);
      }),
      { numRuns: casesOf({ usual: 50, deep: 200 }) },
    );
  });
});
