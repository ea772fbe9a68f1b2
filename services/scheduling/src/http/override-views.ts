import { formatInstant } from '@tocsin/contracts';
import type { ForwardingRule } from '../domain/forwarding.ts';
import type { Mention } from '../domain/mentions.ts';
import type { Override } from '../domain/override.ts';
import type { Schedule } from '../domain/schedule.ts';
import type { Snapshot } from '../domain/snapshot.ts';
import { participantView, type Json } from './views.ts';

/** An override as GET and the list show it (part 2, 2.6); without `rotations` where it counts for all of them. */
export function overrideView(
  { alias, user, startAt, endAt, rotationIds }: Override,
  of: Schedule,
  snapshot: Snapshot,
): Json {
  const named = rotationIds && of.rotations.filter(({ id }) => rotationIds.includes(id));
  return {
    alias,
    user: participantView(user, snapshot),
    startDate: formatInstant(startAt),
    endDate: formatInstant(endAt),
    ...(named && { rotations: inOrder(named, rotationIds).map(({ id, name }) => ({ id, name })) }),
  };
}

const inOrder = <T extends { id: string }>(things: readonly T[], ids: readonly string[]): readonly T[] =>
  things.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));

/** A forwarding rule as GET and the lists show it (part 2, 2.10). */
export function forwardingRuleView(rule: ForwardingRule, snapshot: Snapshot): Json {
  const { id, alias = '', fromUserId, toUserId, startAt, endAt } = rule;
  return {
    id,
    alias,
    fromUser: userView(fromUserId, snapshot),
    toUser: userView(toUserId, snapshot),
    startDate: formatInstant(startAt),
    endDate: formatInstant(endAt),
  };
}

/** Whose names the views of `overrides` show. */
export const overrideUsers = (overrides: readonly Override[]): readonly Mention[] =>
  overrides.flatMap(({ user }) => (user.type === 'user' ? [user] : []));

/** Whose names the views of `rules` show. */
export const forwardingUsers = (rules: readonly ForwardingRule[]): readonly Mention[] =>
  rules.flatMap(({ fromUserId, toUserId }) => [fromUserId, toUserId]).map((id) => ({ type: 'user', id }));

/** Id and user name (E10); the name of a deleted user is left out. */
function userView(id: string, snapshot: Snapshot): Json {
  const user = snapshot.user(id);
  return { id, ...(user && { username: user.username }) };
}
