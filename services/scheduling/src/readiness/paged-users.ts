import type { Catalogue } from '../configuration/configuration.ts';
import { selectMembers } from '../configuration/snapshot.ts';
import type { Escalation, EscalationRule } from '../escalations/escalation.ts';
import type { ForwardingRule } from '../forwarding/forwarding.ts';
import type { Span } from '../on-call/span.ts';
import type { Steps } from '../on-call/work.ts';
import type { Schedule } from '../schedules/schedule.ts';
import { ownedBy, rangeAhead, type ReadinessView } from './finding.ts';

/** What leads to a user first, and the teams that own what leads there. */
export interface Lead {
  /** As the subject of a sentence, such as `Schedule [Nights]`. */
  readonly text: string;
  readonly teamIds: ReadonlySet<string>;
}

/** The configuration whose users are paged. */
export interface Leading {
  readonly schedules: Catalogue<Schedule>;
  readonly escalations: Catalogue<Escalation>;
  readonly forwardingRules: Catalogue<ForwardingRule>;
}

/**
 * The users to whom an enabled schedule, one of its overrides, an escalation or a forwarding rule leads, now or in the next 14 days.
 * Teams that are opened by their routing rules add none: what these lead to is looked at itself.
 */
export function* pagedUsersSteps(leading: Leading, view: ReadinessView): Steps<ReadonlyMap<string, Lead>> {
  const leads = new Map<string, { readonly text: string; readonly teamIds: Set<string> }>();
  const add = (userId: string, text: string, teamIds: Iterable<string>): void => {
    const lead = leads.get(userId) ?? { text, teamIds: new Set<string>() };
    for (const id of teamIds) lead.teamIds.add(id);
    leads.set(userId, lead);
  };
  for (const schedule of leading.schedules.all()) {
    for (const userId of usersOf(schedule, view))
      add(userId, `Schedule [${schedule.name}]`, ownedBy(schedule.ownerTeamId));
    yield;
  }
  const opened = new Set<string>();
  for (const { name, ownerTeamId, rules } of leading.escalations.all()) {
    for (const rule of rules) {
      for (const userId of recipientsOf(rule, view, opened)) add(userId, `Escalation [${name}]`, ownedBy(ownerTeamId));
    }
    yield;
  }
  yield* addForwarded(leading.forwardingRules.all(), view, leads);
  return leads;
}

function usersOf({ enabled, overrides, rotations }: Schedule, view: ReadinessView): ReadonlySet<string> {
  if (!enabled) return new Set();
  const range = rangeAhead(view);
  const participants = rotations
    .filter(({ endAt }) => endAt === undefined || endAt.getTime() > range.from)
    .flatMap((rotation) => rotation.participants);
  const ahead = overrides.filter((override) => isIn(range, override));
  return new Set(
    [...participants, ...ahead.map(({ user }) => user)].flatMap((one) => (one.type === 'user' ? one.id : [])),
  );
}

const isIn = (range: Span, { endAt, startAt }: { readonly startAt: Date; readonly endAt: Date }): boolean =>
  endAt.getTime() > range.from && startAt.getTime() < range.until;

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

/** Adds those to whom a user of `leads` is forwarded, directly or through others. */
function* addForwarded(
  rules: readonly ForwardingRule[],
  view: ReadinessView,
  leads: Map<string, { readonly text: string; readonly teamIds: Set<string> }>,
): Steps<void> {
  const range = rangeAhead(view);
  const targets = new Map<string, string[]>();
  for (const { fromUserId, toUserId, ...rule } of rules) {
    if (isIn(range, rule)) targets.set(fromUserId, [...(targets.get(fromUserId) ?? []), toUserId]);
    yield;
  }
  // A map is iterated to its end, with what is added meanwhile.
  for (const [userId, { teamIds }] of leads) {
    const text = `A forwarding rule of ${view.user(userId)?.username ?? userId}`;
    for (const target of targets.get(userId) ?? []) {
      if (!leads.has(target)) leads.set(target, { text, teamIds: new Set(teamIds) });
      yield;
    }
  }
}
