import type { ContactMethod, DecisionVerdict, Page, UserState } from '@tocsin/contracts';
import { planPage } from '../domain/flow.ts';
import { announced, firstRepetition, waitingForUser, type Repetition } from '../domain/repetition.ts';
import type { ExpandedPage } from '../ports/flow-store.ts';

/** Who a page is for, and what their rules are judged with. */
export interface Expanding {
  /** Undefined where the user does not exist. */
  readonly user: UserState | undefined;
  readonly channels: ReadonlySet<ContactMethod>;
  readonly now: Date;
}

/**
 * What a page comes to by the rules of its user, of whom it is known whether they exist. Its decision is of `now`: the page may have
 * been due long before, and the log tells of what caused it first.
 */
export function expandedPage(page: Page, { channels, now, user }: Expanding): ExpandedPage {
  const plan = planPage(page, user, channels);
  const next = firstRepetition(page, plan);
  const verdicts = [...plan.choice, ...plan.steps, ...(next === undefined ? [] : [announced(next)])];
  return { deliveries: plan.deliveries, next, decision: decisionOf(`page:${page.pageId}`, page, { now, verdicts }) };
}

/** What a page comes to while nobody can say who its user is: it waits by itself, and the log says so. */
export function waitingPage(page: Page, now: Date): ExpandedPage {
  const text = `The page of the user [${page.userId}] waits: who that is cannot be asked at present.`;
  const verdict = { subject: 'user', outcome: 'waiting', text, facts: { pageId: page.pageId, userId: page.userId } };
  const decision = decisionOf(`page-waits:${page.pageId}`, page, { now, verdicts: [verdict] });
  return { deliveries: [], next: waitingForUser({ page, number: 0, loopAfterMinutes: 0 }, now), decision };
}

/** The page waits a little longer. The log has said so when the wait began. */
export const stillWaiting = (repetition: Repetition, now: Date): ExpandedPage => ({
  deliveries: [],
  next: waitingForUser(repetition, now),
  decision: undefined,
});

const decisionOf = (
  decisionId: string,
  page: Page,
  { now, verdicts }: { readonly now: Date; readonly verdicts: readonly DecisionVerdict[] },
) => ({
  decisionId,
  alertId: page.alertId,
  stage: 'page' as const,
  at: now.toISOString(),
  verdicts: [...verdicts],
});
