import type { ConditionSet } from '@tocsin/events';
import { compileConditions } from './conditions.ts';
import type { Condition, ConditionSubject } from './condition-subject.ts';
import { PatternBudget } from './pattern-budget.ts';

/** The priorities that an alert can have. */
const PRIORITIES = ['P1', 'P2', 'P3', 'P4', 'P5'] as const;
export type CertainPriority = (typeof PRIORITIES)[number];

/** The fields of an alert that have one text, those that are lists, and the maps whose values have one text under each key. */
const TEXT_FIELDS: ReadonlySet<string> = new Set([
  'message',
  'alias',
  'description',
  'source',
  'entity',
  'priority',
  'eventType',
]);
const LIST_FIELDS: ReadonlySet<string> = new Set(['tags', 'actions', 'recipients', 'teams', 'responders']);
const MAP_FIELDS: ReadonlySet<string> = new Set(['details', 'extra-properties']);

/** Sets with more conditions are not decided. */
const MAX_CONDITIONS = 50;

/** A rule that is tried in its place among others: the first that holds takes the alert. */
export interface RankedRule {
  readonly criteria: ConditionSet;
  /** Two rules with the same value hold at the same times; undefined: at all times. */
  readonly times: string | undefined;
  /** A rule that holds and is skipped all the same takes no alert, such as one whose target was deleted. */
  readonly takesAlerts: boolean;
}

/** Why a rule can never be the first that holds. */
export type NeverMatches<R> =
  { readonly reason: 'contradiction' } | { readonly reason: 'taken'; readonly by: readonly R[] };

/**
 * Why the last of `rules` can never take an alert, where that is certain; undefined where it may take one. Its conditions contradict each
 * other, or each alert for which they hold is taken before: by one earlier rule, or by earlier rules that only ask for priorities.
 */
export function whyNeverFirst<R extends RankedRule>(rule: R, earlier: readonly R[]): NeverMatches<R> | undefined {
  if (neverHolds(rule.criteria)) return { reason: 'contradiction' };
  const takers = earlier.filter(
    ({ takesAlerts, times }) => takesAlerts && (times === undefined || times === rule.times),
  );
  const taker = takers.find(({ criteria }) => holdsWhenever(criteria, rule.criteria));
  if (taker !== undefined) return { reason: 'taken', by: [taker] };
  const left = new Set(possiblePriorities(rule.criteria));
  const by: R[] = [];
  for (const one of takers) {
    const taken = prioritiesOf(one.criteria)?.filter((priority) => left.delete(priority)) ?? [];
    if (taken.length > 0) by.push(one);
    if (left.size === 0) return { reason: 'taken', by };
  }
  return undefined;
}

/** True where the set certainly holds for no alert. False where it may hold for one, and where that is not decided. */
export function neverHolds(set: ConditionSet): boolean {
  return neverHoldsWith([], set);
}

/** True where the set certainly holds for no alert of this priority. */
export function neverHoldsFor(set: ConditionSet, priority: CertainPriority): boolean {
  return neverHoldsWith([{ field: 'priority', not: false, operation: 'equals', expectedValue: priority }], set);
}

/** Whether the set certainly holds for no alert for which the conditions `asked` hold. What exceeds one budget is not certain. */
function neverHoldsWith(asked: readonly Condition[], { type, conditions }: ConditionSet): boolean {
  if (type === 'match-all' || conditions.length > MAX_CONDITIONS) return false;
  const budget = smallBudget();
  const distinct = [...new Map(conditions.map((condition) => [keyOf(condition), condition])).values()];
  return type === 'match-any-condition'
    ? distinct.every((condition) => contradicts([...asked, condition], budget))
    : contradicts([...asked, ...distinct], budget);
}

const allOf = (conditions: readonly Condition[]): ConditionSet => ({
  type: 'match-all-conditions',
  conditions: [...conditions],
});

/** True where `first` certainly holds for each alert for which `second`, which is evaluated after it, holds. */
export function holdsWhenever(first: ConditionSet, second: ConditionSet): boolean {
  if (first.type === 'match-all') return true;
  if (Math.max(first.conditions.length, second.conditions.length) > MAX_CONDITIONS) return false;
  const [inFirst, inSecond] = [keysOf(first), keysOf(second)];
  const [isAny, isSecondAny] = [first.type, second.type].map((type) => type === 'match-any-condition');
  if (second.type === 'match-all') return inFirst.size === 0 && isAny === false;
  // Each alternative alone has to make the first set hold.
  if (isSecondAny === true)
    return inSecond.values().every((key) => (isAny === true ? inFirst.has(key) : isOnly(key, inFirst)));
  return isAny === true
    ? inFirst.values().some((key) => inSecond.has(key))
    : inFirst.values().every((key) => inSecond.has(key));
}

const isOnly = (key: string, keys: ReadonlySet<string>): boolean => keys.values().every((each) => each === key);

/** Cached by identity, because each rule is compared with all before it. */
const KEYS = new WeakMap<ConditionSet, ReadonlySet<string>>();

function keysOf(set: ConditionSet): ReadonlySet<string> {
  const known = KEYS.get(set) ?? new Set(set.conditions.map(keyOf));
  KEYS.set(set, known);
  return known;
}

/** The same for conditions that have the same result for each alert. */
const keyOf = ({ expectedValue, field, key = '', not, operation }: Condition): string =>
  JSON.stringify([field, key, not, operation, operation === 'is-empty' ? '' : expectedValue]);

/** A condition, and the set of it alone, which is compiled once. */
interface Tested {
  readonly condition: Condition;
  readonly set: ConditionSet;
}

/** Whether these conditions, which must all hold, certainly do not. */
function contradicts(conditions: readonly Condition[], budget: PatternBudget): boolean {
  const keys = new Set(conditions.map(keyOf));
  if (conditions.some((condition) => keys.has(keyOf({ ...condition, not: !condition.not })))) return true;
  const tested = conditions.map((condition) => ({ condition, set: allOf([condition]) }));
  const ofPriority = tested.filter(({ condition }) => condition.field === 'priority');
  if (ofPriority.length > 0 && PRIORITIES.every((priority) => fails(ofPriority, { priority }, budget))) return true;
  return conditions.some((condition) => {
    const subject = onlySubject(condition);
    return subject !== undefined && fails(aboutSame(condition, tested), subject, budget);
  });
}

/** Patterns are left out: they cost the most. */
const aboutSame = ({ field, key = '' }: Condition, tested: readonly Tested[]): readonly Tested[] =>
  tested.filter(
    ({ condition }) => condition.field === field && (condition.key ?? '') === key && condition.operation !== 'matches',
  );

/** Whether at least one of the conditions fails for the subject. */
const fails = (tested: readonly Tested[], subject: ConditionSubject, budget: PatternBudget): boolean =>
  tested.some(({ set }) => compileConditions(set)(subject, budget) === 'fails');

/** About a millisecond. */
const smallBudget = (): PatternBudget => PatternBudget.share(0.05);

/** The only value of its field or key for which the condition holds, as a subject; undefined where there are several. */
function onlySubject(condition: Condition): ConditionSubject | undefined {
  const { expectedValue, field, key = '', not, operation } = condition;
  if (not || (operation !== 'equals' && operation !== 'is-empty')) return undefined;
  const isEmpty = operation === 'is-empty';
  const text = isEmpty ? '' : expectedValue;
  if (TEXT_FIELDS.has(field)) return { [field]: text };
  if (MAP_FIELDS.has(field)) return subjectOfMap(field, key, text, isEmpty);
  return isEmpty && LIST_FIELDS.has(field) ? { [field]: [] } : undefined;
}

function subjectOfMap(field: string, key: string, text: string, isEmpty: boolean): ConditionSubject | undefined {
  if (key !== '') return { [field]: { [key]: text } };
  return isEmpty ? { [field]: {} } : undefined;
}

/** The priorities of which each alert meets the set, where the set asks for priorities alone; undefined where it does not. */
function prioritiesOf(set: ConditionSet): readonly CertainPriority[] | undefined {
  if (set.type === 'match-all') return PRIORITIES;
  const { conditions } = set;
  if (conditions.length > MAX_CONDITIONS || conditions.some(({ field }) => field !== 'priority')) return undefined;
  const [holds, budget] = [compileConditions(set), smallBudget()];
  return PRIORITIES.filter((priority) => holds({ priority }, budget) === 'holds');
}

/** The priorities of which an alert may meet the set. */
function possiblePriorities({ type, conditions }: ConditionSet): readonly CertainPriority[] {
  if (conditions.length > MAX_CONDITIONS) return PRIORITIES;
  const ofPriority = conditions.filter(({ field }) => field === 'priority');
  const isOpen = type === 'match-any-condition' && ofPriority.length < conditions.length;
  if (isOpen || type === 'match-all' || ofPriority.length === 0) return PRIORITIES;
  const [holds, budget] = [compileConditions({ type, conditions: ofPriority }), smallBudget()];
  return PRIORITIES.filter((priority) => holds({ priority }, budget) !== 'fails');
}
