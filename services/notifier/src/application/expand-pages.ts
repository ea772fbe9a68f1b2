import type { ContactMethod, ConsumedBatch, Decision, DecisionVerdict, Page, Settlement } from '@tocsin/contracts';
import { UnavailableError } from '@tocsin/errors';
import { planPage, type Plan } from '../domain/flow.ts';
import type { Delivery } from '../domain/delivery.ts';
import type { Claim, ExpandedPage, NotificationStore } from '../ports/notification-store.ts';
import type { Users } from '../ports/users.ts';

export interface ExpandPagesPorts {
  readonly store: NotificationStore<Claim>;
  readonly users: Users;
  /** The methods that have a provider. */
  readonly channels: ReadonlySet<ContactMethod>;
}

/** Turns pages into deliveries by the users' notification rules, each page once (architecture section 4, step 5). */
export class ExpandPages {
  readonly #ports: ExpandPagesPorts;

  constructor(ports: ExpandPagesPorts) {
    this.#ports = ports;
  }

  /** Never throws: while a user cannot be looked up, the batch waits. */
  async settle(batch: ConsumedBatch<Page>): Promise<Settlement> {
    const { store, users } = this.#ports;
    try {
      await this.#lookUpMissing(batch);
    } catch (error) {
      if (error instanceof UnavailableError) return { outcome: 'retry', reason: error.message };
      throw error;
    }
    return store.settlePages(batch, (page) => this.#expand(page, users));
  }

  /** A user made a moment ago may not have reached us; the owner knows. */
  async #lookUpMissing(batch: ConsumedBatch<Page>): Promise<void> {
    const { users } = this.#ports;
    const missing = new Set(
      batch.records.map(({ value }) => value.userId).filter((userId) => users.get(userId) === undefined),
    );
    await Promise.all([...missing].map((userId) => users.fetch('id', userId)));
  }

  #expand(page: Page, users: Users): ExpandedPage {
    const user = users.get(page.userId);
    const plan = planPage(page, user, this.#ports.channels);
    const username = user?.username ?? page.userId;
    return {
      deliveries: plan.steps.map((step): Delivery => ({
        deliveryId: step.deliveryId,
        page,
        username,
        method: step.method,
        to: step.to,
        state: 'waiting',
        attempts: 0,
        interruptions: 0,
        dueAt: step.dueAt,
        reason: undefined,
      })),
      decision: decisionOf(page, plan, username),
    };
  }
}

function decisionOf(page: Page, plan: Plan, username: string): Decision {
  const steps = plan.steps.map((step): DecisionVerdict => ({
    subject: 'step',
    outcome: 'scheduled',
    text: `${username} is told by ${step.method} at ${step.dueAt.toISOString()} by rule [${plan.ruleName ?? ''}].`,
    facts: { pageId: page.pageId, deliveryId: step.deliveryId, method: step.method },
  }));
  const reasons = plan.reasons.map((text): DecisionVerdict => ({
    subject: 'step',
    outcome: 'skipped',
    text,
    facts: { pageId: page.pageId, userId: page.userId },
  }));
  return {
    decisionId: `page:${page.pageId}`,
    alertId: page.alertId,
    stage: 'page',
    at: page.pagedAt,
    verdicts: [...steps, ...reasons],
  };
}
