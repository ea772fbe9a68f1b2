import type { Steps } from '@tocsin/core';
import type { Catalogue } from '../configuration/configuration.ts';
import { selectMembers } from '../configuration/snapshot.ts';
import type { Escalation, EscalationRule } from '../escalations/escalation.ts';
import type { ForwardingRule } from '../forwarding/forwarding.ts';
import type { Span } from '../on-call/span.ts';
import type { Participant, Schedule } from '../schedules/schedule.ts';
import { rangeAhead, type ReadinessView } from './finding.ts';

/**
 * What pages a user, as the subject of a sentence such as `Schedule [Nights]`: the first of each team that owns such, and under
 * undefined the first of the account. In the order in which it was found.
 */
export type PagingSources = ReadonlyMap<string | undefined, string>;

/** The first of all. */
export const firstSource = (sources: PagingSources): string => sources.values().next().value ?? '';

/** The first that the key of the team may read (K4). */
export const sourceForTeam = (teamId: string, sources: PagingSources): string =>
  sources.get(teamId) ?? 'A schedule or an escalation outside the team';

/** The configuration whose users are paged. */
export interface PagingConfiguration {
  readonly schedules: Catalogue<Schedule>;
  readonly escalations: Catalogue<Escalation>;
  readonly forwardingRules: Catalogue<ForwardingRule>;
}

/**
 * The users to whom an enabled schedule, one of its overrides, an escalation or a forwarding rule sourcesByUser, now or in the next 14 days.
 * Teams that are opened by their routing rules add none: what these lead to is looked at itself.
 */
export function* pagedUsersSteps(
  configuration: PagingConfiguration,
  view: ReadinessView,
): Steps<ReadonlyMap<string, PagingSources>> {
  const sourcesByUser: SourcesByUser = new Map();
  for (const { name, ownerTeamId, ...schedule } of configuration.schedules.all()) {
    const text = `Schedule [${name}]`;
    for (const ids of usersOf(schedule, view)) {
      for (const userId of ids) addSource(sourcesByUser, userId, ownerTeamId, text);
      yield;
    }
  }
  const opened = new Set<string>();
  for (const { name, ownerTeamId, rules } of configuration.escalations.all()) {
    const text = `Escalation [${name}]`;
    for (const rule of rules) {
      const readerTeamId = isOfAnotherTeam(rule, ownerTeamId) ? undefined : ownerTeamId;
      for (const userId of recipientsOf(rule, view, opened)) addSource(sourcesByUser, userId, readerTeamId, text);
      yield;
    }
  }
  yield* addForwarded(configuration.forwardingRules.all(), view, sourcesByUser);
  return sourcesByUser;
}

type SourcesByUser = Map<string, Map<string | undefined, string>>;

function addSource(sourcesByUser: SourcesByUser, userId: string, ownerTeamId: string | undefined, text: string): void {
  const sources = sourcesByUser.get(userId);
  if (sources === undefined) sourcesByUser.set(userId, new Map([[ownerTeamId, text]]));
  else if (!sources.has(ownerTeamId)) sources.set(ownerTeamId, text);
}

/** The users of each rotation, then those of the overrides. */
function* usersOf(
  { enabled, overrides, rotations }: Pick<Schedule, 'enabled' | 'overrides' | 'rotations'>,
  view: ReadinessView,
): Generator<readonly string[], void> {
  if (!enabled) return;
  const range = rangeAhead(view);
  for (const { endAt, participants } of rotations) {
    if (endAt === undefined || endAt.getTime() > range.from) yield idsOf(participants);
  }
  yield idsOf(overrides.filter((override) => isIn(range, override)).map(({ user }) => user));
}

const idsOf = (participants: readonly Participant[]): readonly string[] =>
  participants.flatMap((one) => (one.type === 'user' ? one.id : []));

const isIn = (range: Span, { endAt, startAt }: { readonly startAt: Date; readonly endAt: Date }): boolean =>
  endAt.getTime() > range.from && startAt.getTime() < range.until;

/** The key of the team that owns the escalation may not read who the members of another team are (K4). */
const isOfAnotherTeam = ({ recipient }: EscalationRule, ownerTeamId: string | undefined): boolean =>
  recipient.type === 'team' && recipient.id !== ownerTeamId;

/** The members of a team are opened once for each notify type: `opened` has those of former rules. */
function recipientsOf(
  { notifyType, recipient }: EscalationRule,
  { team }: ReadinessView,
  opened: Set<string>,
): readonly string[] {
  if (recipient.type === 'user') return [recipient.id];
  const found = recipient.type === 'team' ? team(recipient.id) : undefined;
  const key = `${notifyType}:${recipient.id}`;
  if (found === undefined || opened.has(key)) return [];
  opened.add(key);
  return selectMembers(found, notifyType);
}

/** Adds those to whom a user of `sourcesByUser` is forwarded, directly or through others. */
function* addForwarded(
  rules: readonly ForwardingRule[],
  view: ReadinessView,
  sourcesByUser: SourcesByUser,
): Steps<void> {
  const range = rangeAhead(view);
  const targets = new Map<string, string[]>();
  for (const { fromUserId, toUserId, ...rule } of rules) {
    if (isIn(range, rule)) targets.set(fromUserId, [...(targets.get(fromUserId) ?? []), toUserId]);
    yield;
  }
  // A map is iterated to its end, with what is added meanwhile.
  for (const [userId, sources] of sourcesByUser) {
    const text = `A forwarding rule of ${view.user(userId)?.username ?? userId}`;
    for (const target of targets.get(userId) ?? []) {
      if (!sourcesByUser.has(target))
        sourcesByUser.set(target, new Map(sources.keys().map((ownerTeamId) => [ownerTeamId, text])));
      yield;
    }
    yield;
  }
}
