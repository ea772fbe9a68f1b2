import { EvaluatePoliciesBody, type AnswerOf, type ItemOf } from '@tocsin/api';
import { formatInstant, type ResponderReference } from '@tocsin/events';
import { type Admission, defineRoute, type Route } from '@tocsin/http';
import type { Alert } from '../alerts/alert.ts';
import type { EvaluatePolicies, Evaluation } from './evaluate-operations.ts';
import type { FlowPlan, HoldPlan } from './policy-result.ts';
import { fieldChanges, type PolicyFinding, reasonText, findingText } from './finding.ts';

/** Operations of Tocsin: what policies would do to an alert. The right to read configuration suffices, because it writes nothing (K3). */
export function evaluationRoutes(policies: EvaluatePolicies, pool: Admission): readonly Route[] {
  return [
    defineRoute({
      operation: 'evaluate-policies',
      pool,
      body: EvaluatePoliciesBody,
      writtenNumbers: 'details',
      handle: async ({ body, principal, callerAddress }) => ({
        body: { data: evaluationView(await policies.evaluate(body, principal, callerAddress)) },
      }),
    }),
  ];
}

/**
 * The outcome of a create: what drops it, or the alert after the policies, its flow, and the findings of the policies.
 */
function evaluationView({
  command,
  flow,
  findings,
  omitted,
  at,
  repeats,
}: Evaluation): AnswerOf<'evaluate-policies'>['data'] {
  const { alert, source, dropped } = command;
  const outcome = dropped !== undefined ? 'dropped' : repeats === undefined ? 'created' : 'repeated';
  const { message, alias, description, entity, priority, responders, visibleTo, actions, tags, details } = alert;
  return {
    at: formatInstant(at),
    outcome,
    ...(dropped !== undefined && { status: dropped }),
    ...(repeats !== undefined && repeats !== 'hidden' && { repeats: openView(repeats) }),
    alert: {
      ...{ message, alias, description, entity, source, priority },
      ...{ actions, tags, details },
      responders: responders.map(responderView),
      visibleTo: visibleTo.map(responderView),
    },
    ...(outcome === 'created' && { flow: flowView(alert.suppressed ?? flow.suppressed, flow, at) }),
    policies: findings.map((finding) => findingView(finding, flow)),
    otherPolicies: { matched: omitted.applied, notMatched: omitted.skipped },
  };
}

const openView = ({ id, tinyId, alias }: Alert) => ({ id, tinyId: String(tinyId), alias });

const responderView = ({ type, id, name }: ResponderReference) => ({ type, id, name });

/** When users would be notified, and what would happen by itself after that. */
function flowView(suppressed: string | undefined, { hold, autoClose, autoRestart }: FlowPlan, at: Date) {
  return {
    ...(suppressed === undefined ? startView(hold, at) : { starts: 'never' as const, suppressed }),
    ...(autoClose && {
      autoClose: { at: formatInstant(new Date(at.getTime() + autoClose.afterMs)), policy: autoClose.policy },
    }),
    ...(autoRestart && {
      autoRestart: {
        everySeconds: autoRestart.everyMs / 1_000,
        maxRepeatCount: autoRestart.times,
        policy: autoRestart.policy,
      },
    }),
  };
}

type FlowStartView = Exclude<AnswerOf<'evaluate-policies'>['data']['flow'], undefined>;

/** When the flow would start. For a deduplication: with which occurrence, because when that comes is not known. */
function startView(hold: HoldPlan | undefined, at: Date): FlowStartView {
  if (hold === undefined) return { starts: 'at-once', startsAt: formatInstant(at) };
  const { policy } = hold;
  if (hold.kind === 'delay') return { starts: 'later', startsAt: formatInstant(hold.until), policy };
  const within = hold.withinMs === undefined ? {} : { withinSeconds: hold.withinMs / 1_000 };
  return { starts: 'by-occurrence', occurrence: hold.count, ...within, policy };
}

function findingView(
  finding: PolicyFinding,
  flow: FlowPlan,
): ItemOf<AnswerOf<'evaluate-policies'>['data']['policies']> {
  const { id, name, effects, teamId } = finding.policy;
  const common = { id, name, ...(teamId !== undefined && { teamId }) };
  if (finding.outcome === 'skipped') {
    const { why } = finding;
    const expected = why.kind === 'conditions' ? why.explained.failure(why.subject)?.expected : undefined;
    const wanted = expected === undefined ? {} : { expectedValue: expected };
    return { ...common, type: effects.kind, matched: false, reason: why.kind, ...wanted, text: reasonText(why) };
  }
  const text = findingText(finding, flow);
  return finding.outcome === 'modified'
    ? { ...common, type: 'alert', matched: true, changes: fieldChanges(finding.before, finding.after), text }
    : { ...common, type: 'notification', matched: true, effects: finding.effects, text };
}
