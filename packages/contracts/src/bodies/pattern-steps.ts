import type { z } from 'zod';
import type { ConditionSet } from '../messages/conditions.ts';
import { compilePattern, patternProblem, refusalSteps, type Pattern } from '../patterns.ts';
import { DEFAULT_LIMIT } from '../primitives.ts';
import { extractsIn, MAX_EXTRACT_TEXT } from '../templates.ts';
import { ALERT_LIMITS } from './alert-fields.ts';

/** Of a longer text, which only a mail has, conditions let their patterns see this many UTF-16 units (P3). */
export const MAX_PATTERN_TEXT: number = ALERT_LIMITS.description;

/**
 * What the patterns that one alert meets may come to together, in steps for the longest texts that their fields can hold:
 * those of a set, of all actions of an integration, of all policies of a scope, of all routing rules of a team, of all
 * notification rules that a user has for one action type. About 10 ms of one processor (P3).
 */
export const MAX_WRITTEN_STEPS = 1_000_000;

export const TOO_MANY_STEPS = 'takes too long, with the patterns before it: use fewer or plainer patterns';

/** A pattern within a body. */
export interface PlacedPattern {
  readonly path: readonly (string | number)[];
  readonly pattern: string;
  /** How many of its groups are asked for. */
  readonly groups: number;
  /** Of patterns with different names here an alert meets those of one alone: templates of different actions. */
  readonly alternative?: string;
  readonly stepsOf: (pattern: Pattern) => number;
}

const LONGEST: Readonly<Record<string, number>> = {
  message: ALERT_LIMITS.message,
  alias: ALERT_LIMITS.alias,
  source: ALERT_LIMITS.source,
  entity: ALERT_LIMITS.entity,
  user: ALERT_LIMITS.user,
  priority: 2,
  eventType: DEFAULT_LIMIT,
  details: ALERT_LIMITS.details,
  'extra-properties': ALERT_LIMITS.details,
  'from-address': DEFAULT_LIMIT,
  'from-name': DEFAULT_LIMIT,
  subject: 2 * DEFAULT_LIMIT,
  'conversation-subject': 2 * DEFAULT_LIMIT,
  from_address: DEFAULT_LIMIT,
  fromAddress: DEFAULT_LIMIT,
  from_name: DEFAULT_LIMIT,
  fromName: DEFAULT_LIMIT,
  conversation_subject: 2 * DEFAULT_LIMIT,
  conversationSubject: 2 * DEFAULT_LIMIT,
};

/** Fields of templates that can be longer than what a pattern sees of them; any other that has no length is always empty. */
const LONG = ['description', 'note', 'messages', 'details', 'extraProperties', 'extra_properties', 'tags', 'actions'];
const LONG_FIELDS: ReadonlySet<string> = new Set([...LONG, 'teams', 'recipients', 'responders']);

/** How many characters of a field a pattern has to look at, at most. */
const longestOf = (field: string, otherwise: number): number =>
  Object.hasOwn(LONGEST, field) ? (LONGEST[field] ?? otherwise) : otherwise;

/** The patterns of `set`, which stands at `path`. */
export function patternsOfSet({ conditions }: ConditionSet, path: PlacedPattern['path']): PlacedPattern[] {
  return conditions.flatMap(({ field, operation, expectedValue }, index) => {
    if (operation !== 'matches') return [];
    const stepsOf = (pattern: Pattern) => pattern.matchSteps(longestOf(field, MAX_PATTERN_TEXT));
    return [{ path: [...path, 'conditions', index, 'expectedValue'], pattern: expectedValue, groups: 0, stepsOf }];
  });
}

/** The patterns of a template, which stands at `path` (P4). */
export function patternsOfTemplate(template: string | undefined, path: PlacedPattern['path']): PlacedPattern[] {
  return (extractsIn(template ?? '') ?? []).map(({ pattern, group, field }) => {
    const longest =
      field === undefined ? MAX_EXTRACT_TEXT : longestOf(field, LONG_FIELDS.has(field) ? MAX_EXTRACT_TEXT : 0);
    const stepsOf = (compiled: Pattern) => compiled.extractSteps(Math.min(longest, MAX_EXTRACT_TEXT));
    return { path, pattern, groups: group, stepsOf };
  });
}

/** The patterns of several templates, in a list or under names, which stand at `path`. */
export function patternsOfTemplates(
  templates: readonly string[] | Readonly<Record<string, string>> | undefined,
  path: PlacedPattern['path'],
): PlacedPattern[] {
  return Object.entries(templates ?? {}).flatMap(([place, template]) =>
    patternsOfTemplate(template, [...path, Array.isArray(templates) ? Number(place) : place]),
  );
}

/** Whether the patterns of these sets, which one alert meets, are too much together; those that do not compile cost nothing. */
export function takeTooLong(sets: readonly ConditionSet[]): boolean {
  return areTooMuch(sets.flatMap((set) => patternsOfSet(set, [])));
}

/** Whether these patterns, which one alert meets, are too much together; those that do not compile cost nothing. */
export function areTooMuch(patterns: readonly PlacedPattern[]): boolean {
  const spent = new Spending();
  return patterns.some((placed) => {
    const compiled = compilePattern(placed.pattern);
    return compiled !== undefined && !spent.add(placed, compiled);
  });
}

/**
 * Refuses, each at its place, the patterns that do not compile, those that lack the group that is asked of them, and the
 * first that is too much together with those before it, refused ones too. None is compiled after that one: to read a body
 * costs no more than what may stand. Those with an alternative come last.
 */
export function refusePatterns(patterns: readonly PlacedPattern[], context: z.RefinementCtx): void {
  const spent = new Spending();
  for (const placed of patterns) {
    const refused = (message: string) => {
      context.addIssue({ code: 'custom', path: [...placed.path], message });
    };
    const compiled = compilePattern(placed.pattern);
    if (compiled === undefined) {
      refused(patternProblem(placed.pattern));
      if (!spent.addRefused(placed.pattern)) return;
    } else if (placed.groups > compiled.groups) refused(`should have a group ${placed.groups} to extract`);
    else if (!spent.add(placed, compiled)) {
      refused(TOO_MANY_STEPS);
      return;
    }
  }
}

/** What patterns come to together, one after the other. */
class Spending {
  #forAll = 0;
  #forOne = 0;
  #alternative: string | undefined;

  /** As `add`, for one that does not compile. */
  addRefused(pattern: string): boolean {
    this.#forAll += refusalSteps(pattern);
    return this.#forAll <= MAX_WRITTEN_STEPS;
  }

  /** False from the pattern on that is too much. */
  add({ alternative, stepsOf }: PlacedPattern, compiled: Pattern): boolean {
    this.#forAll += compiled.compileSteps;
    if (alternative === undefined) this.#forAll += stepsOf(compiled);
    else {
      if (alternative !== this.#alternative) this.#forOne = 0;
      this.#alternative = alternative;
      this.#forOne += stepsOf(compiled);
    }
    return this.#forAll + this.#forOne <= MAX_WRITTEN_STEPS;
  }
}
