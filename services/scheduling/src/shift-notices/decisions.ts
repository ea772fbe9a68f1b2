import { formatInstant, type Decision, type ShiftNotice } from '@tocsin/events';
import type { DueNotices } from './due-notices.ts';
import type { Snapshot } from '../configuration/snapshot.ts';

/**
 * One decision for each user who is notified of a shift, or is not although one of their rules selects it. It is about the user,
 * because it belongs to no alert.
 */
export const decisionsOf = ({ notices, late }: DueNotices, snapshot: Snapshot): readonly Decision[] => [
  ...notices.map((notice) => decisionOf(notice, 'notified', `${sentence(notice, snapshot)}, and is notified.`)),
  ...late.map(({ notice, reason }) =>
    decisionOf(notice, 'skipped', `${sentence(notice, snapshot)}, and is not notified so late: ${reason}.`),
  ),
];

function sentence({ actionType, changesAt, schedule, userId }: ShiftNotice, snapshot: Snapshot): string {
  const what = actionType === 'schedule-start' ? 'comes on call in' : 'goes off call in';
  const who = snapshot.user(userId)?.username ?? userId;
  return `${who} ${what} schedule [${schedule.name}] at ${formatInstant(new Date(changesAt))}`;
}

function decisionOf(notice: ShiftNotice, outcome: 'notified' | 'skipped', text: string): Decision {
  const { actionType, at, changesAt, dueAt, leadTime, noticeId, rotations, schedule, userId } = notice;
  const facts = { noticeId, userId, scheduleId: schedule.id, rotations, actionType, leadTime, changesAt, dueAt };
  return {
    decisionId: `route:${noticeId}`,
    userId,
    stage: 'route',
    at,
    findings: [{ subject: 'shift', outcome, text, facts }],
  };
}
