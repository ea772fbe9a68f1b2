import { ActionType, takeTooLong } from '@tocsin/contracts';
import type { NotificationRule } from './notification-rule.ts';

/** The rules of one user; among those of one action type, `order` counts from 0 without a gap (part 3, 2.3). */
export type NotificationRules = readonly NotificationRule[];

/** How many rules a user may have, and how many steps a rule (E14). */
export const MOST_RULES = 1_000;
export const MOST_STEPS = 1_000;

/** How long the rules of a user may be as JSON, in UTF-16 units: their state must fit into one message of its topic. */
const LONGEST_RULES = 500_000;

/** By action type, in the order in which the types are documented, then by place (E7). */
export function listed(rules: NotificationRules): NotificationRules {
  return ActionType.options.flatMap((actionType) => ofType(rules, actionType));
}

/** The rules of that type by place. */
export function ofType(rules: NotificationRules, actionType: ActionType): NotificationRules {
  return rules.filter((rule) => rule.actionType === actionType).toSorted((a, b) => a.order - b.order);
}

export function ruleOf(rules: NotificationRules, id: string): NotificationRule | undefined {
  return rules.find((rule) => rule.id === id);
}

/**
 * The rules with `rule`, new or in the place of the one with its id, at `place` among those of its type: last where that is
 * undefined or beyond the end (S15).
 */
export function withRule(rules: NotificationRules, rule: NotificationRule, place?: number): NotificationRules {
  const others = ofType(rules, rule.actionType).filter(({ id }) => id !== rule.id);
  return withType(rules, rule.actionType, others.toSpliced(place ?? others.length, 0, rule));
}

/** The rules without that one. */
export function withoutRule(rules: NotificationRules, { id, actionType }: NotificationRule): NotificationRules {
  const others = ofType(rules, actionType).filter((rule) => rule.id !== id);
  return withType(rules, actionType, others);
}

/** The rules with `sequence` in the place of those of that type. */
export function withType(
  rules: NotificationRules,
  actionType: ActionType,
  sequence: NotificationRules,
): NotificationRules {
  const numbered = sequence.map((rule, order) => (rule.order === order ? rule : { ...rule, order }));
  return ActionType.options.flatMap((type) => (type === actionType ? numbered : ofType(rules, type)));
}

/** Why these are more rules than a user may have, as a sentence; undefined where they are not. */
export function excess(rules: NotificationRules): string | undefined {
  if (rules.length > MOST_RULES) return `A user has at most ${MOST_RULES} notification rules.`;
  const long = rules.find(({ steps }) => steps.length > MOST_STEPS);
  if (long !== undefined) return `A notification rule has at most ${MOST_STEPS} steps.`;
  // Only those of one type are evaluated for a page (P3).
  const slow = ActionType.options.find((type) => takeTooLong(ofType(rules, type).map(({ criteria }) => criteria.set)));
  if (slow !== undefined) return `The patterns in the criteria of the rules for ${slow} take too long together.`;
  return JSON.stringify(rules).length > LONGEST_RULES
    ? 'The notification rules of a user are too long together. Please leave out some conditions or steps.'
    : undefined;
}
