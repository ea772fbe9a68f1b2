import {
  ALERT_LIMITS,
  compilePattern,
  type ConditionSet,
  DEFAULT_LIMIT,
  isPathField,
  MAX_TEXT_AT_PATH,
  PATH_STEPS,
  type Pattern,
  patternProblem,
  refusalSteps,
  templateWork,
} from '@tocsin/events';
import type { z } from 'zod';

/** Of a longer text, which only a mail has, conditions let their patterns see this many UTF-16 units (P3). */
export const MAX_PATTERN_TEXT: number = ALERT_LIMITS.description;

/**
 * The most that the patterns and templates for one alert may cost together, in steps for the longest texts that their fields can hold:
 * those of a set, of all actions of an integration, of all policies of a scope, of all routing rules of a team, of all notification
 * rules that a user has for one action type. About 10 ms of one processor (P3).
 */
export const MAX_WRITTEN_STEPS = 1_000_000;

export const TOO_MANY_STEPS = 'takes too long, with the patterns and templates before it: use fewer or plainer ones';

/** A part of a body that costs steps: a pattern, or an expression of a template without its patterns. */
export type PlacedWork = Placed & (PatternWork | { readonly steps: number });

interface Placed {
  readonly path: readonly (string | number)[];
  /** Of work with different names here an alert meets that of one alone: templates of different actions. */
  readonly alternative?: string;
}

interface PatternWork {
  readonly pattern: string;
  /** How many of its groups are asked for. */
  readonly groups: number;
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

/** Each of the most responders by id and by name. */
const MAX_NAMES_LENGTH = ALERT_LIMITS.responders * 2 * 100;

/** As above, for fields that conditions do not know, and lists, which a template makes one text of. Any other is always empty. */
const MAX_LENGTH_IN_TEMPLATES: Readonly<Record<string, number>> = {
  ...LONGEST,
  description: ALERT_LIMITS.description,
  note: ALERT_LIMITS.note,
  messages: ALERT_LIMITS.note,
  _payload: MAX_TEXT_AT_PATH,
  extraProperties: ALERT_LIMITS.details,
  extra_properties: ALERT_LIMITS.details,
  tags: ALERT_LIMITS.tags * (ALERT_LIMITS.tagLength + 2),
  actions: ALERT_LIMITS.actions * (ALERT_LIMITS.actionLength + 2),
  teams: MAX_NAMES_LENGTH,
  recipients: MAX_NAMES_LENGTH,
  responders: MAX_NAMES_LENGTH,
};

/** Of a field of the request of a tool, which templates of integrations know besides (P4). */
export const MAX_FIELD_OF_TOOL: number = MAX_TEXT_AT_PATH;

const longestInTemplate = (field: string, other: number): number =>
  Object.hasOwn(MAX_LENGTH_IN_TEMPLATES, field) ? (MAX_LENGTH_IN_TEMPLATES[field] ?? other) : other;

/** How many characters of a field a pattern has to look at, at most. */
const longestOf = (field: string, otherwise: number): number =>
  Object.hasOwn(LONGEST, field) ? (LONGEST[field] ?? otherwise) : otherwise;

/** The patterns of `set` at `path`, and the reading of what stands at paths. */
export function workOfSet({ conditions }: ConditionSet, path: PlacedWork['path']): PlacedWork[] {
  return conditions.flatMap(({ field, operation, expectedValue }, index) => {
    const place = [...path, 'conditions', index];
    const reading = isPathField(field) ? [{ path: [...place, 'field'], steps: PATH_STEPS }] : [];
    if (operation !== 'matches') return reading;
    const stepsOf = (pattern: Pattern) => pattern.matchSteps(longestOf(field, MAX_PATTERN_TEXT));
    return [...reading, { path: [...place, 'expectedValue'], pattern: expectedValue, groups: 0, stepsOf }];
  });
}

/** The steps of a template at `path` (P4), where a field of a name that alerts and mails do not have is so long. */
export function workOfTemplate(template: string | undefined, path: PlacedWork['path'], longestOther = 0): PlacedWork[] {
  return templateWork(template ?? '', (field) => longestInTemplate(field, longestOther)).map((work) => {
    if (typeof work === 'number') return { path, steps: work };
    const { pattern, group, characters } = work;
    return { path, pattern, groups: group, stepsOf: (compiled: Pattern) => compiled.extractSteps(characters) };
  });
}

/** The steps of several templates at `path`, in a list or under names. */
export function workOfTemplates(
  templates: readonly string[] | Readonly<Record<string, string>> | undefined,
  path: PlacedWork['path'],
  longestOther = 0,
): PlacedWork[] {
  return Object.entries(templates ?? {}).flatMap(([place, template]) =>
    workOfTemplate(template, [...path, Array.isArray(templates) ? Number(place) : place], longestOther),
  );
}

/** Whether the patterns of these sets, which one alert meets, are too much together; those that do not compile cost nothing. */
export function takeTooLong(sets: readonly ConditionSet[]): boolean {
  return areTooMuch(sets.flatMap((set) => workOfSet(set, [])));
}

/** Whether this, all of which one alert meets, is too much together; patterns that do not compile cost nothing. */
export function areTooMuch(works: readonly PlacedWork[]): boolean {
  const spent = new Spending();
  return works.some((work) => {
    if (!('pattern' in work)) return !spent.add(work.alternative, work.steps);
    const compiled = compilePattern(work.pattern);
    return compiled !== undefined && !spent.addPattern(work, compiled);
  });
}

/** Whether nothing of the body was refused. What was, is not what its type says: a filter with too long a value has no set. */
export const isRead = (context: z.RefinementCtx): boolean => context.issues.length === 0;

/**
 * Refuses, each at its place, the patterns that do not compile, those that lack the group that is asked of them, and the
 * first work that is too much together with that before it, refused patterns too. None is compiled after that: to read a body
 * costs no more than what may stand. Work with an alternative comes last.
 */
export function refuseWork(works: readonly PlacedWork[], context: z.RefinementCtx): void {
  const spent = new Spending();
  for (const work of works) {
    const refused = (message: string) => {
      context.addIssue({ code: 'custom', path: [...work.path], message });
    };
    let fits: boolean;
    if (!('pattern' in work)) fits = spent.add(work.alternative, work.steps);
    else {
      const compiled = compilePattern(work.pattern);
      if (compiled === undefined) {
        refused(patternProblem(work.pattern));
        if (!spent.addRefused(work.pattern)) return;
        continue;
      }
      if (work.groups > compiled.groups) {
        refused(`should have a group ${work.groups} to extract`);
        continue;
      }
      fits = spent.addPattern(work, compiled);
    }
    if (fits) continue;
    refused(TOO_MANY_STEPS);
    return;
  }
}

/** The sum of the steps of patterns and templates, added one after the other. */
class Spending {
  #forAll = 0;
  #forOne = 0;
  #alternative: string | undefined;

  /** As `add`, for a pattern that does not compile. */
  addRefused(pattern: string): boolean {
    return this.add(undefined, refusalSteps(pattern));
  }

  /** As `add`, for a pattern that compiles. */
  addPattern({ alternative, stepsOf }: Placed & PatternWork, compiled: Pattern): boolean {
    this.add(undefined, compiled.compileSteps);
    return this.add(alternative, stepsOf(compiled));
  }

  /** False from the work on that is too much. */
  add(alternative: string | undefined, steps: number): boolean {
    if (alternative === undefined) this.#forAll += steps;
    else {
      if (alternative !== this.#alternative) this.#forOne = 0;
      this.#alternative = alternative;
      this.#forOne += steps;
    }
    return this.#forAll + this.#forOne <= MAX_WRITTEN_STEPS;
  }
}
