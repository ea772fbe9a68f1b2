import { ALERT_LIMITS } from './alert-limits.ts';
import { compilePattern } from './patterns.ts';
import { MAX_VALUE_LENGTH, templateParts, type Expression, type PatternCall, type TextCall } from './template-parts.ts';

/** The values of templates, by the field's name: text, lists, maps, and values that are read by the path after the name. */
export type TemplateFields = Readonly<
  Record<string, string | readonly string[] | Readonly<Record<string, string>> | PathReader>
>;

/** The text at a path in a value of any form; of the value itself where the path is empty. */
export type PathReader = (path: string) => string;

/** The fields that are read by paths: the parts of a request (P4). */
export const PATH_FIELDS = ['_payload', '_item', '_envelope', '_headers', '_query'] as const;
export type PathField = (typeof PATH_FIELDS)[number];

/** What is longer at a path is cut. */
export const MAX_TEXT_AT_PATH: number = ALERT_LIMITS.description;

/** The steps of reading a path, whatever is there. */
export const PATH_STEPS = 1_000;

/** The field of a path, and the path within its value, which is empty for the whole. */
export function fieldAndPath(written: string): readonly [field: string, path: string] {
  const end = written.search(/[.[]/);
  if (end < 0) return [written, ''];
  return [written.slice(0, end), written.slice(written[end] === '.' ? end + 1 : end)];
}

/** Whether a field is read by paths, or the path of one is given. */
export const isPathField = (written: string): boolean =>
  (PATH_FIELDS as readonly string[]).includes(fieldAndPath(written)[0]);

/** Gives steps out. */
export interface StepBudget {
  /** Whether there is room for so many steps, which are gone then. */
  take(steps: number): boolean;
}

/** Fills a template in; undefined where the budget has no room for it, so never without one. Never throws. */
export interface Template {
  (fields: TemplateFields): string;
  (fields: TemplateFields, budget: StepBudget): string | undefined;
  /** The first part that begins with `{{` and is not a valid expression (P4); the template uses it as text. */
  readonly unread: string | undefined;
}

/** The cost of an expression: steps, or a pattern with one of its groups for a text of so many characters. */
export type TemplateWork = number | (PatternCall & { readonly characters: number });

/** Of a longer text a pattern sees this many UTF-16 units. */
const MAX_EXTRACT_TEXT = 5_000;

/** Of a value without calls so many units are copied in a step. */
const COPIED_PER_STEP = 32;

/**
 * The template as a function. What is no expression in it stands as text (P4).
 *
 * `{{field}}`, `{{details.key}}` and, of values that are read by paths, `{{_payload.list.get(0)["a name"].x}}` stand for a text, with any
 * chain of these:
 * - `.toLowerCase()`, `.toUpperCase()`, `.trim()`, `.length()`, `.substring(from, to)`, whose positions count code points
 * - `.replace("a", "b")`, which replaces each
 * - `.substringAfter("a")`, empty where there is no such text, `.substringBefore("b")`, the whole there, and
 *   `.substringBetween("a", "b")`, empty there; each by the first place
 * - `.toDate("format", "zone")` of a timestamp, as `dateFormat` says; what is no timestamp stays
 * - `.extract(/pattern/, group)`: the group (1 by default, 0 is the whole) of the first place that the pattern means, empty
 *   where there is none; it sees the first 5000 characters
 *
 * A list is its items with commas, an unknown field is empty. The budget is asked before each expression and each call of it.
 */
export function compileTemplate(text: string): Template {
  const { parts, unread } = templateParts(text);
  const made = parts.map((part) => (typeof part === 'string' ? part : compiled(part)));
  const broken = parts.find((part): part is Expression => typeof part !== 'string' && compiled(part) === part.written);
  const fill = (fields: TemplateFields, budget: StepBudget = UNBOUNDED) => filledIn(made, fields, budget);
  return Object.assign(fill, { unread: unread ?? broken?.written }) as Template;
}

const UNBOUNDED: StepBudget = { take: () => true };

/** The most that filling `text` in costs, one part after the other, where a field has the length of `longestOf` (P3). */
export function templateWork(text: string, longestOf: (field: string) => number): readonly TemplateWork[] {
  return templateParts(text).parts.flatMap((part) => (typeof part === 'string' ? [] : workOf(part, longestOf)));
}

function workOf({ path, calls }: Expression, longestOf: (field: string) => number): TemplateWork[] {
  let characters = longestOf(fieldAndPath(path)[0]);
  let steps = copySteps(characters) + (isPathField(path) ? PATH_STEPS : 0);
  const patterns: TemplateWork[] = [];
  for (const call of calls)
    if ('extract' in call) {
      characters = Math.min(characters, MAX_EXTRACT_TEXT);
      patterns.push({ ...call.extract, characters });
    } else {
      steps += callSteps(call, characters);
      characters = Math.min(call.longest(characters), MAX_VALUE_LENGTH);
    }
  return [steps, ...patterns];
}

const copySteps = (units: number): number => 1 + Math.floor(units / COPIED_PER_STEP);
const callSteps = ({ least = 1, perUnit }: TextCall, units: number): number => least + Math.ceil(perUnit * units);

interface Compiled {
  readonly path: string;
  readonly calls: readonly CompiledCall[];
}

interface CompiledCall {
  readonly apply: (value: string) => string;
  readonly steps: (value: string) => number;
}

/** As it is written where a pattern in it is none, as may stand in templates that are older than the engine. */
function compiled({ written, path, calls }: Expression): Compiled | string {
  const made = calls.map((call) =>
    'extract' in call
      ? extracting(call.extract)
      : { apply: call.apply, steps: (value: string) => callSteps(call, value.length) },
  );
  return made.every((call) => call !== undefined) ? { path, calls: made } : written;
}

function extracting({ pattern, group }: PatternCall): CompiledCall | undefined {
  const made = compilePattern(pattern);
  if (made === undefined || group > made.groups) return undefined;
  return {
    apply: (value) => made.extract(value.slice(0, MAX_EXTRACT_TEXT), group),
    steps: (value) => made.extractSteps(Math.min(value.length, MAX_EXTRACT_TEXT)),
  };
}

function filledIn(
  parts: readonly (string | Compiled)[],
  fields: TemplateFields,
  budget: StepBudget,
): string | undefined {
  let text = '';
  for (const part of parts) {
    if (text.length > MAX_VALUE_LENGTH) break;
    const value = typeof part === 'string' ? part : valueOf(part, fields, budget);
    if (value === undefined) return undefined;
    text += value;
  }
  return text.slice(0, MAX_VALUE_LENGTH).toWellFormed();
}

function valueOf({ path, calls }: Compiled, fields: TemplateFields, budget: StepBudget): string | undefined {
  if (isPathField(path) && !budget.take(PATH_STEPS)) return undefined;
  let value = textAt(path, fields).slice(0, MAX_VALUE_LENGTH);
  if (!budget.take(copySteps(value.length))) return undefined;
  for (const { apply, steps } of calls) {
    if (!budget.take(steps(value))) return undefined;
    value = apply(value).slice(0, MAX_VALUE_LENGTH);
  }
  return value;
}

function textAt(written: string, fields: TemplateFields): string {
  const [field, path] = fieldAndPath(written);
  const value = own(fields, field);
  if (value === undefined) return '';
  if (typeof value === 'function') return value(path);
  if (isList(value)) return path === '' ? value.join(', ') : itemOf(value, path);
  return typeof value === 'string' ? (path === '' ? value : '') : (own(value, path) ?? '');
}

/** The item at a position, as `get(0)` or `[0]` writes it. */
function itemOf(list: readonly string[], path: string): string {
  const [, position] = /^\[?(\d{1,6})\]?$/.exec(path) ?? [];
  return position === undefined ? '' : (list[Number(position)] ?? '');
}

const own = <T>(map: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(map, key) ? map[key] : undefined;

const isList = (value: TemplateFields[string] | undefined): value is readonly string[] => Array.isArray(value);
