import { ALERT_LIMITS } from './bodies/alert-fields.ts';
import { compilePattern } from './patterns.ts';

/** What templates look at, by the field's name: text, lists and maps. */
export type TemplateFields = Readonly<Record<string, string | readonly string[] | Readonly<Record<string, string>>>>;
/** Fills a template in; never throws. */
export type Template = (fields: TemplateFields) => string;

type Part = string | Expression;
interface Expression {
  readonly path: string;
  readonly calls: readonly Call[];
}
type Call = { readonly apply: (value: string) => string } | { readonly extract: Omit<Extract, 'field'> };

/** A pattern within a template, and which of its groups is wanted of which field. */
export interface Extract {
  readonly pattern: string;
  readonly group: number;
  /** Undefined where the text was made longer before. */
  readonly field: string | undefined;
}

/**
 * What is longer is cut, a value between two calls and the whole at its end, so that nothing grows without end. The longest
 * text of an alert, a note, fits with two units for each code point.
 */
const LONGEST = 2 * ALERT_LIMITS.note;
const MAX_CALLS = 20;

/** Of a longer text a pattern sees this many UTF-16 units. */
export const MAX_EXTRACT_TEXT = 5_000;

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
 */
export function compileTemplate(text: string): Template | undefined {
  const parts = partsOf(text)?.map((part) => (typeof part === 'string' ? part : compiled(part)));
  if (!parts?.every((part) => part !== undefined)) return undefined;
  return (fields) => filledIn(parts, fields);
}

/** The patterns of a template, not compiled yet; undefined where an expression in it is none. */
export function extractsIn(text: string): readonly Extract[] | undefined {
  return partsOf(text)?.flatMap((part) => (typeof part === 'string' ? [] : extractsOf(part)));
}

function extractsOf({ path, calls }: Expression): Extract[] {
  const dot = path.indexOf('.');
  const field = dot < 0 ? path : path.slice(0, dot);
  return calls.flatMap((call, index) => {
    if (!('extract' in call)) return [];
    const untouched = calls.slice(0, index).every((before) => 'extract' in before);
    return [{ ...call.extract, field: untouched ? field : undefined }];
  });
}

interface Compiled {
  readonly path: string;
  readonly calls: readonly ((value: string) => string)[];
}

function compiled({ path, calls }: Expression): Compiled | undefined {
  const made = calls.map((call) => ('extract' in call ? extracting(call.extract) : call.apply));
  return made.every((call) => call !== undefined) ? { path, calls: made } : undefined;
}

function extracting({ pattern, group }: Omit<Extract, 'field'>): ((value: string) => string) | undefined {
  const made = compilePattern(pattern);
  if (made === undefined || group > made.groups) return undefined;
  return (value) => made.extract(value.slice(0, MAX_EXTRACT_TEXT), group);
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

function filledIn(parts: readonly (string | Compiled)[], fields: TemplateFields): string {
  let text = '';
  for (const part of parts) {
    if (text.length > LONGEST) break;
    text += typeof part === 'string' ? part : valueOf(part, fields);
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
  const apply = callOf(call[1] ?? '', call[2]?.trim());
  return { made: apply && { apply }, end: start + call[0].length };
}

function matchAt(pattern: RegExp, text: string, position: number): RegExpExecArray | undefined {
  pattern.lastIndex = position;
  return pattern.exec(text) ?? undefined;
}

const PLAIN: Readonly<Record<string, (value: string) => string>> = {
  toLowerCase: (value) => value.toLowerCase(),
  toUpperCase: (value) => value.toUpperCase(),
  trim: (value) => value.trim(),
  length: (value) => String(Array.from(value).length),
};

function callOf(name: string, given: string | undefined): ((value: string) => string) | undefined {
  if (given === undefined) return Object.hasOwn(PLAIN, name) ? PLAIN[name] : undefined;
  if (name === 'substring') return substring(given);
  return name === 'replace' ? replacing(given) : undefined;
}

function substring(given: string): ((value: string) => string) | undefined {
  const [, from, to] = /^(\d{1,6})(?:\s*,\s*(\d{1,6}))?$/.exec(given) ?? [];
  if (from === undefined) return undefined;
  return (value) =>
    Array.from(value)
      .slice(Number(from), to === undefined ? undefined : Number(to))
      .join('');
}

function replacing(given: string): ((value: string) => string) | undefined {
  const [, wanted = '', by = ''] = /^"([^"]+)"\s*,\s*"([^"]*)"$/.exec(given) ?? [];
  return wanted === '' ? undefined : (value) => value.replaceAll(wanted, () => by);
}

function valueOf({ path, calls }: Compiled, fields: TemplateFields): string {
  return calls.reduce((value, call) => call(value).slice(0, LONGEST), fieldOf(path, fields).slice(0, LONGEST));
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
