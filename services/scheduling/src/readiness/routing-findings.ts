import type { RoutingRuleState, TeamState } from '@tocsin/events';
import { type NeverMatches, whyNeverFirst } from '@tocsin/rules';
import { selectMembers } from '../configuration/snapshot.ts';
import type { EscalationRule } from '../escalations/escalation.ts';
import type { Steps } from '../on-call/work.ts';
import { type Finding, type ReadinessView } from './finding.ts';

/** Rules after so many others of their team are not compared with them. */
const MAX_RULES = 200;

/** The routing rules of `team` that can never match, and those that reach no recipient (S17). */
export function* routingFindingsSteps(team: TeamState, view: ReadinessView): Steps<readonly Finding[]> {
  const findings: Finding[] = [];
  const rules = inOrder(team).map((rule) => ranked(rule, view));
  for (const [place, { rule, ...rest }] of rules.entries()) {
    const never =
      rule.isDefault || place >= MAX_RULES ? undefined : whyNeverFirst({ rule, ...rest }, rules.slice(0, place));
    if (never !== undefined) findings.push(neverFinding(team, rule, never));
    else findings.push(...withoutRecipient(team, rule, view));
    yield;
  }
  return findings;
}

/** As paging tries them (S10). */
const inOrder = ({ routingRules }: TeamState): readonly RoutingRuleState[] =>
  routingRules.toSorted((a, b) => Number(a.isDefault) - Number(b.isDefault) || a.order - b.order);

interface Ranked {
  readonly rule: RoutingRuleState;
  readonly criteria: RoutingRuleState['criteria'];
  readonly times: string | undefined;
  readonly takes: boolean;
}

function ranked(rule: RoutingRuleState, { exists }: ReadinessView): Ranked {
  const { criteria, notify, timeRestriction, timezone } = rule;
  const times = timeRestriction && JSON.stringify([timezone, timeRestriction]);
  return { rule, criteria, times, takes: notify.type === 'none' || exists(notify) };
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

function neverFinding(team: TeamState, rule: RoutingRuleState, never: NeverMatches<Ranked>): Finding {
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
function withoutRecipient(team: TeamState, rule: RoutingRuleState, view: ReadinessView): readonly Finding[] {
  const problem = problemOf(rule, view);
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

function problemOf({ isDefault, notify }: RoutingRuleState, view: ReadinessView) {
  if (notify.type === 'none') {
    const why = 'notifies no recipient: an alert that no other rule takes pages no user';
    return isDefault ? (['warning', why] as const) : undefined;
  }
  if (!view.exists(notify)) {
    const then = isDefault ? 'an alert that no other rule takes pages no user' : 'it is skipped';
    return [isDefault ? 'error' : 'warning', `leads to ${a(notify.type)} that was deleted: ${then}`] as const;
  }
  const name = view[notify.type](notify.id)?.name ?? '';
  const reaches = notify.type === 'schedule' ? scheduleReaches(notify.id, view) : escalationReaches(notify.id, view);
  if (reaches) return undefined;
  return [
    'error',
    `leads to ${notify.type} [${name}], which reaches no user: an alert that it takes pages no user`,
  ] as const;
}

const a = (type: 'schedule' | 'escalation'): string => (type === 'schedule' ? 'a schedule' : 'an escalation');

/** Whether any user, team or escalation that exists comes on call in an enabled schedule. */
function scheduleReaches(id: string, { exists, now, schedule }: ReadinessView): boolean {
  const found = schedule(id);
  if (found?.enabled !== true) return false;
  const goesOn = (endAt: Date | undefined): boolean => endAt === undefined || endAt.getTime() > now;
  return (
    found.rotations.some(
      ({ endAt, participants }) => goesOn(endAt) && participants.some((one) => one.type !== 'none' && exists(one)),
    ) || found.overrides.some(({ endAt, user }) => goesOn(endAt) && user.type === 'user' && exists(user))
  );
}

const escalationReaches = (id: string, view: ReadinessView): boolean =>
  view.escalation(id)?.rules.some((rule) => ruleReaches(rule, view)) === true;

/** A team that routes is taken to reach a user: its own rules are looked at themselves. */
function ruleReaches({ notifyType, recipient }: EscalationRule, view: ReadinessView): boolean {
  if (recipient.type === 'schedule') return scheduleReaches(recipient.id, view);
  if (recipient.type === 'user' || notifyType === 'default') return view.exists(recipient);
  const team = view.team(recipient.id);
  return team === undefined
    ? view.exists(recipient)
    : selectMembers(team, notifyType).some((userId) => view.exists({ type: 'user', id: userId }));
}
