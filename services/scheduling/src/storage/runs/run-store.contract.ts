import { describe, expect, it } from '@jest/globals';
import type { AlertCommand, AlertEvent, ConsumedBatch, Page } from '@tocsin/contracts';
import type { RuleTimer } from '../../domain/runs/effects.ts';
import { RunEffects } from '../../domain/runs/effects.ts';
import { observe } from '../../domain/runs/observe.ts';
import type { Branch, Run } from '../../domain/runs/run.ts';
import { diskFull } from '../../domain/runs/run.samples.ts';
import { orderCommands } from '../../application/runs/order-commands.ts';
import type { RetainedRuns } from '../../ports/retained-runs.ts';
import type { RuleClaim, RunChange, RunStore } from '../../ports/run-store.ts';

/** A store, and what its timers and its outbox do with what it writes. */
export interface StoreUnderTest<C extends RuleClaim> {
  readonly store: RunStore<C>;
  readonly retained: RetainedRuns;
  /** Claims what is due at `at` or before. */
  readonly claim: (at: Date) => Promise<readonly C[]>;
  readonly pages: () => Promise<readonly Page[]>;
  readonly commands: () => Promise<readonly AlertCommand[]>;
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

const timer = (openedBy: number): RuleTimer => ({
  alertId: 'a1',
  branchId: 'escalation:e1',
  ruleIndex: 1,
  round: 0,
  openedBy,
  dueAt: DUE,
});

const order = { id: 'escalation:a1:1', number: 1, what: { kind: 'close' } } as const;

const waiting: Branch = {
  ...{ id: 'escalation:e1', escalationId: 'e1', escalationName: 'Ops', version: { epoch: 1, n: 2 }, path: [] },
  ...{ startedAt: DUE, rules: [], round: 2, openedBy: 1, ahead: 0, awaits: order.id },
  repeat: { waitMinutes: 10, count: 3, resetRecipientStates: true, closeAlertAfterAll: false },
};

function pageOf(run: Run): Page {
  const effects = new RunEffects(run, DUE);
  const cause = {
    branchId: 'b',
    rule: '0',
    round: 0,
    openedBy: 1,
    wantedWhile: 'unacked' as const,
    dueAt: DUE,
    why: 'a test',
  };
  effects.page('ada', 'ada@example.com', cause);
  return effects.pages[0] ?? (undefined as never);
}

/** Starts a run with one page and one timer, and takes over later states. */
export function decide(run: Run | undefined, of: AlertEvent): RunChange | undefined {
  const observation = observe(run, of);
  if (observation.kind === 'stale') return undefined;
  const fresh = observation.begins !== undefined;
  return {
    ...{ at: DUE, run: observation.run },
    timers: fresh ? [timer(1)] : [],
    pages: fresh ? [pageOf(observation.run)] : [],
    commands: [],
    decisions: [],
  };
}

/** What every run store promises. Each adapter runs it, so the fake cannot drift from the real one. */
export function describeRunStore<C extends RuleClaim>(name: string, create: () => Promise<StoreUnderTest<C>>): void {
  describe(`${name} as a run store`, () => {
    it('keeps what a settlement decided: the run, its pages and its timers', async () => {
      const { store, claim, pages } = await create();
      expect(await store.settleEvents([batch([event(1)])], decide)).toEqual({ outcome: 'done' });
      expect((await store.find(['a1', 'other'])).get('a1')).toMatchObject({ alertVersion: 1, begun: true });
      expect(await pages()).toMatchObject([{ userId: 'ada' }]);
      expect(await claim(DUE)).toMatchObject([{ fence: 1, payload: { alertId: 'a1', branchId: 'escalation:e1' } }]);
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
      const { store, claim, pages } = await create();
      await store.settleEvents([batch([event(1), event(2)])], decide);
      const run = (await store.find(['a1'])).get('a1');
      expect(await store.settleEvents([batch([event(1), event(2)])], decide)).toEqual({ outcome: 'done' });
      expect(await store.settleEvents([batch([event(2), event(1), event(2)], 2)], decide)).toEqual({ outcome: 'done' });
      expect((await store.find(['a1'])).get('a1')).toEqual(run);
      expect(await pages()).toHaveLength(1);
      expect(await claim(DUE)).toHaveLength(1);
    });

    it('settles a rule once and ends its claim', async () => {
      const { store, claim, pages } = await create();
      await store.settleEvents([batch([event(1)])], decide);
      const claims = await claim(DUE);
      await store.settleRules(claims, (run) => ({
        ...{ at: DUE, run },
        ...{ timers: [], pages: [pageOf(run)], commands: [], decisions: [] },
      }));
      expect(await pages()).toHaveLength(2);
      expect(await claim(DUE)).toEqual([]);
    });

    it('ends the claim of a rule that changes nothing, or of whose alert it knows nothing', async () => {
      const { store, claim, pages } = await create();
      await store.settleEvents([batch([event(1)])], (run, of) => {
        const change = decide(run, of);
        return change && { ...change, timers: [timer(7), { ...timer(7), alertId: 'gone' }] };
      });
      const claims = await claim(DUE);
      expect(claims.map(({ fence }) => fence)).toEqual([7, 7]);
      await store.settleRules(claims, () => undefined);
      expect(await pages()).toHaveLength(1);
      expect(await claim(DUE)).toEqual([]);
    });

    it('keeps what a repetition is made of: its timer, its order, and the branch that waits for it', async () => {
      const { store, claim, commands } = await create();
      const repeats: RuleTimer = { ...timer(1), ruleIndex: 'repeat', round: 2 };
      await store.settleEvents([batch([event(1)])], (run, of) => {
        const change = decide(run, of);
        return change && { ...change, timers: [repeats, timer(1)] };
      });
      const claims = await claim(DUE);
      expect(claims.map(({ payload }) => payload)).toEqual(
        expect.arrayContaining([
          { alertId: 'a1', branchId: 'escalation:e1', ruleIndex: 'repeat', round: 2 },
          { alertId: 'a1', branchId: 'escalation:e1', ruleIndex: 1 },
        ]),
      );
      await store.settleRules(claims.slice(0, 1), (run) => ({
        ...{ at: DUE, timers: [], pages: [], decisions: [] },
        run: { ...run, branches: [waiting], orders: 1, reached: ['ada'], asked: ['f1'] },
        commands: orderCommands(run, [order], { at: DUE, partitionFor: () => 3 }),
      }));
      expect(await commands()).toMatchObject([{ kind: 'close', requestId: 'escalation:a1:1', cycle: 1 }]);
      expect((await store.find(['a1'])).get('a1')).toMatchObject({
        branches: [waiting],
        orders: 1,
        reached: ['ada'],
        asked: ['f1'],
      });
    });

    it('moves past a record that fails for ever', async () => {
      const { store } = await create();
      const record = { topic: 'alert-events.v1', partition: 0, clusterId: 'c1', offset: 0, key: 'a1', timestampMs: 1 };
      expect(await store.bury({ ...record, value: undefined }, undefined)).toEqual({ outcome: 'done' });
    });
  });
}
