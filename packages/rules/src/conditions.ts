import { MAX_PATTERN_TEXT } from '@tocsin/api';
import { compilePattern, type ConditionSet } from '@tocsin/events';
import {
  asText,
  isMap,
  isText,
  sizeOf,
  textsOf,
  valueOf,
  type Condition,
  type ConditionSubject,
  type FieldValue,
} from './condition-subject.ts';
import { failedCondition, noneHolds, type Failure } from './failed-condition.ts';
import type { PatternBudget } from './pattern-budget.ts';

/** The result of a condition set for a subject; `too-expensive` where it depends on a pattern that exceeds the budget. */
export type ConditionResult = 'holds' | 'fails' | 'too-expensive';
/** Evaluates the set, and takes the cost of patterns from the budget. */
export type CompiledConditions = (subject: ConditionSubject, budget: PatternBudget) => ConditionResult;

/** Undefined where the budget does not suffice. */
type Test = (subject: ConditionSubject, budget: PatternBudget) => boolean | undefined;
type ValueTest = (value: FieldValue, budget: PatternBudget) => boolean | undefined;

/** A result and its reason. */
export interface Explained {
  readonly result: ConditionResult;
  /** The failed condition and the tested value, where the result is `fails`. Computed only when it is called. */
  readonly failure: (subject: ConditionSubject) => Failure | undefined;
}
export type ExplainingConditions = (subject: ConditionSubject, budget: PatternBudget) => Explained;

interface Compiled {
  readonly explaining: ExplainingConditions;
  readonly deciding: CompiledConditions;
}
const COMPILED = new WeakMap<ConditionSet, Compiled>();

/**
 * Compiles a condition set into a test that never throws, and takes no more time than the budget allows (P3).
 *
 * Comparison is case-sensitive. A list matches if one item does, a map if one value does. `contains` needs an equal item, key or
 * value. A map with a key is the value of that key: as text, and as a number for greater and less. `match-all` always holds.
 * Without conditions, `match-all-conditions` holds and `match-any-condition` does not. A pattern that does not compile matches
 * nothing; writes refuse it. A pattern sees the first 15 000 characters of a text, and is only tried where the other conditions
 * do not decide.
 *
 * Comparisons with long texts, lists or maps also take from the budget: `contains` and `equals-ignore-whitespace` in a
 * description, a comparison with a number, and any test of many details.
 *
 * The compiled set is cached by identity, so a set must not be changed afterwards.
 */
export function compileConditions(set: ConditionSet): CompiledConditions {
  return compiled(set).deciding;
}

/** As `compileConditions`, with the reason of the result, at no further cost. */
export function explainConditions(set: ConditionSet): ExplainingConditions {
  return compiled(set).explaining;
}

function compiled(set: ConditionSet): Compiled {
  const known = COMPILED.get(set);
  if (known !== undefined) return known;
  const explaining = compileSet(set);
  const made: Compiled = { explaining, deciding: (subject, budget) => explaining(subject, budget).result };
  COMPILED.set(set, made);
  return made;
}

const HOLDS: Explained = { result: 'holds', failure: () => undefined };
const TOO_EXPENSIVE: Explained = { result: 'too-expensive', failure: () => undefined };

/** Each condition, with the result that it decides alone. */
function compileSet({ type, conditions }: ConditionSet): ExplainingConditions {
  if (type === 'match-all') return () => HOLDS;
  const decisive = type === 'match-any-condition';
  const tests = cheapestFirst(conditions).map((condition) => ({
    holds: compileCondition(condition),
    settled: decisive ? HOLDS : fails((subject) => failedCondition(condition, subject)),
  }));
  const otherwise = decisive ? fails(() => noneHolds(conditions.length)) : HOLDS;
  return (subject, budget) => {
    let unknown = false;
    for (const { holds, settled } of tests) {
      const said = holds(subject, budget);
      if (said === decisive) return settled;
      if (said === undefined) unknown = true;
    }
    return unknown ? TOO_EXPENSIVE : otherwise;
  };
}

/** Patterns last, because mostly another condition decides before. The order does not change the result. */
function cheapestFirst(conditions: readonly Condition[]): readonly Condition[] {
  return conditions.toSorted((a, b) => Number(a.operation === 'matches') - Number(b.operation === 'matches'));
}

const fails = (failure: Explained['failure']): Explained => ({ result: 'fails', failure });

function compileCondition(condition: Condition): Test {
  const holds = OPERATIONS[condition.operation](condition.expectedValue);
  return (subject, budget) => {
    const said = holds(valueOf(subject, condition), budget);
    return said === undefined ? undefined : said !== condition.not;
  };
}

/**
 * A test of a value of this size or more takes steps from the budget. Shorter ones are free, so that they leave the budget to
 * patterns: tens of thousands of conditions on such texts take some ten milliseconds.
 */
const FREE_SIZE = 250;

/** Compares if the budget has so many steps for each unit of the value's texts; undefined otherwise. */
function costing(stepsPerUnit: number, holds: (value: FieldValue) => boolean): ValueTest {
  return (value, budget) => {
    const size = sizeOf(value);
    return size < FREE_SIZE || budget.take(Math.ceil(size * stepsPerUnit)) ? holds(value) : undefined;
  };
}

/** Steps per unit of a search for a text of this length. In the worst case it compares nearly all of the text at each place. */
const searchSteps = (units: number): number => 0.25 + units / 64;
/** Of a test that reads all of a text. */
const READ_STEPS = 1;
/** Of a test that mostly reads only the length of each text. */
const GLANCE_STEPS = 0.1;

const OPERATIONS: Record<Condition['operation'], (expected: string) => ValueTest> = {
  'is-empty': () => isEmpty,
  equals: (expected) => glancing((text) => text === expected),
  'equals-ignore-whitespace': equalsIgnoringSpace,
  'starts-with': (expected) => glancing((text) => text.startsWith(expected)),
  'ends-with': (expected) => glancing((text) => text.endsWith(expected)),
  contains,
  'contains-key': (expected) => (value) => isMap(value) && Object.hasOwn(value, expected),
  'contains-value': (expected) => costing(GLANCE_STEPS, (value) => isMap(value) && textsOf(value).includes(expected)),
  matches,
  'greater-than': (expected) => comparesAs((value, bound) => value > bound, number(expected)),
  'less-than': (expected) => comparesAs((value, bound) => value < bound, number(expected)),
};

/** A string contains a substring, a list an equal item, a map an equal key or value (P3). */
function contains(expected: string): ValueTest {
  const within = costing(searchSteps(expected.length), (value) => isText(value) && asText(value).includes(expected));
  const among = costing(
    GLANCE_STEPS,
    (value) =>
      !isText(value) && ((isMap(value) && Object.hasOwn(value, expected)) || textsOf(value).includes(expected)),
  );
  return (value, budget) => (isText(value) ? within : among)(value, budget);
}

/** Text of any length is free here. A list or a map has to be iterated. */
function glancing(holds: (text: string) => boolean): ValueTest {
  const some = costing(GLANCE_STEPS, someText(holds));
  return (value, budget) => (isText(value) ? holds(asText(value)) : some(value, budget));
}

function equalsIgnoringSpace(expected: string): ValueTest {
  const wanted = withoutSpace(expected);
  return costing(
    READ_STEPS,
    someText((text) => withoutSpace(text) === wanted),
  );
}

const comparesAs = (holds: (value: number, bound: number) => boolean, bound: number): ValueTest =>
  costing(
    READ_STEPS,
    someText((text) => holds(number(text), bound)),
  );

function matches(pattern: string): ValueTest {
  const compiled = compilePattern(pattern);
  if (compiled === undefined) return () => false;
  return (value, budget) => {
    const unknown: string[] = [];
    const matched = someText((text) => {
      const seen = text.slice(0, MAX_PATTERN_TEXT);
      if (budget.take(compiled.matchSteps(seen.length))) return compiled.matches(seen);
      unknown.push(text);
      return false;
    })(value);
    return matched || unknown.length === 0 ? matched : undefined;
  };
}

/** A list passes if one of its items does, a map if one of its values does (P3). */
function someText(test: (text: string) => boolean): (value: FieldValue) => boolean {
  return (value) => {
    return isText(value) ? test(asText(value)) : textsOf(value).some(test);
  };
}

function isEmpty(value: FieldValue): boolean {
  return isText(value) ? asText(value) === '' : textsOf(value).length === 0;
}

const withoutSpace = (text: string): string => text.replaceAll(/\s+/g, '');
/** NaN for what is not a number, so that no comparison with it holds. */
const number = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));
