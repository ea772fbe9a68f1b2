import type { Responder } from '@tocsin/contracts';
import { userOf, snapshotOf } from './on-call-samples.ts';
import type { RunEffects } from '../domain/runs/effects.ts';
import type { DueItem } from '../domain/runs/due.ts';
import { compileRouting } from '../domain/runs/routing.ts';
import type { RoutingView } from '../domain/runs/routing.ts';
import { applyEvent, type AppliedEvent } from '../domain/runs/apply-event.ts';
import type { Run } from '../domain/runs/run.ts';
import { startedBy } from './run-samples.ts';
import { applyEffects, startRun } from '../domain/runs/settle-run.ts';

/** What routing reads where `things` exist, and users ada, grace and edsger. */
export const view = (things: Parameters<typeof snapshotOf>[0]): RoutingView => ({
  ...snapshotOf({ users: ['ada', 'grace', 'edsger'].map(userOf), ...things }),
  routing: compileRouting,
  pick: (items) => items[0],
});

function changedBy(responders: Responder[]): AppliedEvent {
  const applied = applyEvent(undefined, {
    alertId: 'a1',
    version: 1,
    state: startedBy(1, { responders }),
    facts: [],
    acceptedAt: '2026-01-01T00:00:00.000Z',
  });
  if (applied === undefined) throw new Error('the sample does not start a flow');
  return applied;
}

/** A run of an alert with `responders` that starts at `now`. */
export function start(
  responders: Responder[],
  things: Parameters<typeof snapshotOf>[0] = {},
  now = new Date('2026-01-01T00:00:00Z'),
): { readonly run: Run; readonly effects: RunEffects; readonly view: RoutingView } {
  const { cycleStart, run } = changedBy(responders);
  if (cycleStart === undefined) throw new Error('the sample does not start a flow');
  const effects = startRun(run, cycleStart, view(things), now);
  return { run: applyEffects(run, effects), effects, view: view(things) };
}

/** Something of a branch or look-up that is due. */
export const dueItem = (branchId: string, ruleIndex: DueItem['ruleIndex'], round = 0): DueItem => ({
  branchId,
  ruleIndex,
  round,
  dueAt: new Date('2026-01-01T00:00:00Z'),
});

/** Who is paged, in order. */
export const paged = (effects: { pages: readonly { userId: string }[] }): readonly string[] =>
  effects.pages.map(({ userId }) => userId);
/** What came of each decision, in order. */
export const outcomes = (effects: { verdicts: readonly { outcome: string }[] }): readonly string[] =>
  effects.verdicts.map(({ outcome }) => outcome);
