import type { Decision, DecisionFinding, NoticeCommand, ShiftActionType } from '@tocsin/events';
import { nameOfNotice } from '../notices/notice.ts';
import { nameOfShift } from '../notices/shift.ts';
import type { DeliveryResult } from '../queue/message-result.ts';
import type { Receipt } from '../receipts/receipt.ts';
import { triesOf } from './attempts.ts';
import {
  isNotice,
  isPage,
  isShift,
  METHOD_NAMES,
  type NoticeDelivery,
  type ShiftDelivery,
  type UserDelivery,
  userIdOf,
} from './delivery.ts';

/** A change of a delivery. */
export type Change = Pick<DeliveryResult<UserDelivery>, 'delivery' | 'retryAt' | 'successor'>;

/** The log entry of a change of a delivery; `sent` has the facts that {@link Decision} promises. */
export function decisionOf(change: Change, now: Date): Decision {
  const { delivery, retryAt, successor } = change;
  const { attempts, bundle, deliveryId, dueAt, method, provider, state, to, username } = delivery;
  const facts = {
    deliveryId,
    userId: userIdOf(delivery),
    username,
    method,
    to,
    attempts: triesOf(delivery),
    ...(provider !== undefined && { provider }),
    ...(successor && { successorId: successor.deliveryId }),
    ...(bundle && { pages: bundle.size }),
    ...(state === 'held-back' && { about: aboutWhat(delivery), dueAt: dueAt.toISOString() }),
  };
  return {
    decisionId: `deliver:${deliveryId}:${attempts}:${state}`,
    ...aboutOf(delivery),
    stage: 'deliver',
    at: now.toISOString(),
    findings: [
      {
        subject: 'delivery',
        outcome: outcomeOf(state, retryAt),
        text: sentence(change),
        facts: { ...facts, ...subjectFacts(delivery) },
      },
    ],
  };
}

/** The change with its log entry. */
export const withDecision = <C extends Change>(change: C, now: Date): C & { readonly decision: Decision } => ({
  ...change,
  decision: decisionOf(change, now),
});

/** The log entry of a receipt that came after its message was tried again: it changes nothing. */
export function overtakenDecision(
  delivery: UserDelivery,
  { attempt, outcome, provider, said }: Receipt,
  now: Date,
): Decision {
  const { attempts, deliveryId, method, to, username } = delivery;
  const end = outcome === 'delivered' ? 'was delivered after all' : 'failed';
  return {
    decisionId: `receipt:${deliveryId}:${attempt}:${outcome}`,
    ...aboutOf(delivery),
    stage: 'deliver',
    at: now.toISOString(),
    findings: [
      {
        subject: 'receipt',
        outcome,
        text: `Attempt ${attempt} of the ${nameOf(delivery)} ${end} by [${provider}]: ${said}. What counts is attempt ${attempts}.`,
        // Other records have the fate of the message itself.
        facts: { userId: userIdOf(delivery), username, method, to, provider, attempt, ...subjectFacts(delivery) },
      },
    ],
  };
}

function aboutOf(delivery: UserDelivery): Pick<Decision, 'alertId' | 'userId'> {
  if (isPage(delivery)) return { alertId: delivery.page.alertId };
  const userId = userIdOf(delivery);
  return userId === '' ? {} : { userId };
}

/** What a message says: the action of a page or of a notice of a shift, or the kind of another notice. */
function aboutWhat(delivery: UserDelivery): string {
  if (isPage(delivery)) return delivery.page.actionType;
  if (isNotice(delivery)) return delivery.notice.kind;
  return isShift(delivery) ? delivery.shift.actionType : 'unknown';
}

const outcomeOf = (state: UserDelivery['state'], retryAt: Date | undefined): string => {
  if (retryAt !== undefined) return 'retrying';
  return state === 'sending' ? 'repeating' : state;
};

function subjectFacts(delivery: UserDelivery): Readonly<Record<string, string>> {
  if (isPage(delivery)) return { pageId: delivery.page.pageId };
  if (isNotice(delivery)) return { noticeId: delivery.notice.noticeId };
  return isShift(delivery) ? { noticeId: delivery.shift.noticeId } : {};
}

function nameOf(delivery: UserDelivery): string {
  // A sent delivery keeps only its kind.
  if (isNotice(delivery)) return nameOfNotice({ kind: delivery.notice.kind, username: delivery.username });
  const message = `${METHOD_NAMES[delivery.method]} to ${delivery.username}`;
  return isShift(delivery) ? `${message}, a ${nameOfShift(delivery.shift)},` : message;
}

function sentence(change: Change): string {
  const { delivery, retryAt, successor } = change;
  const { reason, state } = delivery;
  const what = `${nameOf(delivery)}${inBundle(delivery)}`;
  const because = becauseOf(reason);
  const by = providerSuffix(change);
  if (retryAt !== undefined) return `The ${what} is tried again${by} at ${retryAt.toISOString()}${because}.`;
  switch (state) {
    case 'sent':
      return `The ${what} was handed over${by}${because}.`;
    case 'delivered':
      return `The ${what} was delivered${by}${because}.`;
    case 'failed':
      return `The ${what} failed${by}${successor === undefined ? '' : ' and goes to another provider'}${because}.`;
    case 'dropped':
    case 'held-back':
      return `The ${what} was not sent${because}.${wouldHaveGone(delivery)}`;
    case 'sending':
      return `The ${what} is sent again${because}.`;
    case 'waiting':
      return `The ${what} is waiting${because}.`;
  }
}

const becauseOf = (reason: string | undefined): string => (reason === undefined ? '' : `: ${reason}`);

const wouldHaveGone = ({ state, to }: UserDelivery): string =>
  state === 'held-back' ? ` It would have gone to ${to}.` : '';

/** A page that goes out with others may have waited for them (U8). */
const inBundle = ({ bundle }: UserDelivery): string =>
  bundle === undefined ? '' : `, with ${bundle.size - 1} other page${bundle.size === 2 ? '' : 's'} in one message,`;

/** The provider is named where the message has more than one. */
function providerSuffix({ delivery: { provider, refusedBy }, successor }: Change): string {
  return provider === undefined || (successor ?? refusedBy) === undefined ? '' : ` by [${provider}]`;
}

/** Reports the result of a notice, which is in the log of no alert. */
export function notifyOutcome(
  delivery: NoticeDelivery | ShiftDelivery,
  findings: readonly DecisionFinding[],
  onNotice: NoticeListener,
): void {
  const named = noticeNamed(delivery);
  for (const { outcome, text } of findings) onNotice({ ...named, outcome, text });
}

function noticeNamed(delivery: NoticeDelivery | ShiftDelivery): Omit<NoticeOutcome, 'outcome' | 'text'> {
  const { deliveryId } = delivery;
  if (isNotice(delivery)) {
    const { kind, noticeId, userId } = delivery.notice;
    return { kind, noticeId, userId };
  }
  if (!isShift(delivery)) return { kind: 'unknown', noticeId: deliveryId, userId: '' };
  const { actionType, noticeId, userId } = delivery.shift;
  return { kind: actionType, noticeId, userId };
}

/** The result of a notice, which is in the log of no alert. It has no secrets. */
export interface NoticeOutcome {
  /** `unknown`: a later release has stored it. */
  readonly kind: NoticeCommand['kind'] | ShiftActionType | 'unknown';
  readonly noticeId: string;
  readonly userId: string;
  readonly outcome: string;
  readonly text: string;
}

export type NoticeListener = (outcome: NoticeOutcome) => void;
