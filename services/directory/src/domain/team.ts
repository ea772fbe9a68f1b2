import { MATCH_ALL, type RoutingRuleState, type StateMessage, type TeamState, type Version } from '@tocsin/contracts';

type MemberRole = 'user' | 'admin';

export interface Member {
  readonly userId: string;
  readonly role: MemberRole;
}

/** The schedule and the escalation that every team gets (S11). */
export interface TeamDefaults {
  readonly scheduleId: string;
  readonly escalationId: string;
}

/**
 * Where a team is in its life. Only an `active` one is seen by anybody; a `creating` or `deleting` one is half of a change
 * that spans services and is taken to its end by whoever finds it.
 */
type TeamPhase = 'creating' | 'active' | 'deleting';

/** Part 2, 2.1-2.3: a team with its members and its routing rules, the default rule last. */
export interface Team {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly members: readonly Member[];
  readonly routingRules: readonly RoutingRuleState[];
  /** Known once the team has been active. */
  readonly defaults: TeamDefaults | undefined;
  readonly phase: TeamPhase;
  /** The latest request that asked for this team: of several at once, that one makes it. */
  readonly attempt: string;
  readonly createdAt: Date;
  readonly version: Version;
}

/** A team as a list shows it. */
export type TeamSummary = Pick<Team, 'id' | 'name' | 'description'>;

/** A team as callers name one; names are exact (E14). */
export type TeamReference = { readonly id: string } | { readonly name: string };

/** What makes a half-made team whole. */
export type Activation = Pick<Team, 'defaults' | 'routingRules'>;

/** A team gets its default routing rule with its defaults: everything goes to the escalation (S11). */
export function activation(defaults: TeamDefaults, ruleId: string, timezone: string): Activation {
  const toEscalation: RoutingRuleState = {
    id: ruleId,
    name: 'Default Routing Rule',
    isDefault: true,
    order: 0,
    timezone,
    criteria: MATCH_ALL,
    notify: { type: 'escalation', id: defaults.escalationId },
  };
  return { defaults, routingRules: [toEscalation] };
}

/** Each user once, at the place of the first mention, in the role of the last. */
export function withoutRepeats(members: readonly Member[]): readonly Member[] {
  return [...new Map(members.map((member) => [member.userId, member])).values()];
}

/** A routing rule that sends alerts to a schedule or an escalation. */
export interface RoutingUse {
  readonly teamName: string;
  readonly ruleName: string;
}

/** The routing rules of `team` that notify the thing with this type and id. */
export function routingUses(team: Team, type: 'schedule' | 'escalation', id: string): readonly RoutingUse[] {
  return team.routingRules
    .filter(({ notify }) => notify.type === type && notify.id === id)
    .map((rule) => ({ teamName: team.name, ruleName: rule.name }));
}

/** The state `next` of a team that was `present` until now: same team in the same phase, next version. */
export const withNextVersion = (next: Team, present: Team): Team => ({
  ...next,
  id: present.id,
  phase: present.phase,
  attempt: present.attempt,
  version: { ...present.version, n: present.version.n + 1 },
});

/** What other services learn of a team. */
export function teamMessage(team: Team): StateMessage<TeamState> {
  const { id, name, description, members, routingRules, version } = team;
  return {
    id,
    version,
    deleted: false,
    state: {
      id,
      name,
      description,
      members: members.map(({ userId, role }) => ({ userId, role })),
      routingRules: [...routingRules],
    },
  };
}
