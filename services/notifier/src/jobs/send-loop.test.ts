import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tocsin/clock';
import type { SendResult } from '../domain/attempts.ts';
import { mailChannel } from '../testing/mail-channel.ts';
import { MemoryNotificationStore } from '../testing/memory-notification-store.ts';
import { deliveryOf, page } from '../testing/page-samples.ts';
import { quietDeliver } from '../testing/quiet-deliver.ts';
import { batch, expanded, NO_SLOTS } from '../testing/stores-under-test.ts';
import { SendLoop } from './send-loop.ts';

const USERS = ['ada', 'bob', 'cyd'];

/** Messages that are due to three people, a provider that answers when the test says so, and room for one message. */
async function setUp() {
  const clock = new ManualClock(new Date('2026-01-01T01:00:00Z'));
  const store = new MemoryNotificationStore();
  const begun: string[] = [];
  const answers: ((result: SendResult) => void)[] = [];
  const provider = Promise.withResolvers<undefined>();
  const deliver = quietDeliver({
    store,
    clock,
    window: 1,
    channels: mailChannel(({ to }) => {
      begun.push(to);
      provider.resolve(undefined);
      return new Promise((answer) => answers.push(answer));
    }),
  });
  const pages = USERS.flatMap((userId) => [1, 2].map((number) => page({ userId, pageId: `${userId} ${number}` })));
  await store.settlePages([batch('pages.v1', pages)], (of) => expanded(deliveryOf(of, { to: of.userId })), NO_SLOTS);
  const loop = new SendLoop({
    deliver,
    store,
    clock,
    nextDueAt: () => Promise.resolve(clock.now()),
    onTrouble: (error) => {
      throw error;
    },
    keepEveryMs: 60_000,
  });
  return { answers, begun, deliver, loop, firstBegun: provider.promise, store };
}

describe('a loop that is stopped while messages are due', () => {
  it('begins none of them, neither of other people nor of the one whose turn it is, and waits for the result', async () => {
    const { answers, begun, deliver, firstBegun, loop, store } = await setUp();
    loop.start();
    await firstBegun;
    const stopped = loop.stop();
    answers[0]?.({ kind: 'accepted', response: '250 ok' });
    await stopped;
    expect(begun).toHaveLength(1);
    expect(deliver.underWay).toEqual([]);
    const states = [...store.deliveries.values()].map(({ state }) => state).toSorted();
    expect(states).toEqual(['sent', ...Array.from({ length: 5 }, () => 'waiting')].toSorted());
  });

  it('gives back what it was just claiming', async () => {
    const { begun, loop, store } = await setUp();
    const claiming = Promise.withResolvers<undefined>();
    const claimed = Promise.withResolvers<undefined>();
    const claim = store.claim.bind(store);
    store.claim = async (...args) => {
      claiming.resolve(undefined);
      await claimed.promise;
      return claim(...args);
    };
    loop.start();
    await claiming.promise;
    const stopped = loop.stop();
    claimed.resolve(undefined);
    await stopped;
    expect(begun).toEqual([]);
    store.claim = claim;
    expect(await store.claim(new Date('2026-01-01T01:00:00Z'), 10)).toHaveLength(USERS.length);
  });
});
