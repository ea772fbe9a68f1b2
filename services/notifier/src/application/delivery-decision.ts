import type { Decision } from '@tocsin/contracts';
import { isNotice, type Delivery } from '../domain/delivery.ts';
import { nameOfNotice } from '../domain/notice.ts';

/** What the log says of a delivery after a step of its life; `sent` has the facts that {@link Decision} promises. */
export function decisionOf(delivery: Delivery, retryAt: Date | undefined, now: Date): Decision {
  const { attempts, deliveryId, method, state, to, username } = delivery;
  const facts = { deliveryId, userId: userIdOf(delivery), username, method, to, attempts };
  return {
    decisionId: `deliver:${deliveryId}:${attempts}:${state}`,
    ...(isNotice(delivery) ? { userId: delivery.notice.userId } : { alertId: delivery.page.alertId }),
    stage: 'deliver',
    at: now.toISOString(),
    verdicts: [
      {
        subject: 'delivery',
        outcome: outcomeOf(state, retryAt),
        text: sentence(delivery, retryAt),
        facts: isNotice(delivery)
          ? { ...facts, noticeId: delivery.notice.noticeId }
          : { ...facts, pageId: delivery.page.pageId },
      },
    ],
  };
}

const outcomeOf = (state: Delivery['state'], retryAt: Date | undefined): string => {
  if (retryAt !== undefined) return 'retrying';
  return state === 'sending' ? 'repeating' : state;
};

const userIdOf = (delivery: Delivery): string => (isNotice(delivery) ? delivery.notice.userId : delivery.page.userId);

function sentence(delivery: Delivery, retryAt: Date | undefined): string {
  const { method, reason, state, username } = delivery;
  const what = isNotice(delivery) ? nameOfNotice(delivery.notice) : `${method} to ${username}`;
  const because = reason === undefined ? '' : `: ${reason}`;
  if (retryAt !== undefined) return `The ${what} is tried again at ${retryAt.toISOString()}${because}.`;
  switch (state) {
    case 'sent':
      return `The ${what} was handed over${because}.`;
    case 'failed':
      return `The ${what} failed${because}.`;
    case 'dropped':
      return `The ${what} was not sent${because}.`;
    case 'sending':
      return `The ${what} is sent again${because}.`;
    case 'waiting':
      return `The ${what} is waiting${because}.`;
  }
}
