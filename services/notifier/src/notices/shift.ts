import {
  shiftMismatch,
  type ContactMethod,
  type DecisionFinding,
  type ShiftNotice,
  type UserState,
} from '@tocsin/events';
import { finished } from '@tocsin/core';
import type { ShiftDelivery } from '../messages/delivery.ts';
import { mutedNow } from '../messages/recheck.ts';
import { chosenFor, inOrder, restrictedAt, type RuleChoice } from '../pages/rule-choice.ts';
import { planSteps } from '../pages/steps.ts';

const MINUTE_MS = 60_000;

/** How many minutes after its lead time the notice of a shift was published; 0 where it came in time. */
export const minutesLate = ({ at, dueAt }: Pick<ShiftNotice, 'at' | 'dueAt'>): number =>
  Math.max(0, Math.floor((Date.parse(at) - Date.parse(dueAt)) / MINUTE_MS));

/** The name of a notice of a shift in texts for users. */
export function nameOfShift({ actionType, schedule }: NamedShift): string {
  const name = `notice of a shift's ${actionType === 'schedule-start' ? 'start' : 'end'}`;
  return schedule === undefined ? name : `${name} in schedule [${schedule.name}]`;
}

/** A sent notice does not keep its schedule (A6). */
interface NamedShift extends Pick<ShiftNotice, 'actionType'> {
  readonly schedule?: ShiftNotice['schedule'] | undefined;
}

/** The messages of a notice of a shift by the user's notification rules, and the reasons. */
export interface PlannedShift {
  readonly deliveries: readonly ShiftDelivery[];
  readonly findings: readonly DecisionFinding[];
}

/**
 * Expands a notice by the first rule of its action type, by order, that is enabled, asks for its lead time, is about its
 * schedule, and whose time restriction holds then. Criteria are about alerts and do not apply. Each enabled step is sent at the
 * lead time plus `sendAfter`, or plus the time of the command where that came late. Steps are not repeated, because nothing would
 * end the repetition (U6).
 */
export function planShift(
  shift: ShiftNotice,
  user: UserState | undefined,
  channels: ReadonlySet<ContactMethod>,
): PlannedShift {
  if (user === undefined) return nothing(shift, `The user [${shift.userId}] does not exist any more.`);
  if (user.blocked) return nothing(shift, `${user.username} is blocked.`);
  const facts = { noticeId: shift.noticeId };
  const startsAt = startOf(shift);
  const { rule, findings } = chooseShiftRule(shift, user, facts);
  const choice = [...mutedNow(undefined, user, startsAt, facts), ...findings];
  if (rule === undefined) return { deliveries: [], findings: choice };
  const { deliveries, findings: steps } = planSteps<ShiftDelivery>(
    { rule, user, channels, startsAt, facts },
    (message, step) => ({
      ...message,
      deliveryId: `${shift.noticeId}#${step.id}`,
      shift,
    }),
  );
  return { deliveries, findings: [...choice, ...steps] };
}

const startOf = (shift: ShiftNotice): Date => new Date(minutesLate(shift) > 0 ? shift.at : shift.dueAt);

function chooseShiftRule(shift: ShiftNotice, user: UserState, facts: Readonly<Record<string, string>>): RuleChoice {
  const { actionType, leadTime, schedule } = shift;
  const start = startOf(shift).toISOString();
  const choice = chosenFor(
    { actionType, user, facts },
    inOrder(user.notificationRules, actionType),
    (rule) => shiftMismatch(rule, { leadTime, scheduleId: schedule.id }) ?? restrictedAt(rule, start, user.timeZone),
  );
  return finished(choice);
}

function nothing({ noticeId, userId }: ShiftNotice, text: string): PlannedShift {
  return { deliveries: [], findings: [{ subject: 'user', outcome: 'skipped', text, facts: { noticeId, userId } }] };
}
