import type { Steps } from '@tocsin/core';
import type { ReadinessNotice, TeamState, UserState } from '@tocsin/events';
import { WallClock } from '@tocsin/rules';
import { selectMembers } from '../configuration/snapshot.ts';
import type { Finding } from '../readiness/finding.ts';

/** A user who has ordered the weekly mail of readiness (U23). */
export interface ReadinessMail {
  readonly userId: string;
  /** When the next mail is due. */
  readonly nextAt: Date;
}

const WEEK_MS = 604_800_000;
/** A Monday at 09:00, as a wall time. */
const MONDAY_NINE = Date.UTC(1970, 0, 5, 9);

/** The Monday 09:00 on the clocks of `timeZone` that is closest to `instant`. */
export function closestMonday(instant: Date, timeZone: string): Date {
  const clock = WallClock.of(timeZone);
  const weeks = Math.round((clock.at(instant.getTime()) - MONDAY_NINE) / WEEK_MS);
  return new Date(clock.first(MONDAY_NINE + weeks * WEEK_MS));
}

/** The first Monday 09:00 on the clocks of `timeZone` after `instant`. */
export function nextMonday(instant: Date, timeZone: string): Date {
  const closest = closestMonday(instant, timeZone);
  return closest > instant ? closest : closestMonday(new Date(closest.getTime() + WEEK_MS), timeZone);
}

/** The ids of the teams that each user administers. */
export function* administeredSteps(teams: Iterable<TeamState>): Steps<ReadonlyMap<string, ReadonlySet<string>>> {
  const administered = new Map<string, Set<string>>();
  for (const team of teams) {
    for (const userId of selectMembers(team, 'admins')) {
      const known = administered.get(userId);
      if (known === undefined) administered.set(userId, new Set([team.id]));
      else known.add(team.id);
    }
    yield;
  }
  return administered;
}

/** The findings that a user is mailed: those of the teams in `administered`, all for an owner or admin of the account, none while blocked. */
export function isMailedTo(
  { blocked, role }: UserState,
  administered: ReadonlySet<string> | undefined,
): (finding: Finding) => boolean {
  if (blocked) return () => false;
  if (role === 'owner' || role === 'admin') return () => true;
  return ({ teamIds }) => teamIds.some((id) => administered?.has(id) === true);
}

/** The most findings that a mail lists; it counts the others. */
const MAX_LISTED = 25;

/**
 * The mail to the user about `findings`, the most severe first; undefined where there is none. The same for the same user and
 * `dueAt`, so that an order that comes twice is one mail.
 */
export function noticeOf(
  { id: userId, username }: UserState,
  {
    findings,
    incompleteServices,
  }: { readonly findings: readonly Finding[]; readonly incompleteServices: readonly string[] },
  { dueAt, now }: { readonly dueAt: Date; readonly now: Date },
): ReadinessNotice | undefined {
  if (findings.length === 0) return undefined;
  return {
    kind: 'readiness',
    noticeId: `readiness:${userId}:${dueAt.toISOString()}`,
    userId,
    username,
    to: username,
    at: now.toISOString(),
    totalCount: findings.length,
    errorCount: findings.filter(({ severity }) => severity === 'error').length,
    incompleteServices: [...incompleteServices],
    findings: findings.slice(0, MAX_LISTED).map(({ message, remedy, severity }) => ({ severity, message, remedy })),
  };
}
