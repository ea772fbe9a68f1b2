import type { AlertEvent, Decision } from '@tocsin/contracts';
import { dueKey, type DueItem } from '../../domain/runs/due.ts';

/** The log entry of an alert that has an event that is a dead letter. */
export function buriedEvent({ alertId, version }: AlertEvent, reason: string, now: Date): Decision {
  const text = `Whom version ${version} of the alert is to page is not known: its event is a dead letter: ${reason}.`;
  const verdict = { subject: 'alert-event', outcome: 'buried', text, facts: { version } };
  return {
    decisionId: `buried:route:${alertId}:${version}`,
    alertId,
    stage: 'route',
    at: now.toISOString(),
    verdicts: [verdict],
  };
}

/** The log entry of an alert whose run could not do a due item. The run goes on with its other items. */
export function leftOutDecision(alertId: string, item: DueItem, reason: string, now: Date): Decision {
  const { branchId, round, ruleIndex } = item;
  const text = `${nameOf(item)} cannot be carried out and is left out: ${reason}.`;
  const facts = { branchId, ruleIndex, ...(round > 0 && { round }) };
  return {
    decisionId: `buried:rule:${alertId}:${dueKey(item)}@${now.toISOString()}`,
    alertId,
    stage: 'route',
    at: now.toISOString(),
    verdicts: [{ subject: 'escalation-rule', outcome: 'buried', text, facts }],
  };
}

function nameOf({ branchId, ruleIndex }: DueItem): string {
  switch (ruleIndex) {
    case 'repeat':
      return `The end of the round of [${branchId}]`;
    case 'look-up':
      return `The look-up [${branchId}]`;
    case 'exhausted':
      return 'The notice that the flow is exhausted';
    default:
      return `Rule ${ruleIndex + 1} of [${branchId}]`;
  }
}
