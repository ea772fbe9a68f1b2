import type { AlertEvent, Decision, NoticeCommand, Page, ShiftNotice } from '@tocsin/contracts';
import { nameOfNotice } from '../domain/notice.ts';
import { nameOfShift } from '../domain/shift.ts';

/** What the log says of a page that fails for ever, and is a dead letter now. */
export function buriedPage({ alertId, pageId, userId }: Page, reason: string, now: Date): Decision {
  return {
    decisionId: `buried:page:${pageId}`,
    alertId,
    stage: 'page',
    at: now.toISOString(),
    verdicts: [
      {
        subject: 'page',
        outcome: 'buried',
        text: `The page of the user [${userId}] cannot be carried out and is a dead letter: ${reason}.`,
        facts: { pageId, userId },
      },
    ],
  };
}

/** As {@link buriedPage}; a code is not repeated. */
export function buriedNotice(notice: NoticeCommand, reason: string, now: Date): Decision {
  const { kind, noticeId, userId } = notice;
  const told = kind === 'contact-verification' ? reason.replaceAll(notice.code, '[code]') : reason;
  return {
    decisionId: `buried:notice:${noticeId}`,
    userId,
    stage: 'page',
    at: now.toISOString(),
    verdicts: [
      {
        subject: 'notice',
        outcome: 'buried',
        text: `The ${nameOfNotice(notice)} cannot be carried out and is a dead letter: ${told}.`,
        facts: { noticeId, userId, kind },
      },
    ],
  };
}

/** As {@link buriedPage}. */
export function buriedShift(shift: ShiftNotice, reason: string, now: Date): Decision {
  const { noticeId, userId } = shift;
  const text = `The ${nameOfShift(shift)} for the user [${userId}] cannot be carried out and is a dead letter: ${reason}.`;
  return {
    decisionId: `buried:${noticeId}`,
    userId,
    stage: 'page',
    at: now.toISOString(),
    verdicts: [{ subject: 'shift', outcome: 'buried', text, facts: { noticeId, userId } }],
  };
}

/** What the log of an alert says where its pages cannot hear what became of it. */
export function buriedEvent({ alertId, version }: AlertEvent, reason: string, now: Date): Decision {
  return {
    decisionId: `buried:event:${alertId}:${version}`,
    alertId,
    stage: 'page',
    at: now.toISOString(),
    verdicts: [
      {
        subject: 'alert-event',
        outcome: 'buried',
        text: `Messages about the alert do not take its version ${version} into account, which is a dead letter: ${reason}.`,
        facts: { version },
      },
    ],
  };
}
