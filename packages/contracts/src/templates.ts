import { ALERT_LIMITS } from './bodies/alert-fields.ts';
import { compilePattern } from './patterns.ts';
import { codePoints } from './primitives.ts';

/** What templates look at, by the field's name: text, lists and maps. */
export type TemplateFields = Readonly<Record<string, string | readonly string[] | Readonly<Record<string, string>>>>;
/** Gives steps out. */
export interface StepBudget {
  /** Whether there is room for so many steps, which are gone then. */
  take(steps: number): boolean;
}

/** Fills a template in; undefined where the budget has no room for it, so never without one. Never throws. */
export interface Template {
  (fields: TemplateFields): string;
  (fields: TemplateFields, budget: StepBudget): string | undefined;
}

type Part = string | Expression;
interface Expression {
  readonly path: string;
  readonly calls: readonly Call[];
}
type Call = Plain | { readonly extract: Extract };

interface Plain {
  readonly apply: (value: string) => string;
  /** The most that it takes for each UTF-16 unit of the value, in steps. */
  readonly perUnit: number;
  /** How long it can make a value of so many characters. */
  readonly longest: (characters: number) => number;
}

interface Extract {
  readonly pattern: string;
  readonly group: number;
}

/** What an expression takes: steps, or a pattern with one of its groups for a text of so many characters. */
export type TemplateWork = number | (Extract & { readonly characters: number });

/**
 * What is longer is cut, a value between two calls and the whole at its end, so that nothing grows without end. The longest
 * text of an alert, a note, fits with two units for each code point.
 */
const LONGEST = 2 * ALERT_LIMITS.note;
const MAX_CALLS = 20;

/** Of a longer text a pattern sees this many UTF-16 units. */
const MAX_EXTRACT_TEXT = 5_000;

/** Of a value without calls so many units are copied in a step. */
const COPIED_PER_STEP = 32;

const OPEN = '{{';
const PATH = /\s*([^\s{}().][^{}()]{0,299}?)(?=\s{0,9}\}\}|\.\w+\()/y;
const CALL = /\.(\w+)\(\s{0,9}([^\s)"][^)"]{0,40}|"[^"]{0,200}"\s{0,9},\s{0,9}"[^"]{0,200}")?\)/y;
/** The pattern as JavaScript writes it: a slash within it stands after a backslash, or in brackets. */
const EXTRACT =
  /\.extract\(\s{0,9}\/((?:\\[^\n]|\[(?:\\[^\n]|[^\]\\\n])*\]|[^/\\[\n])+)\/\s{0,9}(?:,\s{0,9}(\d{1,3})\s{0,9})?\)/y;
const CLOSE = /\s{0,9}\}\}/y;

/**
 * The template as a function, or undefined where an expression in it is none (P4).
 *
 * `{{field}}` and `{{details.key}}` stand for a field, with any chain of `.toLowerCase()`, `.toUpperCase()`, `.trim()`,
 * `.length()`, `.substring(from, to)`, `.replace("a", "b")`, which replaces each, and `.extract(/pattern/, group)`, which is
 * the group (1 by default, 0 is the whole) of the first place that the pattern means, empty where there is none; it sees the
 * first 5000 characters. Positions count code points. A list is its items with commas, an unknown field is empty.
 *
 * The budget is asked before each expression and each call of it.
 */
export function compileTemplate(text: string): Template | undefined {
  const parts = partsOf(text)?.map((part) => (typeof part === 'string' ? part : compiled(part)));
  if (!parts?.every((part) => part !== undefined)) return undefined;
  return ((fields: TemplateFields, budget: StepBudget = UNBOUNDED) => filledIn(parts, fields, budget)) as Template;
}

const UNBOUNDED: StepBudget = { take: () => true };

/** Whether its expressions are some; their patterns are not looked at. */
export const isTemplate = (text: string): boolean => partsOf(text) !== undefined;

/** What filling `text` in takes at most, one part after the other, where a field is as long as `longestOf` says (P3). */
export function templateWork(text: string, longestOf: (field: string) => number): readonly TemplateWork[] {
  return (partsOf(text) ?? []).flatMap((part) => (typeof part === 'string' ? [] : workOf(part, longestOf)));
}

function workOf({ path, calls }: Expression, longestOf: (field: string) => number): TemplateWork[] {
  const dot = path.indexOf('.');
  let characters = longestOf(dot < 0 ? path : path.slice(0, dot));
  let steps = copySteps(characters);
  const patterns: TemplateWork[] = [];
  for (const call of calls)
    if ('extract' in call) {
      characters = Math.min(characters, MAX_EXTRACT_TEXT);
      patterns.push({ ...call.extract, characters });
    } else {
      steps += callSteps(call, characters);
      characters = Math.min(call.longest(characters), LONGEST);
    }
  return [steps, ...patterns];
}

const copySteps = (units: number): number => 1 + Math.floor(units / COPIED_PER_STEP);
const callSteps = ({ perUnit }: Pick<Plain, 'perUnit'>, units: number): number => 1 + Math.ceil(perUnit * units);

interface Compiled {
  readonly path: string;
  readonly calls: readonly CompiledCall[];
}

interface CompiledCall {
  readonly apply: (value: string) => string;
  readonly steps: (value: string) => number;
}

function compiled({ path, calls }: Expression): Compiled | undefined {
  const made = calls.map((call) =>
    'extract' in call
      ? extracting(call.extract)
      : { apply: call.apply, steps: (value: string) => callSteps(call, value.length) },
  );
  return made.every((call) => call !== undefined) ? { path, calls: made } : undefined;
}

function extracting({ pattern, group }: Extract): CompiledCall | undefined {
  const made = compilePattern(pattern);
  if (made === undefined || group > made.groups) return undefined;
  return {
    apply: (value) => made.extract(value.slice(0, MAX_EXTRACT_TEXT), group),
    steps: (value) => made.extractSteps(Math.min(value.length, MAX_EXTRACT_TEXT)),
  };
}

function partsOf(text: string): Part[] | undefined {
  const parts: Part[] = [];
  let position = 0;
  for (;;) {
    const open = text.indexOf(OPEN, position);
    if (open < 0) break;
    const read = expressionAt(text, open + OPEN.length);
    if (read === undefined) return undefined;
    parts.push(text.slice(position, open), read.expression);
    position = read.end;
  }
  parts.push(text.slice(position));
  return parts;
}

function filledIn(
  parts: readonly (string | Compiled)[],
  fields: TemplateFields,
  budget: StepBudget,
): string | undefined {
  let text = '';
  for (const part of parts) {
    if (text.length > LONGEST) break;
    const value = typeof part === 'string' ? part : valueOf(part, fields, budget);
    if (value === undefined) return undefined;
    text += value;
  }
  return text.slice(0, LONGEST).toWellFormed();
}

function expressionAt(text: string, start: number): { expression: Expression; end: number } | undefined {
  const path = matchAt(PATH, text, start);
  if (path === undefined) return undefined;
  const calls: Call[] = [];
  let end = start + path[0].length;
  for (let call = callAt(text, end); call !== undefined; call = callAt(text, end)) {
    if (call.made === undefined || calls.length >= MAX_CALLS) return undefined;
    calls.push(call.made);
    end = call.end;
  }
  const close = matchAt(CLOSE, text, end);
  return close && { expression: { path: path[1] ?? '', calls }, end: end + close[0].length };
}

function callAt(text: string, start: number): { made: Call | undefined; end: number } | undefined {
  const extract = matchAt(EXTRACT, text, start);
  if (extract !== undefined) {
    const [whole, pattern = '', group = '1'] = extract;
    return { made: { extract: { pattern, group: Number(group) } }, end: start + whole.length };
  }
  const call = matchAt(CALL, text, start);
  if (call === undefined) return undefined;
  return { made: callOf(call[1] ?? '', call[2]?.trim()), end: start + call[0].length };
}

function matchAt(pattern: RegExp, text: string, position: number): RegExpExecArray | undefined {
  pattern.lastIndex = position;
  return pattern.exec(text) ?? undefined;
}

/** Upper case has up to three units for one, as `ΐ` has, lower case two. */
const PLAIN: Readonly<Record<string, Plain>> = {
  toLowerCase: { apply: (value) => value.toLowerCase(), perUnit: 1, longest: (characters) => 2 * characters },
  toUpperCase: { apply: (value) => value.toUpperCase(), perUnit: 2, longest: (characters) => 3 * characters },
  trim: { apply: (value) => value.trim(), perUnit: 0.25, longest: (characters) => characters },
  length: { apply: (value) => String(codePoints(value)), perUnit: 1, longest: () => String(LONGEST).length },
};

function callOf(name: string, given: string | undefined): Plain | undefined {
  if (given === undefined) return Object.hasOwn(PLAIN, name) ? PLAIN[name] : undefined;
  if (name === 'substring') return substring(given);
  return name === 'replace' ? replacing(given) : undefined;
}

function substring(given: string): Plain | undefined {
  const [, first, last] = /^(\d{1,6})(?:\s*,\s*(\d{1,6}))?$/.exec(given) ?? [];
  if (first === undefined) return undefined;
  const from = Number(first);
  const to = last === undefined ? undefined : Number(last);
  return {
    apply: (value) => Array.from(value).slice(from, to).join(''),
    perUnit: 2,
    longest: (characters) => Math.max(0, Math.min(characters, to ?? LONGEST) - from),
  };
}

function replacing(given: string): Plain | undefined {
  const [, wanted = '', by = ''] = /^"([^"]+)"\s*,\s*"([^"]*)"$/.exec(given) ?? [];
  if (wanted === '') return undefined;
  return {
    apply: (value) => replaced(value, wanted, by),
    // Looking for `wanted`, where each place looks like it nearly to the end; and making what stands there instead.
    perUnit: 1 + wanted.length / 32 + 4 / wanted.length,
    longest: (characters) => Math.ceil(characters * Math.max(1, by.length / wanted.length)),
  };
}

/** Stops where the text is too long: `replaceAll` can make a thousand times what is kept. */
function replaced(value: string, wanted: string, by: string): string {
  const pieces: string[] = [];
  let length = 0;
  let position = 0;
  for (;;) {
    const at = value.indexOf(wanted, position);
    if (at < 0 || length > LONGEST) return pieces.join('') + value.slice(position);
    pieces.push(value.slice(position, at), by);
    length += at - position + by.length;
    position = at + wanted.length;
  }
}

function valueOf({ path, calls }: Compiled, fields: TemplateFields, budget: StepBudget): string | undefined {
  let value = fieldOf(path, fields).slice(0, LONGEST);
  if (!budget.take(copySteps(value.length))) return undefined;
  for (const { apply, steps } of calls) {
    if (!budget.take(steps(value))) return undefined;
    value = apply(value).slice(0, LONGEST);
  }
  return value;
}

function fieldOf(path: string, fields: TemplateFields): string {
  const dot = path.indexOf('.');
  return dot < 0 ? whole(own(fields, path)) : keyed(own(fields, path.slice(0, dot)), path.slice(dot + 1));
}

type Value = TemplateFields[string];

function whole(value: Value | undefined): string {
  if (value === undefined || typeof value === 'string') return value ?? '';
  return isList(value) ? value.join(', ') : '';
}

function keyed(value: Value | undefined, key: string): string {
  if (value === undefined || typeof value === 'string' || isList(value)) return '';
  return own(value, key) ?? '';
}

const own = <T>(map: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(map, key) ? map[key] : undefined;

const isList = (value: readonly string[] | Readonly<Record<string, string>>): value is readonly string[] =>
  Array.isArray(value);
