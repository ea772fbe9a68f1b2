import { describe, expect, it } from '@jest/globals';
import { begun } from '../domain/attempts.ts';
import { alertEvent, deliveryOf, page } from '../testing/page-samples.ts';
import { rechecked } from '../domain/recheck.ts';
import { batch, expanded, LATER, NO_SLOTS, type StoresUnderTest } from '../testing/stores-under-test.ts';

const secret = page({ alert: { ...page().alert, message: 'the secret', details: { also: 'the secret' } } });
const next = { page: secret, number: 1, dueAt: new Date(secret.pagedAt), loopAfterMinutes: 1 };

/** What every store forgets of an alert that was deleted. */
export function describeErasedAlerts(name: string, create: () => Promise<StoresUnderTest>): void {
  describe(`${name} about an alert that was deleted`, () => {
    it('keeps no content of it, sends nothing of it, and knows its pages again (A6)', async () => {
      const { deliveries, flows, standings, claim, repeatDue, kept } = await create();
      const expand = () => expanded(deliveryOf(secret), { next });
      await flows.settlePages([batch('pages.v1', [secret])], expand, NO_SLOTS);
      const taken = await deliveries.begin(await claim(LATER), LATER, (each) => ({ delivery: begun(each) }));
      expect(await kept()).toContain('the secret');
      await standings.settleAlerts([batch('alert-events.v1', [alertEvent(2, { status: 'deleted' })])]);
      expect(await kept()).not.toContain('the secret');
      const results = taken.map(({ delivery, turn }) => ({ turn, delivery: { ...delivery, state: 'sent' as const } }));
      expect(results).toHaveLength(1);
      expect((await deliveries.conclude(results, LATER)).taken).toEqual([]);
      await repeatDue(LATER, expand);
      await flows.settlePages([batch('pages.v1', [secret], 1)], expand, NO_SLOTS);
      expect(await kept()).not.toContain('the secret');
    });

    it('takes the content from a page that comes after the word of the delete, at its turn and its repetition (A6)', async () => {
      const { deliveries, flows, standings, claim, repeatDue, kept } = await create();
      await standings.settleAlerts([batch('alert-events.v1', [alertEvent(2, { status: 'deleted' })])]);
      await flows.settlePages([batch('pages.v1', [secret])], () => expanded(deliveryOf(secret), { next }), NO_SLOTS);
      const seen: unknown[] = [];
      const told = await deliveries.begin(await claim(LATER), LATER, (delivery, standing) => {
        seen.push(standing?.status);
        return { delivery: rechecked(delivery, { standing, user: undefined, now: LATER }) };
      });
      await repeatDue(LATER, (_, standing) => {
        seen.push(standing?.status);
        return { deliveries: [], next: undefined, decision: undefined };
      });
      expect(told.map(({ delivery }) => delivery.state)).toEqual(['dropped']);
      expect(seen).toEqual(['deleted', 'deleted']);
      expect(await kept()).not.toContain('the secret');
    });
  });
}
