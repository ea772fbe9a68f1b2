import { describe, expect, it } from '@jest/globals';
import type { Page, PageMessage } from '@tocsin/events';
import { cancel, deliveryOf, page } from '../testing/page-samples.ts';
import { useStores } from '../testing/mongo-fixture.ts';
import type { MongoStores } from '../testing/mongo-stores.ts';
import { batch, expanded, NO_SLOTS } from '../testing/store-samples.ts';
import type { ExpandedPage } from './expanded-page.ts';
import { NextPages } from './next-page-store.ts';

const open = useStores();

const minute = (number: number): Date => new Date(Date.UTC(2026, 0, 1, 0, number));
const first = page({ pageId: 'p1' });

/** Two messages of the page, the call before the mail. */
const called = (of: Page): ExpandedPage => ({
  ...expanded(deliveryOf(of, { dueAt: minute(5) })),
  deliveries: [
    deliveryOf(of, { dueAt: minute(5) }),
    deliveryOf(of, { deliveryId: `${of.pageId}#2`, method: 'voice', to: '+39', dueAt: minute(3) }),
  ],
});
const repeated = (of: Page): ExpandedPage => ({
  ...called(of),
  next: { page: of, number: 1, dueAt: minute(2), loopAfterMinutes: 10 },
});

async function settled(
  stores: MongoStores,
  messages: readonly PageMessage[],
  expand: (of: Page) => ExpandedPage = called,
): Promise<NextPages> {
  const result = await stores.settlePages([batch('pages.v1', messages)], expand, NO_SLOTS);
  if (result.outcome !== 'done') throw new Error(`the batch was not settled: ${result.outcome}`);
  return new NextPages(stores.connection);
}

describe('the next message about an alert', () => {
  it('is the one that is due first, of that alert alone', async () => {
    const next = await settled(await open(), [first, page({ pageId: 'p2', alertId: 'a2' })]);

    expect(await next.find('a1')).toEqual({
      at: '2026-01-01T00:03:00.000Z',
      users: [{ id: 'ada', username: 'ada@example.com' }],
      why: 'call by a notification rule',
    });
    expect(await next.find('a3')).toBeUndefined();
  });

  it('is the repetition of the steps where that is due before each message', async () => {
    const next = await settled(await open(), [first], repeated);

    expect(await next.find('a1')).toMatchObject({
      at: '2026-01-01T00:02:00.000Z',
      why: 'steps of a notification rule that start again',
    });
  });

  it('is none once a cancel has ended the page, and none of a status update', async () => {
    const { cancelOn: _, ...update } = page({ pageId: 'p3', statusUpdate: { kind: 'noted', actor: 'grace' } });
    const stores = await open();

    expect(await (await settled(stores, [first, cancel(2)], repeated)).find('a1')).toBeUndefined();
    expect(await (await settled(await open(), [update])).find('a1')).toBeUndefined();
  });
});
