import { MATCH_ALL_CRITERIA } from '@tocsin/api';
import { firstVersion, nextVersion, type StateMessage, type TeamState, type Version } from '@tocsin/events';
import type { NotFoundError } from '@tocsin/core';
import { doesNotExist, type Reference } from '../references/reference.ts';
import { DEFAULT_RULE_NAME, type RoutingRule, routingRuleName, routingRuleState } from '../routing/routing-rule.ts';

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
 * Where a team is in its life. Callers see only an `active` one. A `creating` or `deleting` one is in the middle of a change that
 * spans services, which any process may finish.
 */
type TeamPhase = 'creating' | 'active' | 'deleting';

/** A role of members of a team (wire facts 5). Stored for clients; no service uses it. */
export interface TeamRole {
  readonly id: string;
  /** Unique in the team. */
  readonly name: string;
  readonly rights: readonly { readonly right: string; readonly granted: boolean }[];
}

/** Part 2, 2.1-2.3: a team with its members and its routing rules, the default rule last. */
export interface Team {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly members: readonly Member[];
  readonly routingRules: readonly RoutingRule[];
  /** In the order of their creation. */
  readonly roles: readonly TeamRole[];
  /** Known once the team has been active. */
  readonly defaults: TeamDefaults | undefined;
  readonly phase: TeamPhase;
  /** The latest request that asked for this team: of several at once, that one makes it. */
  readonly attempt: string;
  /** The name of the key or of the user of that request. */
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly version: Version;
}

export const unknownTeam = (reference: Reference): NotFoundError => doesNotExist('Team', reference);

/** A team as a list shows it. */
export type TeamSummary = Pick<Team, 'id' | 'name' | 'description'>;

/** The fields that a `creating` team gets when it becomes `active`. */
export type Activation = Pick<Team, 'defaults' | 'routingRules'>;

/** A team gets its default routing rule with its defaults: it sends all alerts to the escalation (S11). */
export function activation(defaults: TeamDefaults, id: string, timezone: string): Activation {
  const notify = { type: 'escalation', id: defaults.escalationId } as const;
  return { defaults, routingRules: [defaultRoutingRule({ id, timezone, notify })] };
}

const defaultRoutingRule = (rule: Pick<RoutingRule, 'id' | 'timezone' | 'notify'>): RoutingRule => ({
  ...rule,
  name: DEFAULT_RULE_NAME,
  isDefault: true,
  order: 0,
  criteria: MATCH_ALL_CRITERIA,
});

/** An imported team, which has no defaults; its default routing rule notifies none (I9). */
export function importedTeam(
  draft: TeamDraft,
  roles: readonly TeamRole[],
  rule: Pick<RoutingRule, 'id' | 'timezone'>,
): Team {
  return {
    ...draft,
    roles,
    routingRules: [defaultRoutingRule({ ...rule, notify: { type: 'none' } })],
    defaults: undefined,
    phase: 'active',
    version: firstVersion(draft.createdAt),
  };
}

/** A team that is asked for. */
export type TeamDraft = Pick<Team, 'id' | 'name' | 'description' | 'members' | 'attempt' | 'createdBy' | 'createdAt'>;

/** The team of a draft, or why there is none. */
export type BegunTeam =
  | { readonly kind: 'begun'; readonly team: Team }
  | { readonly kind: 'taken' }
  /** The name belongs to a team whose removal has not ended. */
  | { readonly kind: 'leaving'; readonly team: Team };

/** Where `namesake` is still being created, it keeps its id, and everything else, also the attempt, comes from the draft. */
export function begun(draft: TeamDraft, namesake: Team | undefined): BegunTeam {
  if (namesake?.phase === 'active') return { kind: 'taken' };
  if (namesake?.phase === 'deleting') return { kind: 'leaving', team: namesake };
  const { id, createdAt } = namesake ?? draft;
  const version = { epoch: createdAt.getTime(), n: 0 };
  const nothingYet = { routingRules: [], roles: [], defaults: undefined };
  return { kind: 'begun', team: { ...draft, id, createdAt, version, ...nothingYet, phase: 'creating' } };
}

/** Why a team does not become active: a later attempt has replaced this one, or the team was removed or is being removed. */
type NotActivated = 'overtaken' | 'gone';

/** The team as `active`, for the attempt that asks; the very same where it was active already. */
export function activateTeam(team: Team | undefined, attempt: string, change: Activation): Team | NotActivated {
  if (team === undefined || team.phase === 'deleting') return 'gone';
  if (team.attempt !== attempt) return 'overtaken';
  return team.phase === 'active' ? team : { ...team, ...change, phase: 'active', version: nextVersion(team.version) };
}

/** The outcome of an activation. `active`: now or before, for the attempt that asked. */
export type ActivationOutcome = 'active' | NotActivated;

/** The team as `deleting`; undefined where another attempt has taken it over, or it is being removed already. */
export function beginDeletion(team: Team | undefined, attempt: string): Team | undefined {
  if (team === undefined || team.phase === 'deleting' || team.attempt !== attempt) return undefined;
  return { ...team, phase: 'deleting', version: nextVersion(team.version) };
}

/** Each user once, at the place of the first mention, in the role of the last. */
export function withoutRepeats(members: readonly Member[]): readonly Member[] {
  return [...new Map(members.map((member) => [member.userId, member])).values()];
}

/** The changed fields of a team; absent fields stay. */
export type TeamEdit = { readonly [K in 'name' | 'description' | 'members']?: Team[K] | undefined };

/** The edited team; the same object where nothing differs. */
export function editTeam(team: Team, { name, description, members }: TeamEdit): Team {
  const next = {
    ...team,
    name: name ?? team.name,
    description: description ?? team.description,
    members: members === undefined || sameMembers(members, team.members) ? team.members : members,
  };
  const same = next.name === team.name && next.description === team.description && next.members === team.members;
  return same ? team : next;
}

function sameMembers(some: readonly Member[], others: readonly Member[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ userId, role }, place) => userId === others[place]?.userId && role === others[place].role)
  );
}

/** The members with `member`: at their place in their new role, or as the last. */
export const withMember = (members: readonly Member[], member: Member): readonly Member[] =>
  withoutRepeats([...members, member]);

/** A routing rule that sends alerts to a schedule or an escalation. */
export interface RoutingUse {
  readonly teamName: string;
  readonly ruleName: string;
}

/** As much of a team as {@link routingUses} reads. */
export interface RoutedTeam extends Pick<Team, 'name'> {
  readonly routingRules: readonly Pick<RoutingRule, 'name' | 'notify' | 'order'>[];
}

/** The routing rules of `team` that notify the thing with this type and id. */
export function routingUses(team: RoutedTeam, type: 'schedule' | 'escalation', id: string): readonly RoutingUse[] {
  return team.routingRules
    .filter(({ notify }) => notify.type === type && notify.id === id)
    .map((rule) => ({ teamName: team.name, ruleName: routingRuleName(rule) }));
}

/** The state `next` of a team that was `present` until now: same team in the same phase, next version. */
export const withNextVersion = (next: Team, present: Team): Team => ({
  ...next,
  id: present.id,
  phase: present.phase,
  attempt: present.attempt,
  version: nextVersion(present.version),
});

/** The state of a team on `teams.v1`. */
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
      routingRules: routingRules.map(routingRuleState),
    },
  };
}
