import { callsSomebody } from './acknowledge-link.ts';
import type { AlertAct } from './alert-act.ts';
import { isPage, type Delivery } from './delivery.ts';

/** What somebody may answer who was told of an alert by a phone: it has no word of the alert (A6). */
export interface Answerable {
  readonly alertId: string;
  /** A digest of the page's id: all answers to one page that ask for the same are one act. */
  readonly page: string;
  readonly userId: string;
  readonly tinyId: string;
  /** The number that was told, as contacts have it. */
  readonly to: string;
}

/** What can be answered to a message; undefined of one that calls nobody to an alert. `digest` makes a short text of a page's id. */
export function answerableBy(delivery: Delivery, digest: (pageId: string) => string): Answerable | undefined {
  if (!isPage(delivery) || !callsSomebody(delivery.page)) return undefined;
  const { alert, alertId, pageId, userId } = delivery.page;
  return { alertId, page: digest(pageId), userId, tinyId: alert.tinyId, to: delivery.to };
}

/** The page that an answer is about. */
export type AnsweredPage = Pick<Answerable, 'alertId' | 'page'>;

/**
 * The act that an answer is, whichever message of its page is answered, and whether by its link, by a reply or by a key. What
 * is acknowledged can still be closed.
 */
export const actIdOf = ({ alertId, page }: AnsweredPage, action: AlertAct['action']): string =>
  `answer:${alertId}:${page}:${action}`;

/** Whether two ways to write a number mean the same one: `1-5551234567` of a contact (U3), `+15551234567` of a provider. */
export const isSameNumber = (one: string, other: string): boolean => digitsOf(one) === digitsOf(other);

/** The digits of a number, country code first; the `00` that is dialled before it in many countries is none of them. */
export const digitsOf = (number: string): string => number.replaceAll(/\D/g, '').replace(/^00/, '');
