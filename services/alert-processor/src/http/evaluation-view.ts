import { formatInstant, type ResponderReference } from '@tocsin/contracts';
import type { Evaluation } from '../application/evaluate-policies.ts';
import type { Alert } from '../domain/alert.ts';
import type { FlowPlan, HoldPlan } from '../domain/policies/judgement.ts';
import { fieldChanges } from '../domain/policies/field-changes.ts';
import { verdictText, reasonText } from '../domain/policies/verdict-text.ts';
import type { PolicyVerdict } from '../domain/policies/verdict.ts';

type View = Readonly<Record<string, unknown>>;

/**
 * The outcome of a create: what drops it, or the alert after the policies, its flow, and the verdicts of the policies.
 */
export function evaluationView({ command, flow, verdicts, omitted, at, repeats }: Evaluation): View {
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
    policies: verdicts.map((verdict) => verdictView(verdict, flow)),
    otherPolicies: { matched: omitted.applied, notMatched: omitted.skipped },
  };
}

const openView = ({ id, tinyId, alias }: Alert): View => ({ id, tinyId: String(tinyId), alias });

const responderView = ({ type, id, name }: ResponderReference): View => ({ type, id, name });

/** When people would be told, and what would happen by itself after that. */
function flowView(suppressed: string | undefined, { hold, autoClose, autoRestart }: FlowPlan, at: Date): View {
  return {
    ...(suppressed === undefined ? startView(hold, at) : { starts: 'never', suppressed }),
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

/** When the flow would start. For a deduplication: with which occurrence, because nobody knows when that comes. */
function startView(hold: HoldPlan | undefined, at: Date): View {
  if (hold === undefined) return { starts: 'at-once', startsAt: formatInstant(at) };
  const { policy } = hold;
  if (hold.kind === 'delay') return { starts: 'later', startsAt: formatInstant(hold.until), policy };
  const within = hold.withinMs === undefined ? {} : { withinSeconds: hold.withinMs / 1_000 };
  return { starts: 'by-occurrence', occurrence: hold.count, ...within, policy };
}

function verdictView(verdict: PolicyVerdict, flow: FlowPlan): View {
  const { id, name, effects, teamId } = verdict.policy;
  const common = { id, name, type: effects.kind, ...(teamId !== undefined && { teamId }) };
  if (verdict.outcome === 'skipped') {
    const { why } = verdict;
    const expected = why.kind === 'conditions' ? why.explained.failure(why.subject)?.expected : undefined;
    const wanted = expected === undefined ? {} : { expectedValue: expected };
    return { ...common, matched: false, reason: why.kind, ...wanted, text: reasonText(why) };
  }
  const own =
    verdict.outcome === 'modified'
      ? { changes: fieldChanges(verdict.before, verdict.after) }
      : { effects: verdict.effects };
  return { ...common, matched: true, ...own, text: verdictText(verdict, flow) };
}
