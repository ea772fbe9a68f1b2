import { describe, expect, it } from '@jest/globals';
import type { Erase } from '@tocsin/events';
import { beginAttempt } from '../messages/attempts.ts';
import { deliveryOf, erase, page } from '../testing/page-samples.ts';
import { useStores } from '../testing/mongo-fixture.ts';
import { batch, expanded, expandNothing, LATER, NO_SLOTS, sendAll } from '../testing/store-samples.ts';

const open = useStores();

const secret = page({ alert: { ...page().alert, message: 'the secret', details: { also: 'the secret' } } });
const next = { page: secret, number: 1, dueAt: new Date(secret.pagedAt), loopAfterMinutes: 1 };

describe('an alert that was deleted', () => {
  it.each([
    ['of its user', erase({ userId: 'ada' })],
    ['of all users', erase()],
  ])(
    'keeps no content of it after an erase %s, sends nothing of it, and knows its pages again (A6)',
    async (_, message: Erase) => {
      const { deliveries, settlePages, claim, repeatDue, kept } = await open();
      const expand = () => expanded(deliveryOf(secret), { next });
      await settlePages([batch('pages.v1', [secret])], expand, NO_SLOTS);
      const { begun } = await deliveries.begin(await claim(LATER), LATER, (each) => ({ delivery: beginAttempt(each) }));
      expect(await kept()).toContain('the secret');
      await settlePages([batch('pages.v1', [message], 1)], expandNothing, NO_SLOTS);
      expect(await kept()).not.toContain('the secret');
      const results = begun.map(({ delivery, queue }) => ({
        queue,
        delivery: { ...delivery, state: 'sent' as const },
      }));
      expect(results).toHaveLength(1);
      expect((await deliveries.recordResults(results, LATER)).recorded).toEqual([]);
      await repeatDue(LATER, expand);
      await settlePages([batch('pages.v1', [secret], 2)], expand, NO_SLOTS);
      expect(await kept()).not.toContain('the secret');
    },
  );

  it('keeps and sends nothing of a page that comes in one batch with its erase, and knows it again', async () => {
    const { decisions, deliveries, settlePages, kept } = await open();
    await settlePages([batch('pages.v1', [secret, erase()])], expandNothing, NO_SLOTS);
    await settlePages([batch('pages.v1', [secret], 2)], () => expanded(deliveryOf(secret), { next }), NO_SLOTS);
    expect(await kept()).not.toContain('the secret');
    expect([await sendAll(deliveries, LATER), await decisions()]).toEqual([[], []]);
  });

  it('keeps the pages of other alerts and users', async () => {
    const { deliveries, settlePages } = await open();
    const others = [page({ pageId: 'other', alertId: 'a2' }), page({ pageId: 'of eve', userId: 'eve' })];
    await settlePages([batch('pages.v1', [secret, ...others])], (of) => expanded(deliveryOf(of)), NO_SLOTS);
    await settlePages([batch('pages.v1', [erase({ userId: 'ada' })], 3)], expandNothing, NO_SLOTS);
    expect((await sendAll(deliveries, LATER)).toSorted()).toEqual(['of eve', 'other']);
  });
});
