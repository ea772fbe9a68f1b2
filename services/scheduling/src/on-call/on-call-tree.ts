import type { NotifyType } from '@tocsin/events';
import type { Steps } from '@tocsin/core';
import type { Mention } from '../configuration/mentions.ts';
import { defaultTarget, selectMembers, type Snapshot, TrackedSnapshot } from '../configuration/snapshot.ts';
import type { EscalationRule } from '../escalations/escalation.ts';
import type { Participant, Schedule } from '../schedules/schedule.ts';
import { nextChangeSteps, type NextOnCall, nextOnCalls } from './next-on-call.ts';
import { participantsAt, type ScheduleNotifyType } from './on-call.ts';
import { Budget } from './budget.ts';

/** The targets of a schedule, and those that are not known. */
export interface OnCallTree {
  readonly participants: readonly OnCallNode[];
  /** Ids of users and teams that are not in the snapshot, each once. */
  readonly unknown: readonly Mention[];
}

/**
 * All users on call for `schedule` at `at`, teams opened to the target of their default routing rule and escalations to all their
 * rules, and every user forwarded (S4, S7, S13).
 *
 * A target that is on the path already is named but not opened again; `none` and targets that do not exist are left out. The members
 * that a rule selects by `all`, `users`, `admins` or `random` are always listed, even where the team itself is on the path.
 */
export function* onCallSteps(
  snapshot: Snapshot,
  schedule: Schedule,
  at: Date,
  budget: Budget = new Budget(),
): Steps<OnCallTree> {
  const tracked = new TrackedSnapshot(snapshot);
  const participants = yield* new Expansion(tracked, at, budget).ofSchedule(schedule, 'default', []);
  return { participants, unknown: tracked.unknown };
}

/** The users who come next, opened at the instant at which they come (S6). */
export interface NextOnCallTree {
  readonly byTurn: readonly OnCallNode[];
  readonly exact: readonly OnCallNode[];
  readonly unknown: OnCallTree['unknown'];
}

/** The participants who are next on call in `schedule` after `at`: by the turns of each rotation, and exactly (part 2, 2.8; S6). */
export function* nextOnCallSteps(snapshot: Snapshot, schedule: Schedule, at: Date): Steps<NextOnCallTree> {
  const tracked = new TrackedSnapshot(snapshot);
  const { byTurn, exact } = yield* nextOnCalls(schedule, at, tracked);
  const opened = (found: readonly NextOnCall[]) => {
    const budget = new Budget();
    return flatMapSteps(found, ({ participant, forwardedFrom, at: comesAt }) =>
      // Opening forwards a user, so it begins with the user before forwarding.
      new Expansion(tracked, comesAt, budget).ofParticipant(
        forwardedFrom === undefined ? participant : { type: 'user', id: forwardedFrom },
        [`schedule:${schedule.id}`],
      ),
    );
  };
  return { byTurn: yield* opened(byTurn), exact: yield* opened(exact), unknown: tracked.unknown };
}

/** When the users on call in `schedule` change next, within 14 days. */
export function* onCallUntilSteps(
  snapshot: Snapshot,
  schedule: Schedule,
  at: Date,
): Steps<Pick<OnCallTree, 'unknown'> & { readonly until: Date | undefined }> {
  const tracked = new TrackedSnapshot(snapshot);
  return { until: yield* nextChangeSteps(schedule, at, tracked), unknown: tracked.unknown };
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
export const userNamesOf = (participants: readonly OnCallNode[]): readonly string[] =>
  usersOf(participants).map(({ name }) => name);

/** One entry of an on-call answer, with all entries below it (part 2, 2.8). */
export interface OnCallNode {
  readonly type: 'user' | 'team' | 'escalation' | 'schedule';
  readonly id: string;
  /** The user name, for a user. */
  readonly name: string;
  /** The user before forwarding, for one to whom that user is forwarded. */
  readonly forwardedFrom?: { readonly type: 'user'; readonly id: string; readonly name: string };
  /** Minutes after the start of the escalation, under an escalation alone. */
  readonly escalationTime?: number;
  /** Under an escalation alone. */
  readonly notifyType?: NotifyType;
  /** Always empty for a user. */
  readonly participants: readonly OnCallNode[];
}

/** How many escalations, teams and schedules one answer opens at most: they may name each other in a circle. */
const MAX_OPENED = 1_000;

/** The targets that were opened on the route, as `type:id`. */
type Path = readonly string[];

interface RuleFacts {
  readonly escalationTime: number;
  readonly notifyType: NotifyType;
}

/**
 * Opens schedules, teams and escalations to their users, as of one instant (S4). What exceeds a thousand opened
 * things, or the budget, is left out.
 */
export class Expansion {
  readonly #snapshot: TrackedSnapshot;
  readonly #at: Date;
  readonly #budget: Budget;
  #opened = 0;

  constructor(snapshot: TrackedSnapshot, at: Date, budget: Budget) {
    this.#snapshot = snapshot;
    this.#at = at;
    this.#budget = budget;
  }

  ofSchedule(schedule: Schedule, notifyType: NotifyType, path: Path): Steps<readonly OnCallNode[]> {
    return this.#open('schedule', schedule.id, path, (inner) => {
      this.#budget.take(schedule.rotations.length);
      const participants = participantsAt(schedule, this.#at, selectTurn(notifyType), this.#snapshot.exists);
      return flatMapSteps(participants, ({ participant }) => this.ofParticipant(participant, inner));
    });
  }

  *ofParticipant(participant: Participant, path: Path): Steps<readonly OnCallNode[]> {
    switch (participant.type) {
      case 'none':
        return [];
      case 'user':
        return this.#user(participant.id);
      case 'team':
        return yield* this.#team(participant.id, 'default', path);
      case 'escalation':
        return yield* this.#escalation(participant.id, path);
    }
  }

  #user(id: string, rule?: RuleFacts): readonly OnCallNode[] {
    const { exists, forwardings } = this.#snapshot;
    const { chain, userId } = forwardings.at(id, this.#at.getTime(), exists);
    const node = userNode(this.#snapshot, userId, id);
    if (node === undefined) return [];
    this.#budget.take(1 + chain.length);
    return [{ ...node, ...rule }];
  }

  *#team(id: string, notifyType: NotifyType, path: Path, rule?: RuleFacts): Steps<readonly OnCallNode[]> {
    const team = this.#snapshot.team(id);
    if (team === undefined) return [];
    const members = selectMembers(team, notifyType).flatMap((userId) => this.#user(userId));
    const target = defaultTarget(team);
    const routed =
      notifyType === 'default' ? yield* this.#open('team', id, path, (inner) => this.#target(target, inner)) : [];
    return [{ type: 'team', id, name: team.name, ...rule, participants: [...routed, ...members] }];
  }

  *#target(target: ReturnType<typeof defaultTarget>, path: Path): Steps<readonly OnCallNode[]> {
    if (target.type === 'none') return [];
    return yield* target.type === 'schedule'
      ? this.#schedule(target.id, 'default', path)
      : this.#escalation(target.id, path);
  }

  *#schedule(id: string, notifyType: NotifyType, path: Path, rule?: RuleFacts): Steps<readonly OnCallNode[]> {
    const schedule = this.#snapshot.schedule(id);
    if (schedule === undefined) return [];
    const participants = yield* this.ofSchedule(schedule, notifyType, path);
    return [{ type: 'schedule', id, name: schedule.name, ...rule, participants }];
  }

  *#escalation(id: string, path: Path): Steps<readonly OnCallNode[]> {
    const escalation = this.#snapshot.escalation(id);
    if (escalation === undefined) return [];
    const participants = yield* this.#open('escalation', id, path, (inner) =>
      flatMapSteps(escalation.rules, (rule) => this.#rule(rule, inner)),
    );
    return [{ type: 'escalation', id, name: escalation.name, participants }];
  }

  *#rule({ recipient, notifyType, delayMinutes }: EscalationRule, path: Path): Steps<readonly OnCallNode[]> {
    if (this.#budget.isUsedUp) return [];
    const facts: RuleFacts = { escalationTime: delayMinutes, notifyType };
    switch (recipient.type) {
      case 'user':
        return this.#user(recipient.id, facts);
      case 'team':
        return yield* this.#team(recipient.id, notifyType, path, facts);
      case 'schedule':
        return yield* this.#schedule(recipient.id, notifyType, path, facts);
    }
  }

  *#open(
    type: string,
    id: string,
    path: Path,
    inside: (path: Path) => Steps<readonly OnCallNode[]>,
  ): Steps<readonly OnCallNode[]> {
    const step = `${type}:${id}`;
    if (path.includes(step) || this.#opened >= MAX_OPENED || this.#budget.isUsedUp) return [];
    this.#opened += 1;
    this.#budget.take(1);
    return yield* inside([...path, step]);
  }
}

/** The results of `map` for each item, joined, with a step between the items. */
function* flatMapSteps<T, R>(items: readonly T[], map: (item: T) => Steps<readonly R[]>): Steps<readonly R[]> {
  const results: R[] = [];
  for (const item of items) {
    results.push(...(yield* map(item)));
    yield;
  }
  return results;
}

/** For notify types of teams, the turn that covers the instant. */
const selectTurn = (notifyType: NotifyType): ScheduleNotifyType =>
  notifyType === 'next' || notifyType === 'previous' ? notifyType : 'default';

/** The user `userId`, to whom `firstId` is forwarded; undefined where the user does not exist. */
export function userNode(snapshot: Snapshot, userId: string, firstId: string): OnCallNode | undefined {
  const user = snapshot.user(userId);
  if (user === undefined) return undefined;
  const first = { type: 'user' as const, id: firstId, name: snapshot.user(firstId)?.username ?? firstId };
  const forwardedFrom = firstId === userId ? {} : { forwardedFrom: first };
  return { type: 'user', id: userId, name: user.username, ...forwardedFrom, participants: [] };
}
