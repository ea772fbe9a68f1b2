import type { Cancel, ContactMethod, Decision, DecisionFinding, Erase, Page, UserState } from '@tocsin/events';
import { finished } from '@tocsin/core';
import type { PageDelivery } from '../messages/delivery.ts';
import type { Slots } from '../queue/message-result.ts';
import { isErased, type PageMessages, reasonNotToRepeat, reasonToDrop } from './cancels.ts';
import { planPage } from './plan.ts';
import { repetitionFinding, firstRepetition, type Repetition, lookUpLater } from './repetition.ts';

/** The user of a page, and the input of the user's rules. */
export interface PageContext {
  /** Undefined where the user does not exist. */
  readonly user: UserState | undefined;
  readonly channels: ReadonlySet<ContactMethod>;
  readonly now: Date;
}

/**
 * Expands a page by the rules of its user. The time of the decision is `now`, not the due time of the page, so that the log stays in
 * the order of events.
 */
export function expandPage(page: Page, { channels, now, user }: PageContext): ExpandedPage {
  const plan = finished(planPage(page, user, channels));
  const next = firstRepetition(page, plan);
  const findings = [...plan.choice, ...plan.steps, ...(next === undefined ? [] : [repetitionFinding(next)])];
  return { deliveries: plan.deliveries, next, decision: decisionOf(`page:${page.pageId}`, page, { now, findings }) };
}

/** A page whose user cannot be looked up now: it waits, and the log says so. */
export function waitingPage(page: Page, now: Date): ExpandedPage {
  const text = `The page of the user [${page.userId}] waits: who that is cannot be asked at present.`;
  const finding = { subject: 'user', outcome: 'waiting', text, facts: { pageId: page.pageId, userId: page.userId } };
  const decision = decisionOf(`page-waits:${page.pageId}`, page, { now, findings: [finding] });
  return { deliveries: [], next: lookUpLater({ page, number: 0, loopAfterMinutes: 0 }, now), decision };
}

/** The messages of a page that was cancelled before it was expanded: each is dropped when it is due. */
export const cancelledPage = ({ decision, deliveries, next }: ExpandedPage, cancelReason: string): ExpandedPage => ({
  deliveries: deliveries.map((delivery) => ({ ...delivery, cancelReason })),
  next: next && { ...next, cancelReason },
  decision,
});

/** The messages of a page, with the cancels of the same batch. */
export function expandWith(
  page: Page,
  { cancels, erases }: Pick<PageMessages, 'cancels' | 'erases'>,
  expand: (page: Page) => ExpandedPage,
): ExpandedPage {
  if (isErased(page, erases)) return { deliveries: [], next: undefined, decision: undefined };
  const reason = reasonToDrop(page, cancels);
  if (reason !== undefined) return cancelledPage(expand(page), reason);
  return expand(reasonNotToRepeat(page, cancels) === undefined ? page : { ...page, once: true });
}

/** The page waits for longer. The log has an entry of the beginning of the wait only. */
export const stillWaiting = (repetition: Repetition, now: Date): ExpandedPage => ({
  deliveries: [],
  next: lookUpLater(repetition, now),
  decision: undefined,
});

const decisionOf = (
  decisionId: string,
  page: Page,
  { now, findings }: { readonly now: Date; readonly findings: readonly DecisionFinding[] },
) => ({
  decisionId,
  alertId: page.alertId,
  stage: 'page' as const,
  at: now.toISOString(),
  findings: [...findings],
});

/** The result of one page, or of one repetition of its steps. */
export interface ExpandedPage {
  readonly deliveries: readonly PageDelivery[];
  /** The log entry, if there is one. */
  readonly decision: Decision | undefined;
  /** The next repetition, where there is one. */
  readonly next: Repetition | undefined;
}

/** The result of a due repetition. Pure. */
export type ExpandRepetition = (repetition: Repetition) => ExpandedPage;

/** New pages with their results, and the cancels and erases of earlier pages. */
export interface NewPages {
  readonly slots: Slots;
  readonly expanded: readonly (ExpandedPage & { readonly page: Page })[];
  readonly cancels: readonly Cancel[];
  readonly erases: readonly Erase[];
}
