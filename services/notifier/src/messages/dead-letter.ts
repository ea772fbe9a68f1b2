import type { Decision, DecisionFinding, NoticeCommand, PageMessage, ShiftNotice } from '@tocsin/events';
import { withoutCode } from './delivery.ts';
import { nameOfNotice } from '../notices/notice.ts';
import { nameOfShift } from '../notices/shift.ts';

/** The log entry of a page, cancel or erase that is a dead letter now. */
export function pageDeadLetterDecision(message: PageMessage, reason: string, now: Date): Decision {
  const { alertId, kind, userId } = message;
  const id = kind === 'page' ? message.pageId : [alertId, userId, kind === 'cancel' && message.alertVersion].join(':');
  return deadLetterDecision({ id: `${kind}:${id}`, alertId }, now, {
    subject: kind,
    text: `${NAMES[kind]} of the user [${userId ?? 'all'}] cannot be carried out and is a dead letter: ${reason}.`,
    facts: { ...(kind === 'page' && { pageId: message.pageId }), userId },
  });
}

const NAMES = { page: 'The page', cancel: 'The end of the pages', erase: 'The removal of the pages' } as const;

/** As {@link pageDeadLetterDecision}; a code is not repeated. */
export function noticeDeadLetterDecision(notice: NoticeCommand, reason: string, now: Date): Decision {
  const { kind, noticeId, userId } = notice;
  return deadLetterDecision({ id: `notice:${noticeId}`, userId }, now, {
    subject: 'notice',
    text: `The ${nameOfNotice(notice)} cannot be carried out and is a dead letter: ${withoutCode(notice, reason)}.`,
    facts: { noticeId, userId, kind },
  });
}

/** As {@link pageDeadLetterDecision}. */
export function shiftDeadLetterDecision(shift: ShiftNotice, reason: string, now: Date): Decision {
  const { noticeId, userId } = shift;
  return deadLetterDecision({ id: noticeId, userId }, now, {
    subject: 'shift',
    text: `The ${nameOfShift(shift)} for the user [${userId}] cannot be carried out and is a dead letter: ${reason}.`,
    facts: { noticeId, userId },
  });
}

const deadLetterDecision = (
  { id, ...about }: Pick<Decision, 'alertId' | 'userId'> & { readonly id: string },
  now: Date,
  finding: Omit<DecisionFinding, 'outcome'>,
): Decision => ({
  decisionId: `dead-letter:${id}`,
  ...about,
  stage: 'page',
  at: now.toISOString(),
  findings: [{ ...finding, outcome: 'dead-letter' }],
});

/** The result of `work`, or of `otherwise` where `work` throws. Both must be pure. */
export function catchFault<T>(work: () => T, otherwise: (fault: string) => T): T {
  try {
    return work();
  } catch (error) {
    return otherwise(faultOf(error));
  }
}

const faultOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error);
