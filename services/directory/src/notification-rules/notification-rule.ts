import { type Criteria, MATCH_ALL_CRITERIA, type NotificationRepeat, takeTooLong } from '@tocsin/api';
import { ActionType, type NotificationRuleState } from '@tocsin/events';
import { type Contact, sameAddress } from '../contacts/contact.ts';

/** Part 3, 2.3: how one user is notified of one kind of action. */
export interface NotificationRule extends Omit<NotificationRuleState, 'criteria'> {
  readonly criteria: Criteria;
}

/** The fields of a rule that the engines use. */
export const notificationRuleState = (rule: NotificationRule): NotificationRuleState => ({
  ...rule,
  criteria: rule.criteria.set,
});

/** The ids of one default rule and of its only step. */
export interface DefaultRuleIds {
  readonly rule: string;
  readonly step: string;
}

/** The names of the rules of a new user. */
export const DEFAULT_RULE_NAMES = {
  'create-alert': 'New Alert',
  'acknowledged-alert': 'Acknowledged Alert',
  'closed-alert': 'Closed Alert',
  'assigned-alert': 'Assigned Alert',
  'add-note': 'Add Note',
  'schedule-start': 'Schedule Start',
  'schedule-end': 'Schedule End',
} as const satisfies Partial<Record<ActionType, string>>;

type DefaultActionType = keyof typeof DEFAULT_RULE_NAMES;

/** Whether a rule is about the start or end of a shift: only such a rule has lead times and schedules (part 3, 2.3). */
export const isOfShifts = (actionType: ActionType): boolean =>
  actionType === 'schedule-start' || actionType === 'schedule-end';

/** The action types of which a new user is notified: all but a repeated page and a routed call (U1). */
export const DEFAULT_ACTION_TYPES = Object.keys(DEFAULT_RULE_NAMES) as readonly DefaultActionType[];

/**
 * The rules of a new user whose only contact is the mail address `to`: each sends one mail at once, those of a schedule
 * just before its start or end (U1). `idsOf` gives the ids for each action type.
 */
export function defaultNotificationRules(
  to: string,
  idsOf: Readonly<Record<DefaultActionType, DefaultRuleIds>>,
): readonly NotificationRule[] {
  return DEFAULT_ACTION_TYPES.map((actionType) => ({
    id: idsOf[actionType].rule,
    name: DEFAULT_RULE_NAMES[actionType],
    actionType,
    order: 0,
    enabled: true,
    criteria: MATCH_ALL_CRITERIA,
    ...(isOfShifts(actionType) ? { notificationTime: ['just-before' as const] } : {}),
    steps: [{ id: idsOf[actionType].step, contact: { method: 'email', to }, sendAfterMinutes: 0, enabled: true }],
  }));
}

/** A rule that matches everything and has no steps. */
export const emptyRule = (
  rule: Pick<NotificationRule, 'id' | 'name' | 'actionType' | 'enabled'>,
): NotificationRule => ({ ...rule, order: 0, criteria: MATCH_ALL_CRITERIA, steps: [] });

/** The changed fields of a rule; undefined fields stay. */
type RuleChange = {
  readonly [K in Exclude<keyof NotificationRule, 'id' | 'actionType' | 'order' | 'repeat'>]?:
    NotificationRule[K] | undefined;
} & { readonly repeat?: NotificationRepeat | undefined };

/** The rule as changed; it takes lead times and schedules only if it is about shifts. An empty list means every schedule. */
export function changedRule(rule: NotificationRule, change: RuleChange): NotificationRule {
  const { name, enabled, criteria, timeRestriction, repeat, steps } = change;
  const { notificationTime, scheduleIds } = isOfShifts(rule.actionType) ? change : {};
  const changed: NotificationRule = {
    ...rule,
    ...given({ name, enabled, criteria, timeRestriction, notificationTime, scheduleIds, steps }),
  };
  if (repeat === 'never') delete changed.repeat;
  else if (repeat !== undefined) changed.repeat = repeat;
  if (scheduleIds?.length === 0) delete changed.scheduleIds;
  return changed;
}

/** The rules of one user; among those of one action type, `order` counts from 0 without a gap (part 3, 2.3). */
export type NotificationRules = readonly NotificationRule[];

/** How many rules a user may have, and how many steps a rule (E14). */
export const MAX_RULES = 1_000;
export const MAX_STEPS = 1_000;

/** How long the rules of a user may be as JSON, in UTF-16 units: their state must fit into one message of its topic. */
const MAX_RULES_LENGTH = 500_000;

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
 * The rules with `rule`, which is new or replaces the one with its id, at `place` among those of its type: last where that is undefined
 * or beyond the end (S15).
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

/** The rules, with `sequence` instead of those of that type. */
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
  if (rules.length > MAX_RULES) return `A user has at most ${MAX_RULES} notification rules.`;
  const long = rules.find(({ steps }) => steps.length > MAX_STEPS);
  if (long !== undefined) return `A notification rule has at most ${MAX_STEPS} steps.`;
  // Only those of one type are evaluated for a page (P3).
  const slow = ActionType.options.find((type) => takeTooLong(ofType(rules, type).map(({ criteria }) => criteria.set)));
  if (slow !== undefined) return `The patterns in the criteria of the rules for ${slow} take too long together.`;
  return JSON.stringify(rules).length > MAX_RULES_LENGTH
    ? 'The notification rules of a user are too long together. Please leave out some conditions or steps.'
    : undefined;
}

/** Part 3, 2.4: one message of a rule, to one contact. */
export type NotificationStep = NotificationRule['steps'][number];

/** Whether each step of such a rule has to say when it is sent (part 3, 2.4). */
export const needsDelay = (actionType: ActionType): boolean =>
  actionType === 'create-alert' || actionType === 'assigned-alert';

/**
 * The contact of a user that a step names, in the spelling of the user's own contacts; undefined where there is none. A mobile contact
 * belongs to an app and is not changed.
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

/** `fields` without those that are undefined. */
const given = <T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
