import type { AlertEvent, Decision, DecisionVerdict, NoticeCommand, Page, ShiftNotice } from '@tocsin/contracts';
import { withoutCode } from '../domain/delivery.ts';
import { nameOfNotice } from '../domain/notice.ts';
import { nameOfShift } from '../domain/shift.ts';

/** What the log says of a page that fails for ever, and is a dead letter now. */
export const buriedPage = ({ alertId, pageId, userId }: Page, reason: string, now: Date): Decision =>
  buried({ id: `page:${pageId}`, alertId }, now, {
    subject: 'page',
    text: `The page of the user [${userId}] cannot be carried out and is a dead letter: ${reason}.`,
    facts: { pageId, userId },
  });

/** As {@link buriedPage}; a code is not repeated. */
export function buriedNotice(notice: NoticeCommand, reason: string, now: Date): Decision {
  const { kind, noticeId, userId } = notice;
  return buried({ id: `notice:${noticeId}`, userId }, now, {
    subject: 'notice',
    text: `The ${nameOfNotice(notice)} cannot be carried out and is a dead letter: ${withoutCode(notice, reason)}.`,
    facts: { noticeId, userId, kind },
  });
}

/** As {@link buriedPage}. */
export function buriedShift(shift: ShiftNotice, reason: string, now: Date): Decision {
  const { noticeId, userId } = shift;
  return buried({ id: noticeId, userId }, now, {
    subject: 'shift',
    text: `The ${nameOfShift(shift)} for the user [${userId}] cannot be carried out and is a dead letter: ${reason}.`,
    facts: { noticeId, userId },
  });
}

/** What the log of an alert says where its pages cannot hear what became of it. */
export const buriedEvent = ({ alertId, version }: AlertEvent, reason: string, now: Date): Decision =>
  buried({ id: `event:${alertId}:${version}`, alertId }, now, {
    subject: 'alert-event',
    text: `Messages about the alert do not take its version ${version} into account, which is a dead letter: ${reason}.`,
    facts: { version },
  });

const buried = (
  { id, ...about }: Pick<Decision, 'alertId' | 'userId'> & { readonly id: string },
  now: Date,
  verdict: Omit<DecisionVerdict, 'outcome'>,
): Decision => ({
  decisionId: `buried:${id}`,
  ...about,
  stage: 'page',
  at: now.toISOString(),
  verdicts: [{ ...verdict, outcome: 'buried' }],
});
