import type { ConditionSet, Criteria, RoutingRuleState, TimeRestriction, WrittenConditionSet } from '@tocsin/contracts';

/** Part 2, 2.3: a rule with its criteria as they are evaluated and, where that differs, as they were written (E10). */
export interface RoutingRule extends RoutingRuleState {
  readonly writtenCriteria?: WrittenConditionSet;
}

/** Where a rule sends alerts: to a thing of scheduling by its id, or nowhere. */
export type RoutingTarget = RoutingRuleState['notify'];

/** Most rules of one team, the default rule among them (part 2, 4.2). */
export const MOST_ROUTING_RULES = 100;

/** A rule that is asked for. */
export interface RoutingRuleDraft {
  readonly id: string;
  readonly name: string;
  readonly timezone: string;
  readonly criteria: Criteria;
  readonly timeRestriction: TimeRestriction | undefined;
  readonly notify: RoutingTarget;
}

/** What may be given anew to a rule; what is undefined stays. */
export interface RoutingRuleChanges {
  readonly name: string | undefined;
  readonly timezone: string | undefined;
  readonly criteria: Criteria | undefined;
  readonly timeRestriction: TimeRestriction | undefined;
  readonly notify: RoutingTarget | undefined;
}

type Rules = readonly RoutingRule[];

/** What each default rule has for ever (S11). */
type FixedField = 'name' | 'criteria';

/** What a rule is called: one without a name by its place, counted from 0. */
export const routingRuleName = ({ name, order }: Pick<RoutingRuleState, 'name' | 'order'>): string =>
  name === '' ? `at place ${order}` : name;

/** The criteria as a GET answers them. */
export function criteriaAsWritten({ criteria, writtenCriteria }: RoutingRule): WrittenConditionSet {
  if (writtenCriteria !== undefined) return writtenCriteria;
  return criteria.type === 'match-all' ? { type: criteria.type } : { type: criteria.type, conditions: plain(criteria) };
}

const plain = ({ conditions }: ConditionSet): NonNullable<WrittenConditionSet['conditions']> =>
  conditions.map(({ key, order, ...condition }) => ({
    ...condition,
    ...(key !== undefined && { key }),
    ...(order !== undefined && { order }),
  }));

/** The rule as other services know it. */
export function routingRuleState({ writtenCriteria: _, ...state }: RoutingRule): RoutingRuleState {
  return state;
}

/**
 * The rules with one more, at the place `order` of 0 or more. Without an order, or with one beyond the end, it comes last
 * before the default rule (S15).
 */
export function withRule(rules: Rules, draft: RoutingRuleDraft, order = rules.length): Rules | 'too-many' {
  if (rules.length >= MOST_ROUTING_RULES) return 'too-many';
  const { criteria, timeRestriction, ...rest } = draft;
  const rule: RoutingRule = {
    ...rest,
    isDefault: false,
    order,
    criteria: criteria.set,
    writtenCriteria: criteria.written,
    ...(timeRestriction && { timeRestriction }),
  };
  return dense([...choosing(rules).toSpliced(order, 0, rule), ...defaults(rules)]);
}

/** The rule with `changes`, or the first field that it has for ever: of the default rule all but where, when and in which zone. */
export function changedRule(rule: RoutingRule, changes: RoutingRuleChanges): RoutingRule | FixedField {
  const { name, criteria, timezone, timeRestriction, notify } = changes;
  if (rule.isDefault && name !== undefined && name !== rule.name) return 'name';
  if (rule.isDefault && criteria !== undefined && criteria.set.type !== 'match-all') return 'criteria';
  const open = rule.isDefault ? undefined : criteria;
  return {
    ...rule,
    ...(name !== undefined && { name }),
    ...(timezone !== undefined && { timezone }),
    ...(open && { criteria: open.set, writtenCriteria: open.written }),
    ...(timeRestriction && { timeRestriction }),
    ...(notify && { notify }),
  };
}

/** The rules with `changed` in the place of the one that has its id. */
export const withChangedRule = (rules: Rules, changed: RoutingRule): Rules =>
  rules.map((rule) => (rule.id === changed.id ? changed : rule));

/** The rules without one of them, or `'default'` where that is the default rule. */
export function withoutRule(rules: Rules, rule: RoutingRule): Rules | 'default' {
  return rule.isDefault ? 'default' : dense(rules.filter(({ id }) => id !== rule.id));
}

/**
 * The rules with one of them at the place `order` of 0 or more; at that of the default rule it comes last before it.
 * `'beyond'` where there is no such place, `'default'` where it is the default rule that should move.
 */
export function withMovedRule(rules: Rules, rule: RoutingRule, order: number): Rules | 'default' | 'beyond' {
  if (rule.isDefault) return 'default';
  if (order >= rules.length) return 'beyond';
  const others = choosing(rules).filter(({ id }) => id !== rule.id);
  return dense([...others.toSpliced(order, 0, rule), ...defaults(rules)]);
}

const choosing = (rules: Rules): Rules => rules.filter(({ isDefault }) => !isDefault);
const defaults = (rules: Rules): Rules => rules.filter(({ isDefault }) => isDefault);

/** Places 0 to n-1; a rule that keeps its place is the same object. */
const dense = (rules: Rules): Rules => rules.map((rule, order) => (rule.order === order ? rule : { ...rule, order }));
