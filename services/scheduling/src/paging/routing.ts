import type { AlertState, DecisionFinding, RoutingRuleState, TeamState } from '@tocsin/events';
import {
  alertSubject,
  compileConditions,
  compileTimeRestriction,
  firstTen,
  PatternBudget,
  type ConditionSubject,
} from '@tocsin/rules';
import type { Exists } from '../configuration/mentions.ts';
import { nameIn, type Snapshot } from '../configuration/snapshot.ts';

/** Why a rule does not match an alert; `gone`: its target was deleted. */
type SkipReason = 'criteria' | 'too-expensive' | 'time-restriction' | 'gone';

/** The input of routing in one transition. */
export interface RoutingView extends Snapshot {
  /** The routing rules of a team, compiled once for as long as its state is the same. */
  routing(team: TeamState): TeamRouting;
  /** Picks one of several with equal chances. */
  pick<T>(items: readonly T[]): T | undefined;
}

/** The result of a team's routing rules: those that did not match, in order, and the one that did, if any. */
export interface RoutingResult {
  readonly skipped: readonly { readonly rule: RoutingRuleState; readonly because: SkipReason }[];
  readonly rule: RoutingRuleState | undefined;
}

/**
 * The compiled routing rules of one version of a team. `describe` is called at most once, and only if a rule has criteria; `at` is read
 * on the wall clock of each rule's own zone (S3). A rule whose target does not exist is skipped. The patterns also count against
 * `sharedBudget`, which teams may share.
 */
export type TeamRouting = (
  describe: () => ConditionSubject,
  at: Date,
  exists: Exists,
  sharedBudget?: PatternBudget,
) => RoutingResult;

/** Compiles the rules of `team`. The first rule that matches and has a target routes the alert; the default rule comes last (S10). */
export function compileRouting({ routingRules }: TeamState): TeamRouting {
  const compiled = routingRules
    .toSorted((a, b) => Number(a.isDefault) - Number(b.isDefault) || a.order - b.order)
    .map((rule) => ({ rule, findSkipReason: compileSkipReason(rule) }));
  return (describe, at, exists, sharedBudget) => {
    let described: ConditionSubject | undefined;
    const subject = () => (described ??= describe());
    const skipped: RoutingResult['skipped'][number][] = [];
    const budget = new PatternBudget(undefined, sharedBudget);
    for (const { rule, findSkipReason } of compiled) {
      const because = findSkipReason(subject, at, budget) ?? (hasTarget(rule, exists) ? undefined : 'gone');
      if (because === undefined) return { skipped, rule };
      skipped.push({ rule, because });
    }
    return { skipped, rule: undefined };
  };
}

const hasTarget = ({ notify }: RoutingRuleState, exists: Exists): boolean => notify.type === 'none' || exists(notify);

function compileSkipReason({ criteria, timeRestriction, timezone }: RoutingRuleState) {
  const matches = compileConditions(criteria);
  const matchesAll = criteria.type === 'match-all';
  const inTime = compileTimeRestriction(timeRestriction, timezone);
  return (subject: () => ConditionSubject, at: Date, budget: PatternBudget): SkipReason | undefined => {
    const result = matchesAll ? 'holds' : matches(subject(), budget);
    if (result !== 'holds') return result === 'fails' ? 'criteria' : result;
    return inTime(at) ? undefined : 'time-restriction';
  };
}

/** The fields of `alert` that criteria compare, with responders under their ids and known names (P3). */
export function routedSubject(alert: AlertState, snapshot: Snapshot): ConditionSubject {
  return alertSubject(alert, (responder) => nameIn(snapshot, responder));
}

/** Names a rule in a sentence; one without a name by its place, counted from 1. */
function ruleName({ isDefault, name, order }: RoutingRuleState): string {
  if (isDefault) return 'the default routing rule';
  return name === '' ? `routing rule ${order + 1}` : `routing rule [${name}]`;
}

const REASONS: Readonly<Record<SkipReason, (rule: RoutingRuleState) => string>> = {
  criteria: () => 'the alert does not meet its criteria',
  'too-expensive': () => 'its criteria were not evaluated: too expensive',
  gone: ({ notify }) => `the ${notify.type} that it notifies does not exist any more`,
  'time-restriction': ({ timezone }) => `it does not hold at that time in ${timezone}`,
};

/** One finding about all rules that did not match: its facts list each with the reason, its sentence names the first ten. */
function skippedFinding(team: TeamState, skipped: RoutingResult['skipped']): DecisionFinding {
  const named = firstTen(skipped, ({ rule, because }) => `${ruleName(rule)}: ${REASONS[because](rule)}`);
  const rules = skipped.map(({ rule, because }) => ({ ruleId: rule.id, because }));
  return {
    subject: 'routing-rule',
    outcome: 'skipped',
    text: `Team [${team.name}] skips ${named.join('; ')}.`,
    facts: { teamId: team.id, rules },
  };
}

/** The log entries of a routing: the rules that did not match, then the one that did, or that none did. */
export function routingFindings(team: TeamState, { skipped, rule }: RoutingResult): readonly DecisionFinding[] {
  const others = skipped.length === 0 ? [] : [skippedFinding(team, skipped)];
  return [...others, rule === undefined ? noRuleFinding(team) : matchedFinding(team, rule)];
}

const noRuleFinding = (team: TeamState): DecisionFinding => ({
  subject: 'routing-rule',
  outcome: 'no-recipient',
  text: `No routing rule of team [${team.name}] matches the alert: no recipient is notified.`,
  facts: { teamId: team.id },
});

function matchedFinding(team: TeamState, rule: RoutingRuleState): DecisionFinding {
  const { notify } = rule;
  const [outcome, what] =
    notify.type === 'none' ? ['no-recipient', 'notifies no recipient'] : ['matched', `chose the ${notify.type}`];
  const name = ruleName(rule).replace(/^./, (letter) => letter.toUpperCase());
  return {
    subject: 'routing-rule',
    outcome,
    text: `${name} of team [${team.name}] ${what}.`,
    facts: { teamId: team.id, ruleId: rule.id, target: notify },
  };
}
