import type { Steps } from '@tocsin/core';
import { fireRule } from './fire.ts';
import type { TransitionContext } from './open.ts';
import { ruleKey, type ActiveEscalation } from './escalation-state.ts';

/**
 * Ends the present repeat of `active` (S9): fires rules that are late, then starts the next repeat or, after the last one, closes
 * the alert if the escalation says so.
 */
export function* endRepeat(context: TransitionContext, active: ActiveEscalation): Steps<void> {
  const { repeat, rules } = active;
  if (repeat === undefined || active.awaitedOrderId !== undefined) return;
  for (const index of rules.keys()) yield* fireRule(context, active, index);
  if (active.repeatNumber >= repeat.count) closeAfterAll(context, active);
  else if (repeat.resetRecipientStates) requestReset(context, active);
  else if (context.state.alert.acknowledged) skipRepeat(context, active);
  else startNextRepeat(context, active);
}

/** Starts the next repeat. Its delays count from now, so that an outage is not followed by several repeats at once. */
export function startNextRepeat(context: TransitionContext, active: ActiveEscalation): void {
  const { effects } = context;
  const next = nextRepeat(active, effects.at);
  effects.started.push(next);
  logDecision(context, next, 'repeated', `${nameOf(next)} starts again: ${countOf(next)}.`);
}

/**
 * The next repeat waits until alert-processor has reset the acknowledgement and the seen state: otherwise its pages would be about an
 * acknowledged alert.
 */
function requestReset(context: TransitionContext, active: ActiveEscalation): void {
  const { effects } = context;
  effects.changed.push({ ...active, awaitedOrderId: effects.order({ kind: 'reset-recipient-states' }) });
  const text = `${nameOf(active)} is to start again: what was acknowledged and seen is undone first.`;
  logDecision(context, active, 'reset', text);
}

/** After an acknowledgement repeats page no user (A4). They are still counted, because the alert may be closed after the last. */
function skipRepeat(context: TransitionContext, active: ActiveEscalation): void {
  const { effects } = context;
  const next = nextRepeat(active, effects.at);
  effects.changed.push(next);
  for (const index of next.rules.keys()) {
    if (effects.rules.hasFired(ruleKey(active, index))) effects.rules.fire(ruleKey(next, index));
    else effects.rules.skip(ruleKey(next, index));
  }
  logDecision(
    context,
    next,
    'skipped',
    `${nameOf(next)} does not start again, ${countOf(next)}: the alert is acknowledged.`,
  );
}

function closeAfterAll(context: TransitionContext, active: ActiveEscalation): void {
  if (active.repeat?.closeAlertAfterAll !== true) return;
  context.effects.changed.push({ ...active, awaitedOrderId: context.effects.order({ kind: 'close' }) });
  const after = active.repeatNumber === 0 ? 'after its rules' : 'after its last repeat';
  logDecision(context, active, 'closing', `${nameOf(active)} closes the alert ${after}.`);
}

const nextRepeat = (active: ActiveEscalation, startedAt: Date): ActiveEscalation => ({
  ...active,
  repeatNumber: active.repeatNumber + 1,
  startedAt,
  awaitedOrderId: undefined,
});

const nameOf = ({ escalationName }: ActiveEscalation): string => `Escalation [${escalationName}]`;

const countOf = ({ repeatNumber, repeat }: ActiveEscalation): string =>
  `repeat ${repeatNumber} of ${repeat?.count ?? 0}`;

function logDecision({ effects }: TransitionContext, active: ActiveEscalation, outcome: string, text: string): void {
  effects.logDecision('escalation', outcome, text, {
    escalationId: active.escalationId,
    branch: active.id,
    repeatNumber: active.repeatNumber,
    repeat: active.repeat,
  });
}
