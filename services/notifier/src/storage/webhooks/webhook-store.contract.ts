import { describe, expect, it } from '@jest/globals';
import type { Decision } from '@tocsin/contracts';
import type { WebhookDelivery, WebhookOutcome } from '../../domain/webhooks/webhook-delivery.ts';
import type { WebhookChange, WebhookStore } from '../../ports/webhook-store.ts';
import { NOW, webhookBatch, webhookCommand } from '../../testing/webhook-samples.ts';

export interface WebhookStoreUnderTest {
  readonly store: WebhookStore;
  /** Lets the leases of all turns pass that are held, as if their holders had died. */
  readonly expire: () => Promise<void>;
  readonly decisions: () => Promise<readonly Decision[]>;
  /** All that is kept, but for decisions that are on their way, as text. */
  readonly kept: () => Promise<string>;
}

const later = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1_000);
const TOLD: WebhookOutcome = { kind: 'told', response: 'it answered 200' };
const retrying = (retryAt: Date): WebhookOutcome => ({ kind: 'retrying', reason: 'it answered 503', retryAt });

function change(delivery: WebhookDelivery, outcome: WebhookOutcome): WebhookChange {
  const { deliveryId, told } = delivery;
  const verdicts = [{ subject: 'webhook', outcome: outcome.kind, text: 'said' }];
  const decision: Decision = {
    decisionId: `${deliveryId}:${outcome.kind}`,
    alertId: told.alertId,
    stage: 'deliver',
    at: NOW.toISOString(),
    verdicts,
  };
  return { delivery, outcome, decision };
}

/** What every store of webhooks promises. Each adapter runs it. */
export function describeWebhookStore(name: string, create: () => Promise<WebhookStoreUnderTest>): void {
  describe(`${name} as a store of webhooks`, () => {
    const first = webhookCommand();
    const second = webhookCommand({ action: 'Close', version: 2 });
    const other = webhookCommand({ alertId: 'a2' });
    const ids = (deliveries: readonly WebhookDelivery[]) => deliveries.map(({ deliveryId }) => deliveryId);

    const claimed = async (store: WebhookStore, now = NOW) => {
      const [turn] = await store.claim(now, 10);
      if (turn === undefined) throw new Error('no turn is due');
      return turn;
    };

    it('gives each integration its turn, with the first delivery of each alert as it came', async () => {
      const { store } = await create();
      await store.settle(
        [webhookBatch([first, second, webhookCommand({ alertId: 'a2', integrationIds: ['hook', 'x'] })])],
        NOW,
      );
      const turns = await store.claim(NOW, 10);
      expect(turns.map(({ id }) => id).toSorted()).toEqual(['hook', 'x']);
      expect(await store.claim(NOW, 10)).toEqual([]);
      const hook = turns.find(({ id }) => id === 'hook');
      if (hook === undefined) throw new Error('no turn');
      const due = await store.due(hook, NOW, 10);
      expect(due).toMatchObject([
        {
          deliveryId: 'a1/1:Create:hook',
          integrationId: 'hook',
          attempts: 0,
          dueAt: NOW,
          told: { alertId: 'a1', action: 'Create' },
        },
        { deliveryId: 'a2/1:Create:hook' },
      ]);
      expect(await store.due(hook, NOW, 1)).toHaveLength(1);
    });

    it('keeps since when a receiver is called, also through ends of turns that do not say so', async () => {
      const { store } = await create();
      await store.settle([webhookBatch([first])], NOW);
      const turn = await claimed(store);
      expect(await store.calling(turn)).toBeUndefined();
      const [due] = await store.due(turn, NOW, 1);
      if (due === undefined) throw new Error('nothing is due');
      const calling = { since: NOW, lastAt: later(1) };
      await store.conclude(turn, [change(due, retrying(later(2)))], { now: later(1), calling });
      const again = await claimed(store, later(2));
      expect(await store.calling(again)).toEqual(calling);
      await store.conclude(again, [], { now: later(2) });
      await store.settle([webhookBatch([second], 1)], later(3));
      expect(await store.calling(await claimed(store, later(3)))).toEqual(calling);
    });

    it('knows a command that comes again, in one batch or in another, also when it was told', async () => {
      const { store } = await create();
      await store.settle([webhookBatch([first, first])], NOW);
      await store.settle([webhookBatch([first], 2)], NOW);
      const turn = await claimed(store);
      const [due, ...more] = await store.due(turn, NOW, 10);
      expect(more).toEqual([]);
      if (due === undefined) throw new Error('nothing is due');
      expect(await store.conclude(turn, [change(due, TOLD)], { now: NOW })).toBe(true);
      await store.settle([webhookBatch([first], 3)], NOW);
      expect(await store.claim(NOW, 10)).toEqual([]);
    });

    it('goes on in the same alert only when the delivery before came to its end, and with others meanwhile', async () => {
      const { store } = await create();
      await store.settle([webhookBatch([first, second, other])], NOW);
      const turn = await claimed(store);
      const [one] = await store.due(turn, NOW, 1);
      if (one === undefined) throw new Error('nothing is due');
      await store.conclude(turn, [change(one, retrying(later(5)))], { now: NOW });
      const next = await claimed(store);
      expect(ids(await store.due(next, NOW, 10))).toEqual(['a2/1:Create:hook']);
      const [two] = await store.due(next, NOW, 10);
      if (two === undefined) throw new Error('nothing is due');
      await store.conclude(next, [change(two, TOLD)], { now: NOW });
      expect(await store.claim(later(4), 10)).toEqual([]);
      const again = await claimed(store, later(5));
      expect(await store.due(again, later(5), 10)).toMatchObject([
        { deliveryId: 'a1/1:Create:hook', attempts: 1, dueAt: NOW },
      ]);
    });

    it('goes on in no alert whose delivery is tried later, however many there are', async () => {
      const { store } = await create();
      const many = Array.from({ length: 1_001 }, (_, number) => webhookCommand({ alertId: `a${number}` }));
      await store.settle([webhookBatch(many)], NOW);
      const turn = await claimed(store);
      const tried = await store.due(turn, NOW, many.length);
      await store.conclude(
        turn,
        tried.map((each, number) => change(each, retrying(later(60 + number)))),
        { now: NOW },
      );
      const behind = many.map(({ alertId }) => webhookCommand({ alertId, action: 'Close', version: 2 }));
      await store.settle([webhookBatch([...behind, webhookCommand({ alertId: 'free' })], many.length)], NOW);
      const next = await claimed(store);
      const [free, ...more] = await store.due(next, NOW, 10);
      expect([free?.deliveryId, more]).toEqual(['free/1:Create:hook', []]);
      if (free === undefined) throw new Error('nothing is due');
      await store.conclude(next, [change(free, TOLD)], { now: NOW });
      expect(await store.claim(later(59), 10)).toEqual([]);
    });

    it('lets a turn go on no earlier than it is told, and at once for what came in meanwhile', async () => {
      const { store } = await create();
      await store.settle([webhookBatch([first])], NOW);
      const turn = await claimed(store);
      await store.conclude(turn, [], { now: NOW, notBefore: later(10) });
      expect(await store.claim(later(9), 10)).toEqual([]);
      await store.settle([webhookBatch([other], 1)], later(5));
      expect(await store.claim(later(5), 10)).toHaveLength(1);
    });

    it('takes the results of a turn from its holder alone', async () => {
      const { decisions, expire, store } = await create();
      await store.settle([webhookBatch([first])], NOW);
      const turn = await claimed(store);
      const [due] = await store.due(turn, NOW, 10);
      if (due === undefined) throw new Error('nothing is due');
      await expire();
      const next = await claimed(store);
      expect(await store.conclude(turn, [change(due, retrying(later(1)))], { now: NOW })).toBe(false);
      expect(await store.conclude(next, [change(due, TOLD)], { now: NOW })).toBe(true);
      expect((await decisions()).map(({ decisionId }) => decisionId)).toEqual([`${due.deliveryId}:told`]);
    });

    it('names whatever has waited since an instant, also what is tried later', async () => {
      const { store } = await create();
      await store.settle([webhookBatch([first])], NOW);
      await store.settle([webhookBatch([other], 1)], later(1));
      const turn = await claimed(store, later(1));
      expect(ids(await store.waiting(turn, NOW, 10))).toEqual(['a1/1:Create:hook']);
      expect(ids(await store.waiting(turn, later(1), 10))).toEqual(['a1/1:Create:hook', 'a2/1:Create:hook']);
      expect(await store.waiting(turn, later(1), 1)).toHaveLength(1);
    });

    it('keeps no word of an alert that is deleted but that, nor of what was told (A6)', async () => {
      const { decisions, kept, store } = await create();
      const gone = webhookCommand({ action: 'Delete', version: 3, alert: { message: 'Secret' } });
      await store.settle([webhookBatch([webhookCommand({ alert: { message: 'Secret' } })])], NOW);
      const turn = await claimed(store);
      const [due] = await store.due(turn, NOW, 10);
      if (due === undefined) throw new Error('nothing is due');
      await store.settle([webhookBatch([second, gone], 1)], NOW);
      await store.conclude(turn, [change(due, retrying(later(1)))], { now: NOW });
      expect(await decisions()).toEqual([]);
      const next = await claimed(store);
      const [last, ...more] = await store.due(next, NOW, 10);
      expect(more).toEqual([]);
      expect(last).toMatchObject({ deliveryId: 'a1/3:Delete:hook' });
      if (last === undefined) throw new Error('nothing is due');
      await store.conclude(next, [change(last, TOLD)], { now: NOW });
      expect(await kept()).not.toContain('Secret');
      expect(await store.claim(later(60), 10)).toEqual([]);
      await store.settle([webhookBatch([first, second], 3)], NOW);
      expect(await store.claim(later(60), 10)).toEqual([]);
    });

    it('removes what came to its end long ago, and nothing that waits', async () => {
      const { kept, store } = await create();
      await store.settle([webhookBatch([first, other])], NOW);
      const turn = await claimed(store);
      const [due] = await store.due(turn, NOW, 1);
      if (due === undefined) throw new Error('nothing is due');
      await store.conclude(turn, [change(due, TOLD)], { now: NOW });
      expect(await store.remove(later(-1))).toBe(0);
      expect(await kept()).toContain('a1/1:Create:hook');
      expect(await store.remove(NOW)).toBe(0);
      expect(await kept()).not.toContain('a1/1:Create:hook');
      expect(await kept()).toContain('a2/1:Create:hook');
    });
  });
}
