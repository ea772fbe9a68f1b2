import type { NotifyType } from '@tocsin/contracts';
import type { EscalationRule } from '../escalation.ts';
import { participantsAt, type ScheduleNotifyType } from '../on-call.ts';
import type { Participant, Schedule } from '../schedule.ts';
import { defaultTarget, membersMeantBy, type Snapshot, type TrackedSnapshot } from '../snapshot.ts';

/** One entry of an on-call answer, opened as far as it goes (part 2, 2.8). */
export interface OnCallNode {
  readonly type: 'user' | 'team' | 'escalation' | 'schedule';
  readonly id: string;
  /** The user name, for a user. */
  readonly name: string;
  /** The user whose duty it was at first, for one to whom it is forwarded. */
  readonly forwardedFrom?: { readonly type: 'user'; readonly id: string; readonly name: string };
  /** Minutes after the start of the escalation, under an escalation alone. */
  readonly escalationTime?: number;
  /** Under an escalation alone. */
  readonly notifyType?: NotifyType;
  /** Always empty for a user. */
  readonly participants: readonly OnCallNode[];
}

/** Escalations, teams and schedules that one answer opens at most: configuration may name itself in circles. */
const MOST_OPENED = 1_000;

/** Rotations that one answer asks and users that it lists at most: a rule may name a team of thousands, a thousand times. */
export const MOST_STEPS = 10_000;

/** How many steps all parts of an answer may take together: while one is made, this process settles no events. */
export class Budget {
  #steps: number;

  constructor(steps: number = MOST_STEPS) {
    this.#steps = steps;
  }

  /** 0 or less where it is used up. */
  get left(): number {
    return this.#steps;
  }

  get isUsedUp(): boolean {
    return this.#steps <= 0;
  }

  take(steps: number): void {
    this.#steps -= steps;
  }
}

/** What was opened on the way, as `type:id`. */
type Path = readonly string[];

interface RuleFacts {
  readonly escalationTime: number;
  readonly notifyType: NotifyType;
}

/**
 * Opens schedules, teams and escalations to the people behind them, as of one instant (S4). What exceeds a thousand opened
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

  ofSchedule(schedule: Schedule, notifyType: NotifyType, path: Path): readonly OnCallNode[] {
    return this.#open('schedule', schedule.id, path, (inner) => {
      this.#budget.take(schedule.rotations.length);
      return participantsAt(schedule, this.#at, turnMeantBy(notifyType), this.#snapshot.exists).flatMap(
        ({ participant }) => this.ofParticipant(participant, inner),
      );
    });
  }

  ofParticipant(participant: Participant, path: Path): readonly OnCallNode[] {
    switch (participant.type) {
      case 'none':
        return [];
      case 'user':
        return this.#user(participant.id);
      case 'team':
        return this.#team(participant.id, 'default', path);
      case 'escalation':
        return this.#escalation(participant.id, path);
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

  #team(id: string, notifyType: NotifyType, path: Path, rule?: RuleFacts): readonly OnCallNode[] {
    const team = this.#snapshot.team(id);
    if (team === undefined) return [];
    const members = membersMeantBy(team, notifyType).flatMap((userId) => this.#user(userId));
    const target = defaultTarget(team);
    const routed =
      notifyType === 'default'
        ? this.#open('team', id, path, (inner) =>
            target.type === 'none' ? [] : this.#target(target.type, target.id, inner),
          )
        : [];
    return [{ type: 'team', id, name: team.name, ...rule, participants: [...routed, ...members] }];
  }

  #target(type: 'schedule' | 'escalation', id: string, path: Path): readonly OnCallNode[] {
    return type === 'schedule' ? this.#schedule(id, 'default', path) : this.#escalation(id, path);
  }

  #schedule(id: string, notifyType: NotifyType, path: Path, rule?: RuleFacts): readonly OnCallNode[] {
    const schedule = this.#snapshot.schedule(id);
    if (schedule === undefined) return [];
    return [
      { type: 'schedule', id, name: schedule.name, ...rule, participants: this.ofSchedule(schedule, notifyType, path) },
    ];
  }

  #escalation(id: string, path: Path): readonly OnCallNode[] {
    const escalation = this.#snapshot.escalation(id);
    if (escalation === undefined) return [];
    const participants = this.#open('escalation', id, path, (inner) =>
      escalation.rules.flatMap((rule) => this.#rule(rule, inner)),
    );
    return [{ type: 'escalation', id, name: escalation.name, participants }];
  }

  #rule({ recipient, notifyType, delayMinutes }: EscalationRule, path: Path): readonly OnCallNode[] {
    if (this.#budget.isUsedUp) return [];
    const facts: RuleFacts = { escalationTime: delayMinutes, notifyType };
    switch (recipient.type) {
      case 'user':
        return this.#user(recipient.id, facts);
      case 'team':
        return this.#team(recipient.id, notifyType, path, facts);
      case 'schedule':
        return this.#schedule(recipient.id, notifyType, path, facts);
    }
  }

  #open(type: string, id: string, path: Path, inside: (path: Path) => readonly OnCallNode[]): readonly OnCallNode[] {
    const step = `${type}:${id}`;
    if (path.includes(step) || this.#opened >= MOST_OPENED || this.#budget.isUsedUp) return [];
    this.#opened += 1;
    this.#budget.take(1);
    return inside([...path, step]);
  }
}

/** Notify types of teams mean the turn that covers the instant. */
const turnMeantBy = (notifyType: NotifyType): ScheduleNotifyType =>
  notifyType === 'next' || notifyType === 'previous' ? notifyType : 'default';

/** The user `userId` who has a duty that was that of `firstId` at first; undefined where the user does not exist. */
export function userNode(snapshot: Snapshot, userId: string, firstId: string): OnCallNode | undefined {
  const user = snapshot.user(userId);
  if (user === undefined) return undefined;
  const first = { type: 'user' as const, id: firstId, name: snapshot.user(firstId)?.username ?? firstId };
  const forwardedFrom = firstId === userId ? {} : { forwardedFrom: first };
  return { type: 'user', id: userId, name: user.username, ...forwardedFrom, participants: [] };
}
