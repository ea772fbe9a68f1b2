import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tocsin/core';
import { createLogger, Metrics, Lifecycle, TaskRunner } from '@tocsin/service';
import { eventually } from '@tocsin/testkit';
import type { SendResult } from '../messages/attempts.ts';
import { mailChannel } from '../testing/mail-channel.ts';
import { useStores } from '../testing/mongo-fixture.ts';
import { deliveryOf, page } from '../testing/page-samples.ts';
import { quietDeliver } from '../testing/quiet-deliver.ts';
import { batch, expanded, NO_SLOTS } from '../testing/store-samples.ts';
import { addSendTasks } from './task.ts';

const USERS = ['ada', 'bob', 'cyd'];

const open = useStores();

/** Messages that are due to three people, a provider that answers when the test says so, and room for one message. */
async function setUp() {
  const clock = new ManualClock(new Date('2026-01-01T01:00:00Z'));
  const { deliveries: store, settlePages, stored } = await open();
  const begun: string[] = [];
  const answers: ((result: SendResult) => void)[] = [];
  const provider = Promise.withResolvers<undefined>();
  const deliver = quietDeliver({
    store,
    clock,
    maxUnderWay: 1,
    channels: mailChannel(({ to }) => {
      begun.push(to);
      provider.resolve(undefined);
      return new Promise((answer) => answers.push(answer));
    }),
  });
  const pages = USERS.flatMap((userId) => [1, 2].map((number) => page({ userId, pageId: `${userId} ${number}` })));
  await settlePages([batch('pages.v1', pages)], (of) => expanded(deliveryOf(of, { to: of.userId })), NO_SLOTS);
  const lifecycle = new Lifecycle();
  const onFatal = (error: Error) => {
    throw error;
  };
  const metrics = new Metrics('notifier', { processMetrics: false });
  const tasks = new TaskRunner({
    clock,
    realClock: clock,
    logger: createLogger('notifier', 'silent'),
    metrics,
    onFatal,
  });
  await lifecycle.startWork(
    'tasks',
    () => tasks,
    () => tasks.stop(),
  );
  const start = (nextDueAt: () => Date | undefined = () => clock.now()) =>
    addSendTasks(
      { clock, lifecycle, tasks },
      { name: 'send', deliver, store, nextDueAt: () => Promise.resolve(nextDueAt()) },
    );
  const run = () => {
    tasks.wake('send');
  };
  return { answers, begun, deliver, lifecycle, run, start, firstBegun: provider.promise, store, stored };
}

describe('a service that is stopped while messages are due', () => {
  it('begins none of them, neither of other users nor of the same queue, and waits for the result', async () => {
    const { answers, begun, deliver, firstBegun, lifecycle, start, stored } = await setUp();
    await start();
    await firstBegun;
    const stopped = lifecycle.stop();
    answers[0]?.({ kind: 'accepted', response: '250 ok' });
    await stopped;
    expect(begun).toHaveLength(1);
    expect(deliver.underWay).toEqual([]);
    const states = (await stored()).map(({ state }) => state).toSorted();
    expect(states).toEqual(['sent', ...Array.from({ length: 5 }, () => 'waiting')].toSorted());
  });

  it('renews the leases of messages that are under way until their results', async () => {
    const { answers, deliver, firstBegun, lifecycle, start, store } = await setUp();
    await start();
    await firstBegun;
    const stopped = lifecycle.stop();
    const renewed = Promise.withResolvers<undefined>();
    store.renewAndFreeExpired = () => {
      expect(deliver.underWay).toHaveLength(1);
      renewed.resolve(undefined);
      return Promise.resolve(false);
    };
    await renewed.promise;
    answers[0]?.({ kind: 'accepted', response: '250 ok' });
    await stopped;
  });

  it('renews them although an earlier renewal is never answered', async () => {
    const { answers, firstBegun, lifecycle, start, store } = await setUp();
    const renewed = Promise.withResolvers<undefined>();
    store.renewAndFreeExpired = () => {
      store.renewAndFreeExpired = () => {
        renewed.resolve(undefined);
        return Promise.resolve(false);
      };
      return new Promise<boolean>(() => undefined);
    };
    await start();
    await firstBegun;
    await expect(renewed.promise).resolves.toBeUndefined();
    answers[0]?.({ kind: 'accepted', response: '250 ok' });
    await lifecycle.stop();
  });

  it('releases the queues that it was claiming', async () => {
    const { begun, lifecycle, start, store } = await setUp();
    const claiming = Promise.withResolvers<undefined>();
    const claimed = Promise.withResolvers<undefined>();
    const claim = store.claim.bind(store);
    store.claim = async (...args) => {
      claiming.resolve(undefined);
      await claimed.promise;
      return claim(...args);
    };
    await start();
    await claiming.promise;
    const stopped = lifecycle.stop();
    claimed.resolve(undefined);
    await stopped;
    expect(begun).toEqual([]);
    store.claim = claim;
    expect(await store.claim(new Date('2026-01-01T01:00:00Z'), 10)).toHaveLength(USERS.length);
  });
});

describe('a service at rest', () => {
  it('asks only when the next message is due, and begins it then', async () => {
    const { answers, begun, lifecycle, run, start, store } = await setUp();
    const claim = store.claim.bind(store);
    const steps: string[] = [];
    store.claim = () => {
      steps.push('claimed');
      return Promise.resolve([]);
    };
    let isDue = false;
    await start(() => {
      steps.push('asked');
      return isDue ? new Date(0) : undefined;
    });
    await eventually(() => {
      run();
      expect(steps.length).toBeGreaterThan(5);
    });
    expect(steps.slice(0, 5)).toEqual(['claimed', 'asked', 'asked', 'asked', 'asked']);
    store.claim = claim;
    isDue = true;
    run();
    await eventually(() => {
      expect(begun).toHaveLength(1);
    });
    answers[0]?.({ kind: 'accepted', response: '250 ok' });
    await lifecycle.stop();
  });
});
