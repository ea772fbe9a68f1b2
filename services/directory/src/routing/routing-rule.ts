import { type Criteria, MAX_ROUTING_RULES } from '@tocsin/api';
import type { RoutingRuleState, TimeRestriction } from '@tocsin/events';

/** Part 2, 2.3: where a team sends some of its alerts. */
export interface RoutingRule extends Omit<RoutingRuleState, 'criteria'> {
  readonly criteria: Criteria;
}

/** The target of a rule: a schedule or escalation by its id, or none. */
export type RoutingTarget = RoutingRuleState['notify'];

/** The name of the default rule of a new team. */
export const DEFAULT_RULE_NAME = 'Default Routing Rule';

/** Most bytes of the rules of one team in its state, which must fit into one message of its topic. */
export const MAX_ROUTING_BYTES = 1_000_000;

/** A rule to create. */
export interface RoutingRuleDraft {
  readonly id: string;
  readonly name: string;
  readonly timezone: string;
  readonly criteria: Criteria;
  readonly timeRestriction: TimeRestriction | undefined;
  readonly notify: RoutingTarget;
}

/** A change of a rule; what is undefined stays. */
export interface RoutingRuleChanges {
  readonly name: string | undefined;
  readonly timezone: string | undefined;
  readonly criteria: Criteria | undefined;
  readonly timeRestriction: TimeRestriction | undefined;
  readonly notify: RoutingTarget | undefined;
}

type Rules = readonly RoutingRule[];

/** A field of the default rule that never changes. */
type FixedField = 'name' | 'criteria';

/** The name of a rule; without a name its place, counted from 0. */
export const routingRuleName = ({ name, order }: Pick<RoutingRuleState, 'name' | 'order'>): string =>
  name === '' ? `at place ${order}` : name;

/** The rule as other services know it. */
export function routingRuleState(rule: RoutingRule): RoutingRuleState {
  const { id, name, isDefault, order, timezone, criteria, timeRestriction, notify } = rule;
  return {
    id,
    name,
    isDefault,
    order,
    timezone,
    criteria: criteria.set,
    ...(timeRestriction && { timeRestriction }),
    notify,
  };
}

/**
 * The rules with one more, at the place `order` of 0 or more. Without an order, or with one beyond the end, it comes last
 * before the default rule (S15).
 */
export function withRule(rules: Rules, draft: RoutingRuleDraft, order = rules.length): Rules | 'too-many' {
  if (rules.length >= MAX_ROUTING_RULES) return 'too-many';
  const { timeRestriction, ...rest } = draft;
  const rule: RoutingRule = {
    ...rest,
    isDefault: false,
    order,
    ...(timeRestriction && { timeRestriction }),
  };
  return dense([...customRules(rules).toSpliced(order, 0, rule), ...defaultRules(rules)]);
}

/** The rule with `changes`, or the first of its fields that may not change. */
export function changedRule(rule: RoutingRule, changes: RoutingRuleChanges): RoutingRule | FixedField {
  const refused = rule.isDefault ? fixedField(rule, changes) : undefined;
  if (refused !== undefined) return refused;
  const { name, criteria, timezone, timeRestriction, notify } = changes;
  return {
    ...rule,
    ...(name !== undefined && { name }),
    ...(timezone !== undefined && { timezone }),
    ...(criteria && !rule.isDefault && { criteria }),
    ...(timeRestriction && { timeRestriction }),
    ...(notify && { notify }),
  };
}

/** Of the default rule only its target, its times and its zone may change (S11). */
function fixedField({ name }: RoutingRule, changes: RoutingRuleChanges): FixedField | undefined {
  if (changes.name !== undefined && changes.name !== name) return 'name';
  if (changes.criteria !== undefined && changes.criteria.set.type !== 'match-all') return 'criteria';
  return undefined;
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
  const others = customRules(rules).filter(({ id }) => id !== rule.id);
  return dense([...others.toSpliced(order, 0, rule), ...defaultRules(rules)]);
}

const customRules = (rules: Rules): Rules => rules.filter(({ isDefault }) => !isDefault);
const defaultRules = (rules: Rules): Rules => rules.filter(({ isDefault }) => isDefault);

/** Whether the rules do not fit into the state of the team. */
export const areTooLarge = (rules: Rules): boolean =>
  Buffer.byteLength(JSON.stringify(rules.map(routingRuleState))) > MAX_ROUTING_BYTES;

/** Places 0 to n-1; a rule that keeps its place is the same object. */
const dense = (rules: Rules): Rules => rules.map((rule, order) => (rule.order === order ? rule : { ...rule, order }));
