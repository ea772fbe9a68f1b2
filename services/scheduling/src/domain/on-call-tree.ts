import { Budget, Expansion, type OnCallNode } from './on-call/expansion.ts';
import { nextOnCalls, type NextOnCall } from './on-call/next-on-call.ts';
import type { Steps } from './on-call/steps.ts';
import type { Mention } from './mentions.ts';
import type { Schedule } from './schedule.ts';
import { TrackedSnapshot, type Snapshot } from './snapshot.ts';

/** What a schedule leads to, and what it led to that is not known. */
export interface OnCallTree {
  readonly participants: readonly OnCallNode[];
  /** Ids of users and teams that are not in the snapshot, each once. */
  readonly unknown: readonly Mention[];
}

/**
 * All users on call for `schedule` at `at`, teams opened to the target of their default routing rule and escalations to
 * all their rules, and the duty of every user forwarded (S4, S7, S13).
 *
 * What is on the path already is named but not opened again; `none` and what does not exist are left out. The members that a
 * rule means by `all`, `users`, `admins` or `random` are always listed, even where the team itself is on the path.
 */
export function onCallTree(
  snapshot: Snapshot,
  schedule: Schedule,
  at: Date,
  budget: Budget = new Budget(),
): OnCallTree {
  const tracked = new TrackedSnapshot(snapshot);
  const participants = new Expansion(tracked, at, budget).ofSchedule(schedule, 'default', []);
  return { participants, unknown: tracked.unknown };
}

/** Who comes next, opened as for the instant at which they come (S6). */
export interface NextOnCallTree {
  readonly byTurn: readonly OnCallNode[];
  readonly exact: readonly OnCallNode[];
  readonly unknown: OnCallTree['unknown'];
}

/** Who comes next on `schedule` after `at`: by the turns of each rotation, and exactly (part 2, 2.8; S6). */
export function* nextOnCallSteps(snapshot: Snapshot, schedule: Schedule, at: Date): Steps<NextOnCallTree> {
  const tracked = new TrackedSnapshot(snapshot);
  const { byTurn, exact } = yield* nextOnCalls(schedule, at, tracked);
  const opened = (found: readonly NextOnCall[]) => {
    const budget = new Budget();
    return found.flatMap(({ participant, forwardedFrom, at: comesAt }) =>
      // Opening forwards a user: it has to begin with the one whose duty it is at first.
      new Expansion(tracked, comesAt, budget).ofParticipant(
        forwardedFrom === undefined ? participant : { type: 'user', id: forwardedFrom },
        [`schedule:${schedule.id}`],
      ),
    );
  };
  const openedByTurn = opened(byTurn);
  yield;
  return { byTurn: openedByTurn, exact: opened(exact), unknown: tracked.unknown };
}

/** The users of the whole tree, each once, in the order of the rotations (S7). */
export function usersOf(participants: readonly OnCallNode[]): readonly OnCallNode[] {
  const users = new Map<string, OnCallNode>();
  const visit = (node: OnCallNode): void => {
    if (node.type === 'user' && !users.has(node.id)) users.set(node.id, node);
    node.participants.forEach(visit);
  };
  participants.forEach(visit);
  return [...users.values()];
}

/** The same as user names. */
export const flattened = (participants: readonly OnCallNode[]): readonly string[] =>
  usersOf(participants).map(({ name }) => name);
