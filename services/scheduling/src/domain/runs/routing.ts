import type { AlertState, RoutingRuleState, TeamState } from '@tocsin/contracts';
import { alertSubject, compileConditions, compileTimeRestriction, type ConditionSubject } from '@tocsin/rules';
import type { World } from '../world.ts';

/** Why a rule did not take an alert. */
type SkipReason = 'criteria' | 'time-restriction';

/** What a team's rules make of one alert: those passed over, in order, and the one that took it, if any did. */
export interface Routed {
  readonly skipped: readonly { readonly rule: RoutingRuleState; readonly because: SkipReason }[];
  readonly rule: RoutingRuleState | undefined;
}

/**
 * The routing rules of one state of a team, made ready for many alerts. `describe` is called once at most, where a rule has
 * criteria; `at` is read on the wall clock of each rule's own zone (S3).
 */
export type TeamRouting = (describe: () => ConditionSubject, at: Date) => Routed;

/** Compiles the rules of `team`: the first by order that holds takes an alert, the default rule comes last (S10). */
export function compileRouting({ routingRules }: TeamState): TeamRouting {
  const compiled = routingRules
    .toSorted((a, b) => Number(a.isDefault) - Number(b.isDefault) || a.order - b.order)
    .map((rule) => ({ rule, refusal: compileRefusal(rule) }));
  return (describe, at) => {
    let described: ConditionSubject | undefined;
    const subject = () => (described ??= describe());
    const skipped: Routed['skipped'][number][] = [];
    for (const { rule, refusal } of compiled) {
      const because = refusal(subject, at);
      if (because === undefined) return { skipped, rule };
      skipped.push({ rule, because });
    }
    return { skipped, rule: undefined };
  };
}

function compileRefusal({ criteria, timeRestriction, timezone }: RoutingRuleState) {
  const takes = compileConditions(criteria);
  const everything = criteria.type === 'match-all';
  const inTime = compileTimeRestriction(timeRestriction, timezone);
  return (subject: () => ConditionSubject, at: Date): SkipReason | undefined => {
    if (!everything && !takes(subject())) return 'criteria';
    return inTime(at) ? undefined : 'time-restriction';
  };
}

/** What criteria look at of `alert`; its responders under their ids and, where they are known, their names (P3). */
export function routedSubject(alert: AlertState, world: World): ConditionSubject {
  return alertSubject(alert, ({ type, id }) => (type === 'user' ? world.user(id)?.username : world[type](id)?.name));
}

/** A rule as the log names it; one without a name goes by its place, counted from 1. */
export function ruleName({ isDefault, name, order }: RoutingRuleState): string {
  if (isDefault) return 'The default routing rule';
  return name === '' ? `Routing rule ${order + 1}` : `Routing rule [${name}]`;
}

/** Why a rule did not take an alert, for a person. */
export const REASONS: Readonly<Record<SkipReason, (rule: RoutingRuleState) => string>> = {
  criteria: () => 'the alert does not meet its criteria',
  'time-restriction': ({ timezone }) => `it does not hold at that time in ${timezone}`,
};
