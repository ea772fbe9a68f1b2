import type { AlertEvent, Decision } from '@tocsin/events';
import { type DueItem, dueKey } from './due.ts';
import type { Effects } from './effects.ts';
import type { EscalationState } from './escalation-state.ts';
import type { Transition } from './transitions.ts';

/**
 * The transition of a due item. In each repeat of its escalation a look-up has the same key, so the name also has the instant: the log keeps
 * one decision of each id.
 */
export const dueTransition = (state: EscalationState, item: DueItem, effects: Effects): Transition => ({
  name: `${dueKey(item)}@${effects.at.toISOString()}`,
  state,
  effects,
});

/** The decision that logs a transition, under an id that no other transition of the escalation state has; none where it has no finding. */
export function decisionsOf({ name, state, effects }: Transition): readonly Decision[] {
  if (effects.findings.length === 0) return [];
  return [
    {
      decisionId: `route:${state.alertId}:${state.alert.cycle}:${name}`,
      alertId: state.alertId,
      stage: 'route',
      at: effects.at.toISOString(),
      findings: [...effects.findings],
    },
  ];
}

/** The log entry of an event that is a dead letter. */
export function deadLetterDecision({ alertId, version }: AlertEvent, reason: string, now: Date): Decision {
  const text = `No page follows from version ${version} of the alert, because its event is a dead letter: ${reason}.`;
  const finding = { subject: 'alert-event', outcome: 'dead-letter', text, facts: { version } };
  return {
    decisionId: `dead-letter:route:${alertId}:${version}`,
    alertId,
    stage: 'route',
    at: now.toISOString(),
    findings: [finding],
  };
}

/** The log entry of a due item that failed. Scheduling processes the other items of the escalation state. */
export function skippedItemDecision(alertId: string, item: DueItem, reason: string, now: Date): Decision {
  const { facts, name } = described(item);
  const text = `${name} fails each time and is skipped: ${reason}.`;
  return {
    decisionId: `dead-letter:rule:${alertId}:${dueKey(item)}@${now.toISOString()}`,
    alertId,
    stage: 'route',
    at: now.toISOString(),
    findings: [{ subject: 'escalation-rule', outcome: 'dead-letter', text, facts }],
  };
}

function described(item: DueItem): { readonly name: string; readonly facts: Readonly<Record<string, unknown>> } {
  switch (item.kind) {
    case 'rule':
      return {
        name: `Rule ${item.ruleIndex + 1} of [${item.routeId}]`,
        facts: { branch: item.routeId, repeatNumber: item.repeatNumber, ruleIndex: item.ruleIndex },
      };
    case 'repeat':
      return {
        name: `The repeat of [${item.routeId}]`,
        facts: { branch: item.routeId, repeatNumber: item.repeatNumber },
      };
    case 'look-up':
      return { name: `The look-up [${item.lookUpId}]`, facts: { branch: item.lookUpId, attempt: item.attempt } };
    case 'exhausted':
      return { name: 'The log entry that the flow is exhausted', facts: { cycle: item.cycle } };
  }
}
