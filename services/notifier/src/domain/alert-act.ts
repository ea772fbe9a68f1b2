import type { AlertCommand, ContactMethod, Decision } from '@tocsin/contracts';
import { maskedNumber } from './masked-number.ts';

/** How somebody answered a message: by its link, by a message of their own, or by a key during a call (U9). */
interface GivenAnswer {
  readonly by: 'link' | 'reply' | 'key';
  /** The method of the message that was answered. */
  readonly method: ContactMethod;
  /** The address that it went to, where that is known. */
  readonly to?: string;
}

/** What somebody who was told of an alert does to it by an answer (U9). */
export interface AlertAct {
  /** Follows from the answer: the same answer twice is one act. At most 100 characters, and no UUID. */
  readonly requestId: string;
  readonly action: 'acknowledge' | 'close';
  readonly alertId: string;
  /** The owner of the contact: who acts. */
  readonly user: { readonly id: string; readonly username: string };
  readonly answer: GivenAnswer;
}

const WAYS = { link: 'Link', reply: 'Reply', key: 'Key' } as const;
const METHODS = { email: 'mail', sms: 'text message', voice: 'call', mobile: 'push' } as const;
const DONE = { acknowledge: 'acknowledges', close: 'closes' } as const;

/** The order to change the alert, accepted at `at`. It belongs to no team, so no team's rights limit it. */
export function commandOf({ action, alertId, answer, requestId, user }: AlertAct, at: Date): AlertCommand {
  return {
    kind: action,
    requestId,
    identifier: { type: 'id', value: alertId },
    integration: { id: 'notifier', name: answer.method, type: WAYS[answer.by] },
    actor: user.username,
    source: answer.method,
    acceptedAt: at.toISOString(),
  };
}

/** What the alert's log says of the answer; what came of it the command itself says. */
export function decisionOf({ action, alertId, answer, requestId, user }: AlertAct, at: Date): Decision {
  const { by, method, to } = answer;
  const where = to === undefined ? '' : ` to ${maskedNumber(to)}`;
  const text = `${user.username} ${DONE[action]} the alert by the ${by} of a ${METHODS[method]}${where}.`;
  const facts = { requestId, userId: user.id, username: user.username, action, by, method };
  return {
    decisionId: `act:${requestId}`,
    alertId,
    stage: 'deliver',
    at: at.toISOString(),
    verdicts: [{ subject: 'answer', outcome: 'taken', text, facts }],
  };
}
