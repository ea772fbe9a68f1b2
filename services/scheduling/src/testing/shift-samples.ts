import type { LeadTime, NotificationRuleState, ShiftActionType, ShiftNotice, UserState } from '@tocsin/events';
import { dueNotices } from '../shift-notices/due-notices.ts';
import type { Schedule } from '../schedules/schedule.ts';
import type { Snapshot } from '../configuration/snapshot.ts';
import { userOf } from './on-call-samples.ts';

export const LEADS: readonly LeadTime[] = ['just-before', '15-minutes-ago', '1-hour-ago', '1-day-ago'];

/** A rule about shifts without a step: only whether it asks for a notice matters here. */
export const shiftRule = (
  actionType: ShiftActionType,
  notificationTime: readonly LeadTime[],
  over: Partial<NotificationRuleState> = {},
): NotificationRuleState => ({
  id: `${actionType} ${notificationTime.join()}`,
  name: actionType,
  actionType,
  order: 1,
  enabled: true,
  criteria: { type: 'match-all', conditions: [] },
  notificationTime: [...notificationTime],
  scheduleIds: [],
  steps: [],
  ...over,
});

/** A user whose rules ask for notices of starts and ends at `leads`. */
export const notifiedUser = (id: string, leads: readonly LeadTime[] = LEADS): UserState => ({
  ...userOf(id),
  notificationRules: [shiftRule('schedule-start', leads), shiftRule('schedule-end', leads)],
});

/** One schedule whose notices of shifts are published when they are due, or late where a test says so. */
export class PlayedSchedule {
  readonly notices: ShiftNotice[] = [];
  #nextAt: Date | undefined;

  constructor(startedAt: Date) {
    this.#nextAt = startedAt;
  }

  /** Publishes the due notices until `until`, inclusive, each time at its instant. */
  playTo(until: Date, snapshot: Snapshot, schedule: Schedule): this {
    while (this.#nextAt !== undefined && this.#nextAt <= until) this.publishAt(this.#nextAt, snapshot, schedule);
    return this;
  }

  /** Publishes the due notices at `now`, in time or late. */
  publishAt(now: Date, snapshot: Snapshot, schedule: Schedule): this {
    if (this.#nextAt === undefined || this.#nextAt > now) return this;
    const { nextAt, notices } = dueNotices(snapshot, schedule, { from: this.#nextAt, now });
    if (nextAt !== undefined && nextAt <= now) throw new Error('the next instant has to be later');
    this.notices.push(...notices);
    this.#nextAt = nextAt;
    return this;
  }

  /** The schedule changes at `at`. */
  touch(at: Date): this {
    if (this.#nextAt === undefined || this.#nextAt > at) this.#nextAt = at;
    return this;
  }
}

/** `<when it is published> <user> <start|end> <when it begins or ends> <lead time>`, to the minute and sorted. */
export const linesOf = (notices: readonly ShiftNotice[]): readonly string[] => notices.map(lineOf).toSorted();

const lineOf = ({ actionType, at, changesAt, leadTime, userId }: ShiftNotice): string => {
  const what = actionType === 'schedule-start' ? 'start' : 'end';
  return `${at.slice(5, 16)} ${userId} ${what} ${changesAt.slice(5, 16)} ${leadTime}`;
};
