import type { RoutingRuleState, TeamState } from '@tocsin/events';
import { type NeverMatches, whyNeverFirst } from '@tocsin/rules';
import type { Steps } from '@tocsin/core';
import { type Finding, type ReadinessView } from './finding.ts';
import type { Reachability } from './reachability.ts';

/** Rules after so many others of their team are not compared with them. */
const MAX_RULES = 200;

/** The routing rules of `team` that can never match, and those that reach no recipient (S17). */
export function* routingFindingsSteps(
  team: TeamState,
  view: ReadinessView,
  reachability: Reachability,
): Steps<readonly Finding[]> {
  const findings: Finding[] = [];
  const rules: OrderedRule[] = [];
  for (const rule of inOrder(team)) {
    rules.push(orderedRule(rule, view));
    yield;
  }
  for (const [place, { rule, ...rest }] of rules.entries()) {
    const never =
      rule.isDefault || place >= MAX_RULES ? undefined : whyNeverFirst({ rule, ...rest }, rules.slice(0, place));
    if (never !== undefined) findings.push(neverFinding(team, rule, never));
    else findings.push(...(yield* withoutRecipientSteps(team, rule, view, reachability)));
    yield;
  }
  return findings;
}

/** As paging tries them (S10). */
const inOrder = ({ routingRules }: TeamState): readonly RoutingRuleState[] =>
  routingRules.toSorted((a, b) => Number(a.isDefault) - Number(b.isDefault) || a.order - b.order);

interface OrderedRule {
  readonly rule: RoutingRuleState;
  readonly criteria: RoutingRuleState['criteria'];
  readonly times: string | undefined;
  /** False where its target was deleted: it is skipped. */
  readonly takesAlerts: boolean;
}

function orderedRule(rule: RoutingRuleState, { exists }: ReadinessView): OrderedRule {
  const { criteria, notify, timeRestriction, timezone } = rule;
  const times = timeRestriction && JSON.stringify([timezone, timeRestriction]);
  return { rule, criteria, times, takesAlerts: notify.type === 'none' || exists(notify) };
}

function nameOf({ isDefault, name, order }: RoutingRuleState): string {
  if (isDefault) return 'The default routing rule';
  return name === '' ? `Routing rule ${order + 1}` : `Routing rule [${name}]`;
}

const inSentence = (rule: RoutingRuleState): string => nameOf(rule).replace(/^./, (letter) => letter.toLowerCase());

const aboutRule = (team: TeamState, { id, isDefault, name }: RoutingRuleState) =>
  ({
    teamIds: [team.id],
    entity: { type: 'team', id: team.id, name: team.name },
    part: { type: 'routing-rule', id, name: isDefault && name === '' ? 'default' : name },
    path: `/v2/teams/${team.id}/routing-rules/${id}`,
  }) as const;

function neverFinding(team: TeamState, rule: RoutingRuleState, never: NeverMatches<OrderedRule>): Finding {
  const why =
    never.reason === 'contradiction'
      ? 'its conditions contradict each other'
      : `${never.by
          .slice(0, 5)
          .map((each) => inSentence(each.rule))
          .join(' and ')} ${never.by.length === 1 ? 'takes' : 'take'} each of them before`;
  return {
    ...aboutRule(team, rule),
    kind: 'rule-never-matches',
    severity: 'warning',
    message: `${nameOf(rule)} of team [${team.name}] matches no alert: ${why}.`,
    remedy:
      never.reason === 'contradiction'
        ? 'Change the conditions of the rule, or delete it.'
        : 'Move the rule before the others, or delete it.',
  };
}

/** A rule that takes an alert and pages no user. A rule that is not the default one may ask for that. */
function* withoutRecipientSteps(
  team: TeamState,
  rule: RoutingRuleState,
  view: ReadinessView,
  reachability: Reachability,
): Steps<readonly Finding[]> {
  const problem = yield* problemSteps(rule, view, reachability);
  if (problem === undefined) return [];
  const [severity, why] = problem;
  return [
    {
      ...aboutRule(team, rule),
      kind: 'routing-without-recipient',
      severity,
      message: `${nameOf(rule)} of team [${team.name}] ${why}.`,
      remedy: 'Choose a schedule or an escalation that reaches a user.',
    },
  ];
}

function* problemSteps(
  { isDefault, notify }: RoutingRuleState,
  view: ReadinessView,
  reachability: Reachability,
): Steps<readonly [Finding['severity'], string] | undefined> {
  if (notify.type === 'none') {
    const why = 'notifies no recipient: an alert that no other rule takes pages no user';
    return isDefault ? (['warning', why] as const) : undefined;
  }
  if (!view.exists(notify)) {
    const then = isDefault ? 'an alert that no other rule takes pages no user' : 'it is skipped';
    return [isDefault ? 'error' : 'warning', `leads to ${a(notify.type)} that was deleted: ${then}`] as const;
  }
  if (yield* reachability.reachesUser(notify)) return undefined;
  const name = view[notify.type](notify.id)?.name ?? '';
  return [
    'error',
    `leads to ${notify.type} [${name}], which reaches no user: an alert that it takes pages no user`,
  ] as const;
}

const a = (type: 'schedule' | 'escalation'): string => (type === 'schedule' ? 'a schedule' : 'an escalation');
