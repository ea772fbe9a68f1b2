import type { ContactMethod, NotificationRuleState, Page, UserState } from '@tocsin/contracts';
import { alertSubject, compileConditions } from '@tocsin/rules';

/** One message that a page leads to: when, by which method, to which address. */
interface PlannedStep {
  /** `<page>#<step of the rule>`: the same page planned twice is one set of deliveries. */
  readonly deliveryId: string;
  readonly method: ContactMethod;
  readonly to: string;
  readonly dueAt: Date;
}

/** What a page comes to under the user's notification rules, and why; no step means that the user hears nothing. */
export interface Plan {
  readonly ruleName: string | undefined;
  readonly steps: readonly PlannedStep[];
  /** Sentences for the alert's log. */
  readonly reasons: readonly string[];
}

const MINUTE_MS = 60_000;

/**
 * Expands a page by the first matching rule of its action type, by order: each enabled step at the page's instant plus
 * `sendAfter` (U4). A step needs an enabled contact of the user with its method and address, and a provider of its method:
 * `channels` has those.
 */
export function planPage(page: Page, user: UserState | undefined, channels: ReadonlySet<ContactMethod>): Plan {
  if (user === undefined) return nothing('The user does not exist any more.');
  if (user.blocked) return nothing(`${user.username} is blocked.`);
  const rule = firstMatch(page, user);
  if (rule === undefined) return nothing(`${user.username} has no notification rule for ${page.actionType}.`);
  const steps: PlannedStep[] = [];
  const reasons: string[] = [];
  for (const step of rule.steps) {
    const { method, to } = step.contact;
    const missing = obstacle(step, user, channels);
    if (missing !== undefined) {
      reasons.push(`The ${method} step of rule [${rule.name}] is skipped: ${missing}.`);
      continue;
    }
    const dueAt = new Date(Date.parse(page.pagedAt) + step.sendAfterMinutes * MINUTE_MS);
    steps.push({ deliveryId: `${page.pageId}#${step.id}`, method, to, dueAt });
  }
  if (steps.length === 0) reasons.push(`Rule [${rule.name}] of ${user.username} has no step that can be sent.`);
  return { ruleName: rule.name, steps, reasons };
}

const nothing = (reason: string): Plan => ({ ruleName: undefined, steps: [], reasons: [reason] });

function firstMatch(page: Page, user: UserState): NotificationRuleState | undefined {
  const subject = alertSubject(page.alert);
  return user.notificationRules
    .filter((rule) => rule.enabled && rule.actionType === page.actionType)
    .toSorted((a, b) => a.order - b.order)
    .find((rule) => compileConditions(rule.criteria)(subject));
}

function obstacle(
  step: NotificationRuleState['steps'][number],
  user: UserState,
  channels: ReadonlySet<ContactMethod>,
): string | undefined {
  const { method, to } = step.contact;
  if (!step.enabled) return 'it is disabled';
  const contact = user.contacts.find((each) => each.method === method && each.to === to);
  if (contact === undefined && method !== 'mobile') return 'the contact does not exist any more';
  if (contact?.enabled === false) return 'the contact is disabled';
  if (!channels.has(method)) return `there is no channel for ${method}`;
  return undefined;
}
