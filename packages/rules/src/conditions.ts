import { compilePattern, MAX_PATTERN_TEXT, type ConditionSet } from '@tocsin/contracts';
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

/** What a condition set says of a subject; `too-expensive` where that hangs on a pattern that the budget had no room for. */
export type Verdict = 'holds' | 'fails' | 'too-expensive';
/** Gives a verdict, and takes what patterns cost from the budget. */
export type CompiledConditions = (subject: ConditionSubject, budget: PatternBudget) => Verdict;

/** Undefined where nobody can say. */
type Test = (subject: ConditionSubject, budget: PatternBudget) => boolean | undefined;
type ValueTest = (value: FieldValue, budget: PatternBudget) => boolean | undefined;

/** A verdict, and what it hangs on. */
export interface Explained {
  readonly verdict: Verdict;
  /** The condition that failed and the value that it met, where the verdict is `fails`. It costs only when it is called. */
  readonly failure: (subject: ConditionSubject) => Failure | undefined;
}
export type ExplainingConditions = (subject: ConditionSubject, budget: PatternBudget) => Explained;

interface Compiled {
  readonly explaining: ExplainingConditions;
  readonly deciding: CompiledConditions;
}
const COMPILED = new WeakMap<ConditionSet, Compiled>();

/**
 * Compiles a condition set into a test that never throws, whatever it is given, and takes no more time than the budget has
 * room for (P3).
 *
 * Comparison is case-sensitive. A list matches if one item does, a map if one value does; `contains` wants an item, a key or a
 * value that equals. A map with a key is that value, as text, and as a number for greater and less. `match-all` holds for
 * everything; without conditions `match-all-conditions` holds and `match-any-condition` does not. A pattern that does not
 * compile matches nothing: it is refused where it is written. A pattern sees the first 15 000 characters of a text, and only
 * where no other condition settles the matter.
 *
 * Comparisons that go through long texts, lists or maps take from the budget as patterns do: `contains` and
 * `equals-ignore-whitespace` in a description, a comparison with a number, whatever looks at many details.
 *
 * The same set is compiled once, so it must not be changed afterwards.
 */
export function compileConditions(set: ConditionSet): CompiledConditions {
  return compiled(set).deciding;
}

/** As `compileConditions`, and the verdict says what it hangs on. It costs no more than that. */
export function explainConditions(set: ConditionSet): ExplainingConditions {
  return compiled(set).explaining;
}

function compiled(set: ConditionSet): Compiled {
  const known = COMPILED.get(set);
  if (known !== undefined) return known;
  const explaining = compileSet(set);
  const made: Compiled = { explaining, deciding: (subject, budget) => explaining(subject, budget).verdict };
  COMPILED.set(set, made);
  return made;
}

const HOLDS: Explained = { verdict: 'holds', failure: () => undefined };
const TOO_EXPENSIVE: Explained = { verdict: 'too-expensive', failure: () => undefined };

/** Each condition with the answer where it alone settles the matter. */
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

/** Patterns last: mostly another condition has settled the matter by then. The order means nothing to the verdict. */
function cheapestFirst(conditions: readonly Condition[]): readonly Condition[] {
  return conditions.toSorted((a, b) => Number(a.operation === 'matches') - Number(b.operation === 'matches'));
}

const fails = (failure: Explained['failure']): Explained => ({ verdict: 'fails', failure });

function compileCondition(condition: Condition): Test {
  const holds = OPERATIONS[condition.operation](condition.expectedValue);
  return (subject, budget) => {
    const said = holds(valueOf(subject, condition), budget);
    return said === undefined ? undefined : said !== condition.not;
  };
}

/**
 * Looking at a value takes steps from here on. What is shorter costs nothing: of such texts tens of thousands of conditions take
 * some ten milliseconds, and they must not take the room of patterns.
 */
const FREE_SIZE = 250;

/** The comparison where the budget has room for so many steps for each unit of the texts of the value; else nobody can say. */
function costing(stepsPerUnit: number, holds: (value: FieldValue) => boolean): ValueTest {
  return (value, budget) => {
    const size = sizeOf(value);
    return size < FREE_SIZE || budget.take(Math.ceil(size * stepsPerUnit)) ? holds(value) : undefined;
  };
}

/** For each unit, the steps of a search for a text of so many: at its worst it compares nearly all of them at each place. */
const searchSteps = (units: number): number => 0.25 + units / 64;
/** Of what looks at all of a text, unit by unit. */
const READ_STEPS = 1;
/** Of what looks at how long each text is, and mostly no further. */
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

/** A string contains a part; a list, an item that equals; a map, a key or a value that equals (P3). */
function contains(expected: string): ValueTest {
  const within = costing(searchSteps(expected.length), (value) => isText(value) && asText(value).includes(expected));
  const among = costing(
    GLANCE_STEPS,
    (value) =>
      !isText(value) && ((isMap(value) && Object.hasOwn(value, expected)) || textsOf(value).includes(expected)),
  );
  return (value, budget) => (isText(value) ? within : among)(value, budget);
}

/** A text costs nothing here, however long it is: only a list or a map has to be gone through. */
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
