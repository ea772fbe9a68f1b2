import { describe, expect, it } from '@jest/globals';
import type { AlertCommand, AlertEvent, ConsumedBatch, Decision, Page } from '@tocsin/contracts';
import type { RuleTimer } from '../../domain/runs/rule-timer.ts';
import { RunEffects } from '../../domain/runs/effects.ts';
import { observe } from '../../domain/runs/observe.ts';
import type { Branch, Cause, LookUp, Run } from '../../domain/runs/run.ts';
import { diskFull } from '../../testing/run-samples.ts';
import { orderCommands } from '../../application/runs/order-commands.ts';
import type { RuleClaim, RunChange, RunStore } from '../../ports/run-store.ts';

/** A store, and what its timers and its outbox do with what it writes. */
export interface StoreUnderTest<C extends RuleClaim> {
  readonly store: RunStore<C>;
  /** Claims what is due at `at` or before. */
  readonly claim: (at: Date) => Promise<readonly C[]>;
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

const timer = (openedBy: number): RuleTimer => ({
  alertId: 'a1',
  branchId: 'escalation:e1',
  ruleIndex: 1,
  round: 0,
  openedBy,
  dueAt: DUE,
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
  openedBy: 1,
  ahead: 0,
  awaits: order.id,
  repeat: { waitMinutes: 10, count: 3, resetRecipientStates: true, closeAlertAfterAll: false },
};

const cause: Cause = {
  branchId: 'b',
  rule: '0',
  round: 0,
  openedBy: 1,
  wantedWhile: 'unacked',
  dueAt: DUE,
  why: 'a test',
};

const lookUp: LookUp = {
  id: 'b/0?user:ada',
  target: { type: 'user', id: 'ada' },
  choice: 'next',
  attempt: 2,
  step: { cause, path: ['team:ops', 'user:ada'], attempt: 3 },
  since: DUE,
};

const buried: Decision = {
  decisionId: 'buried:rule:a1',
  alertId: 'a1',
  stage: 'route',
  at: DUE.toISOString(),
  verdicts: [{ subject: 'escalation-rule', outcome: 'buried', text: 'Left out.' }],
};

function pageOf(run: Run): Page {
  const effects = new RunEffects(run, DUE);
  effects.page('ada', 'ada@example.com', cause);
  return effects.pages[0] ?? (undefined as never);
}

/** Starts a run with one page and one timer, and takes over later states. */
export function decide(run: Run | undefined, of: AlertEvent): RunChange | undefined {
  const observation = observe(run, of);
  if (observation.kind === 'stale') return undefined;
  const fresh = observation.cycleStart !== undefined;
  return {
    at: DUE,
    run: observation.run,
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
        at: DUE,
        run,
        timers: [],
        pages: [pageOf(run)],
        commands: [],
        decisions: [],
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

    it('settles nothing of rules of which one fails for ever, and settles the others once it is left out', async () => {
      const { store, claim, pages } = await create();
      await store.settleEvents([batch([event(1)])], (run, of) => {
        const change = decide(run, of);
        return change && { ...change, timers: [timer(1), timer(7)] };
      });
      const claims = await claim(DUE);
      expect(claims).toHaveLength(2);
      const run = (await store.find(['a1'])).get('a1');
      const settle = (of: Run, { fence }: C): RunChange => {
        if (fence === 7) throw new TypeError('odd');
        const after = { ...of, fired: ['escalation:e1#1'] };
        return { at: DUE, run: after, timers: [], pages: [pageOf(of)], commands: [], decisions: [] };
      };
      // The one that fails is the last: what is decided by then is taken back.
      const inOrder = claims.toSorted((one, other) => one.fence - other.fence);
      expect(await store.settleRules(inOrder, settle)).toEqual({ outcome: 'refused', reason: 'TypeError: odd' });
      expect((await store.find(['a1'])).get('a1')).toEqual(run);
      expect(await pages()).toHaveLength(1);
      expect(await store.settleRules(inOrder.slice(0, 1), settle)).toEqual({ outcome: 'done' });
      expect((await store.find(['a1'])).get('a1')?.fired).toEqual(['escalation:e1#1']);
      expect(await pages()).toHaveLength(2);
    });

    it('buries a rule: its claim ends, the log says so, and its run is without it', async () => {
      const { store, claim, decisions, pages } = await create();
      await store.settleEvents([batch([event(1)])], decide);
      const run = (await store.find(['a1'])).get('a1');
      const [only] = await claim(DUE);
      if (only === undefined) throw new Error('nothing is due');
      await store.buryRule(only, buried, (of) => ({ ...of, fired: ['escalation:e1#1'] }));
      expect(await decisions()).toEqual([buried]);
      expect(await claim(DUE)).toEqual([]);
      expect((await store.find(['a1'])).get('a1')).toEqual({ ...run, fired: ['escalation:e1#1'] });
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
        return change && { ...change, run: undefined, timers: [] };
      });
      expect(settling).toEqual({ outcome: 'done' });
      expect(seen).toEqual(['a1']);
      expect(await pages()).toHaveLength(1);
      expect((await store.find(['a1'])).size).toBe(0);
    });

    it('keeps who is to be looked up again, with what led there, and the timer that does it', async () => {
      const { store, claim } = await create();
      const waits = { lookUps: [lookUp], pagedMeanwhile: [{ userId: 'ada', wantedWhile: 'open' as const, at: DUE }] };
      const again: RuleTimer = { ...timer(1), branchId: lookUp.id, ruleIndex: 'look-up', round: 2 };
      await store.settleEvents([batch([event(1)])], (run, of) => {
        const change = decide(run, of);
        return change?.run && { ...change, run: { ...change.run, ...waits }, timers: [again] };
      });
      expect((await store.find(['a1'])).get('a1')).toMatchObject(waits);
      const payload = { alertId: 'a1', branchId: lookUp.id, ruleIndex: 'look-up', round: 2 };
      expect(await claim(DUE)).toMatchObject([{ fence: 1, payload }]);
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
        at: DUE,
        timers: [],
        pages: [],
        decisions: [],
        run: { ...run, branches: [waiting], orders: 1, reached: ['ada'], asked: ['f1'] },
        commands: orderCommands(run, [order], DUE),
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
