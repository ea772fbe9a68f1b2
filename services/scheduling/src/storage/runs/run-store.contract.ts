import { describe, expect, it } from '@jest/globals';
import type { AlertCommand, AlertEvent, ConsumedBatch, Decision, Page } from '@tocsin/contracts';
import { nextDueAt } from '../../domain/runs/due.ts';
import { RunEffects } from '../../domain/runs/effects.ts';
import { applyEvent } from '../../domain/runs/apply-event.ts';
import type { Branch, Cause, LookUp, Run } from '../../domain/runs/run.ts';
import { diskFull } from '../../testing/run-samples.ts';
import { orderCommands } from '../../application/runs/order-commands.ts';
import type { RunChange, RunStore } from '../../ports/run-store.ts';

/** A store, and what its outbox does with what it writes. */
export interface StoreUnderTest {
  readonly store: RunStore;
  readonly pages: () => Promise<readonly Page[]>;
  readonly commands: () => Promise<readonly AlertCommand[]>;
  readonly decisions: () => Promise<readonly Decision[]>;
}

const DUE = new Date('2026-01-01T00:05:00Z');

export const event = (version: number): AlertEvent => ({
  alertId: 'a1',
  version,
  state: diskFull,
  facts: [],
  acceptedAt: '2026-01-01T00:00:00.000Z',
});

export const batch = (events: readonly AlertEvent[], firstOffset = 0): ConsumedBatch<AlertEvent> => ({
  topic: 'alert-events.v1',
  partition: 0,
  clusterId: 'c1',
  records: events.map((value, index) => ({ offset: firstOffset + index, key: 'a1', timestampMs: 1, value })),
});

const order = { id: 'escalation:a1:1', what: { kind: 'close' } } as const;

const waiting: Branch = {
  id: 'escalation:e1',
  escalationId: 'e1',
  escalationName: 'Ops',
  version: { epoch: 1, n: 2 },
  path: [],
  startedAt: DUE,
  rules: [],
  round: 2,
  isStopped: false,
  awaits: order.id,
  repeat: { waitMinutes: 10, count: 3, resetRecipientStates: true, closeAlertAfterAll: false },
};

const cause: Cause = {
  branchId: 'b',
  rule: '0',
  round: 0,
  isStopped: false,
  wantedWhile: 'unacked',
  dueAt: DUE,
  why: 'a test',
};

export const lookUp: LookUp = {
  id: 'b/0?user:ada',
  target: { type: 'user', id: 'ada' },
  choice: 'next',
  attempt: 2,
  dueAt: DUE,
  step: { cause, path: ['team:ops', 'user:ada'], attempt: 3 },
  since: DUE,
};

function pageOf(run: Run): Page {
  const effects = new RunEffects(run, DUE);
  effects.page('ada', 'ada@example.com', cause);
  return effects.pages[0] ?? (undefined as never);
}

/** Starts a run with one page, and takes over later states. */
export function decide(run: Run | undefined, of: AlertEvent): RunChange | undefined {
  const applied = applyEvent(run, of);
  if (applied === undefined) return undefined;
  const fresh = applied.cycleStart !== undefined;
  return {
    at: DUE,
    run: applied.run,
    pages: fresh ? [pageOf(applied.run)] : [],
    commands: [],
    decisions: [],
  };
}

/** What every run store promises. Each adapter runs it, so the fake cannot drift from the real one. */
export function describeRunStore(name: string, create: () => Promise<StoreUnderTest>): void {
  describe(`${name} as a run store`, () => {
    it('keeps what a settlement decided: the run and its pages', async () => {
      const { store, pages } = await create();
      expect(await store.settleEvents([batch([event(1)])], decide)).toEqual({ outcome: 'done' });
      expect((await store.find(['a1', 'other'])).get('a1')).toMatchObject({ alertVersion: 1, begun: true });
      expect(await pages()).toMatchObject([{ userId: 'ada' }]);
    });

    it('keeps the details of an alert as they are, whatever their keys', async () => {
      const { store, pages } = await create();
      const details = { 'a.b': '1', $set: '2', '$where.x': '3', '': '4' };
      const odd = { ...event(1), state: { ...diskFull, details } };
      expect(await store.settleEvents([batch([odd])], decide)).toEqual({ outcome: 'done' });
      expect((await store.find(['a1'])).get('a1')?.alert.details).toEqual(details);
      expect((await pages())[0]?.alert.details).toEqual(details);
    });

    it('lets an event of a batch see what the one before it decided', async () => {
      const { store } = await create();
      const seen: (number | undefined)[] = [];
      await store.settleEvents([batch([event(1), event(2)])], (run, of) => {
        seen.push(run?.alertVersion);
        return decide(run, of);
      });
      expect(seen).toEqual([undefined, 1]);
    });

    it('keeps once what an event decides that is delivered twice: the same record, and another of it', async () => {
      const { store, pages } = await create();
      await store.settleEvents([batch([event(1), event(2)])], decide);
      const run = (await store.find(['a1'])).get('a1');
      expect(await store.settleEvents([batch([event(1), event(2)])], decide)).toEqual({ outcome: 'done' });
      expect(await store.settleEvents([batch([event(2), event(1), event(2)], 2)], decide)).toEqual({ outcome: 'done' });
      expect((await store.find(['a1'])).get('a1')).toEqual(run);
      expect(await pages()).toHaveLength(1);
    });

    it('tells the new owner of an alert without responders, and keeps no run of it', async () => {
      const { store, pages } = await create();
      const assigned: AlertEvent = {
        ...event(1),
        state: { ...diskFull, responders: [] },
        facts: [
          {
            factId: 'f1',
            kind: 'assigned',
            actor: 'ada',
            at: event(1).acceptedAt,
            responder: { type: 'user', id: 'ada' },
          },
        ],
      };
      const noted: AlertEvent = {
        ...assigned,
        alertId: 'a2',
        facts: [{ factId: 'f2', kind: 'noted', actor: 'ada', at: event(1).acceptedAt }],
      };
      const seen: string[] = [];
      const settling = await store.settleEvents([batch([assigned, noted])], (run, of) => {
        seen.push(of.alertId);
        const change = decide(run, of);
        return change && { ...change, run: undefined };
      });
      expect(settling).toEqual({ outcome: 'done' });
      expect(seen).toEqual(['a1']);
      expect(await pages()).toHaveLength(1);
      expect((await store.find(['a1'])).size).toBe(0);
    });

    it('keeps who is to be looked up again, with what led there and when', async () => {
      const { store } = await create();
      const waits = { lookUps: [lookUp], pagedMeanwhile: [{ userId: 'ada', wantedWhile: 'open' as const, at: DUE }] };
      await store.settleEvents([batch([event(1)])], (run, of) => {
        const change = decide(run, of);
        return change?.run && { ...change, run: { ...change.run, ...waits } };
      });
      const kept = (await store.find(['a1'])).get('a1');
      expect(kept).toMatchObject(waits);
      expect(kept && nextDueAt(kept)).toEqual(DUE);
    });

    it('keeps what a repetition is made of: its order, and the branch that waits for it', async () => {
      const { store, commands } = await create();
      const repeating = { branches: [waiting], orders: 1, reached: ['ada'] };
      await store.settleEvents([batch([event(1)])], (run, of) => {
        const change = decide(run, of);
        if (change?.run === undefined) return undefined;
        const after = { ...change.run, ...repeating };
        return { ...change, run: after, commands: orderCommands(after, [order], DUE) };
      });
      expect(await commands()).toMatchObject([{ kind: 'close', requestId: 'escalation:a1:1', cycle: 1 }]);
      expect((await store.find(['a1'])).get('a1')).toMatchObject(repeating);
    });

    it('moves past a record that fails for ever', async () => {
      const { store } = await create();
      const record = { topic: 'alert-events.v1', partition: 0, clusterId: 'c1', offset: 0, key: 'a1', timestampMs: 1 };
      expect(await store.bury({ ...record, value: undefined }, undefined)).toEqual({ outcome: 'done' });
    });
  });
}
