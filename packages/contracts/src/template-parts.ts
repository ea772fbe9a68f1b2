import { ALERT_LIMITS } from './bodies/alert-fields.ts';
import { codePoints } from './primitives.ts';

/** Text that stands as it is, or an expression. */
type TemplatePart = string | Expression;

export interface Expression {
  readonly path: string;
  readonly calls: readonly Call[];
}

type Call = TextCall | { readonly extract: PatternCall };

/** A call whose cost follows from the length of its value. */
export interface TextCall {
  readonly apply: (value: string) => string;
  /** The most that it takes for each UTF-16 unit of the value, in steps. */
  readonly perUnit: number;
  /** How long it can make a value of so many characters. */
  readonly longest: (characters: number) => number;
}

/** A pattern, and which of its groups is meant. */
export interface PatternCall {
  readonly pattern: string;
  readonly group: number;
}

/**
 * What is longer is cut, a value between two calls and the whole at its end, so that nothing grows without end. The longest
 * text of an alert, a note, fits with two units for each code point.
 */
export const LONGEST_VALUE = 2 * ALERT_LIMITS.note;
const MAX_CALLS = 20;

const OPEN = '{{';
const PATH = /\s*([^\s{}().][^{}()]{0,299}?)(?=\s{0,9}\}\}|\.\w+\()/y;
const CALL = /\.(\w+)\(\s{0,9}([^\s)"][^)"]{0,40}|"[^"]{0,200}"\s{0,9},\s{0,9}"[^"]{0,200}")?\)/y;
/** The pattern as JavaScript writes it: a slash within it stands after a backslash, or in brackets. */
const EXTRACT =
  /\.extract\(\s{0,9}\/((?:\\[^\n]|\[(?:\\[^\n]|[^\]\\\n])*\]|[^/\\[\n])+)\/\s{0,9}(?:,\s{0,9}(\d{1,3})\s{0,9})?\)/y;
const CLOSE = /\s{0,9}\}\}/y;

/** The parts of a template in their order; undefined where an expression in it is none. */
export function templateParts(text: string): readonly TemplatePart[] | undefined {
  const parts: TemplatePart[] = [];
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
const WITHOUT_ARGUMENTS: Readonly<Record<string, TextCall>> = {
  toLowerCase: { apply: (value) => value.toLowerCase(), perUnit: 1, longest: (characters) => 2 * characters },
  toUpperCase: { apply: (value) => value.toUpperCase(), perUnit: 2, longest: (characters) => 3 * characters },
  trim: { apply: (value) => value.trim(), perUnit: 0.25, longest: (characters) => characters },
  length: { apply: (value) => String(codePoints(value)), perUnit: 1, longest: () => String(LONGEST_VALUE).length },
};

function callOf(name: string, given: string | undefined): TextCall | undefined {
  if (given === undefined) return Object.hasOwn(WITHOUT_ARGUMENTS, name) ? WITHOUT_ARGUMENTS[name] : undefined;
  if (name === 'substring') return substring(given);
  return name === 'replace' ? replacing(given) : undefined;
}

function substring(given: string): TextCall | undefined {
  const [, first, last] = /^(\d{1,6})(?:\s*,\s*(\d{1,6}))?$/.exec(given) ?? [];
  if (first === undefined) return undefined;
  const from = Number(first);
  const to = last === undefined ? undefined : Number(last);
  return {
    apply: (value) => Array.from(value).slice(from, to).join(''),
    perUnit: 2,
    longest: (characters) => Math.max(0, Math.min(characters, to ?? LONGEST_VALUE) - from),
  };
}

function replacing(given: string): TextCall | undefined {
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
    if (at < 0 || length > LONGEST_VALUE) return pieces.join('') + value.slice(position);
    pieces.push(value.slice(position, at), by);
    length += at - position + by.length;
    position = at + wanted.length;
  }
}
