import { z } from 'zod';
import { id } from '../primitives.ts';
import { defineTopic } from '../topics.ts';
import { ActionType } from './pages.ts';
import { at } from './shared.ts';
import { LeadTime, type NotificationRuleState } from './states.ts';

/** The kinds of notices about a shift: a user comes on call, or goes off (U6). */
export const ShiftActionType = ActionType.extract(['schedule-start', 'schedule-end']);
export type ShiftActionType = z.infer<typeof ShiftActionType>;

/**
 * Notifies one user that they will be on call in a schedule, or will not be any more. It is about no alert; what is sent and
 * when is the user's own notification rules' business, as with a page (U6).
 */
export const ShiftNotice = z.object({
  /** `shift:schedule:user:start|end:instant:lead time`; the same notice twice is one. */
  noticeId: z.string(),
  userId: id,
  actionType: ShiftActionType,
  leadTime: LeadTime,
  /** As it was called when the order was given; times are written in its zone. */
  schedule: z.object({ id, name: z.string(), timezone: z.string() }),
  /**
   * The names of the rotations by which they come on call or go off then, at most ten; empty for an override on a schedule
   * without any.
   */
  rotations: z.array(z.string()),
  /** When the user comes on call, or goes off. */
  changesAt: at,
  /** The lead time before that: the user's `sendAfter` counts from here, but for a notice that comes late. */
  dueAt: at,
  /** When the order was given: later than `dueAt` where no process could give it in time. */
  at,
});
export type ShiftNotice = z.infer<typeof ShiftNotice>;

/** Why a rule of the notice's action type does not ask for it, whenever it comes; undefined where it does (U6). */
export function shiftMismatch(
  { enabled, notificationTime = [], scheduleIds = [] }: NotificationRuleState,
  { leadTime, scheduleId }: Pick<ShiftNotice, 'leadTime'> & { readonly scheduleId: string },
): string | undefined {
  if (!enabled) return 'it is disabled';
  if (!notificationTime.includes(leadTime)) return `it does not ask for ${leadTime}`;
  if (scheduleIds.length > 0 && !scheduleIds.includes(scheduleId)) return 'it is about other schedules';
  return undefined;
}

/** Keyed by user, so that the notices of one person come in order. */
export const ShiftNotices = defineTopic<ShiftNotice>({
  name: 'shift-notices.v1',
  kind: 'commands',
  schema: ShiftNotice,
  key: (notice) => notice.userId,
});
