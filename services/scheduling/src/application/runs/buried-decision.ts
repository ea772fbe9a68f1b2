import type { AlertEvent, Decision } from '@tocsin/contracts';
import type { RuleClaim } from '../../ports/run-store.ts';

/** The log entry of an alert one of whose events fails for ever and is a dead letter now. */
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

/** The log entry of an alert one of whose rules fails for ever; its other rules fire. */
export function buriedRule({ id, payload: { alertId, ...facts } }: RuleClaim, reason: string, now: Date): Decision {
  const { branchId, ruleIndex } = facts;
  const what = typeof ruleIndex === 'number' ? `Rule ${ruleIndex + 1}` : `The timer [${ruleIndex}]`;
  const text = `${what} of [${branchId}] cannot be carried out and is left out: ${reason}.`;
  return {
    decisionId: `buried:rule:${id}@${now.toISOString()}`,
    alertId,
    stage: 'route',
    at: now.toISOString(),
    verdicts: [{ subject: 'escalation-rule', outcome: 'buried', text, facts }],
  };
}
