import type { ActionType } from '@tocsin/contracts';
import { sameAddress, type Contact } from './contact.ts';
import type { NotificationRule } from './notification-rule.ts';

/** Part 3, 2.4: one message of a rule, to one contact. */
export type NotificationStep = NotificationRule['steps'][number];

/** Whether each step of such a rule has to say when it is sent (part 3, 2.4). */
export const needsDelay = (actionType: ActionType): boolean =>
  actionType === 'create-alert' || actionType === 'assigned-alert';

/**
 * The contact of a user that a step names, in the spelling of the user's own contacts; undefined where there is none. A
 * mobile contact belongs to an app and is taken as it is.
 */
export function stepContact(
  contacts: readonly Contact[],
  named: NotificationStep['contact'],
): NotificationStep['contact'] | undefined {
  if (named.method === 'mobile') return named;
  const contact = contacts.find(({ method, to }) => method === named.method && sameAddress(method, to, named.to));
  return contact && { method: contact.method, to: contact.to };
}

export function stepOf({ steps }: NotificationRule, id: string): NotificationStep | undefined {
  return steps.find((step) => step.id === id);
}

/** The rule with `step`, new and last or in the place of the one with its id. */
export function withStep(rule: NotificationRule, step: NotificationStep): NotificationRule {
  const known = stepOf(rule, step.id) !== undefined;
  const steps = known ? rule.steps.map((present) => (present.id === step.id ? step : present)) : [...rule.steps, step];
  return { ...rule, steps };
}

export function withoutStep(rule: NotificationRule, { id }: NotificationStep): NotificationRule {
  return { ...rule, steps: rule.steps.filter((step) => step.id !== id) };
}
