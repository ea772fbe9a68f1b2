import { ALERT_LIMITS } from './alert-limits.ts';
import { dateFormat } from './date-format.ts';
import { codePoints } from './primitives.ts';

/** Plain text or an expression. */
type TemplatePart = string | Expression;

export interface Expression {
  /** The source text, with its braces. */
  readonly written: string;
  /** An item of a list, by `get` or in brackets, stands in it by its number, as a name does. */
  readonly path: string;
  readonly calls: readonly Call[];
}

type Call = TextCall | { readonly extract: PatternCall };

/** A call whose cost follows from the length of its value. */
export interface TextCall {
  readonly apply: (value: string) => string;
  /** The steps for a value of any length; 1 by default. */
  readonly least?: number;
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
export const MAX_VALUE_LENGTH = 2 * ALERT_LIMITS.note;
const MAX_CALLS = 20;

const OPEN = '{{';
/** A character of a path, or a name in brackets and quotes, which may have any but quotes in it. */
const STEP = String.raw`(?:\["[^"]{1,200}"\]|\[(?!"[^"]{1,200}"\])|[^{}()[])`;
const END_OF_PATH = String.raw`(?=\s{0,9}\}\}|\.\w+\()`;
const PATH = new RegExp(String.raw`\s*([^\s{}().]${STEP}{0,299}?)${END_OF_PATH}`, 'y');
const GET = /\.get\(\s{0,9}(\d{1,6})\s{0,9}\)/y;
/** The path after a `get`. */
const REST_OF_PATH = new RegExp(String.raw`((?:(?=[.[])${STEP}{1,300}?)?)${END_OF_PATH}`, 'y');
const CALL = /\.(\w+)\(\s{0,9}([^\s)"][^)"]{0,40}|"[^"]{0,200}"(?:\s{0,9},\s{0,9}"[^"]{0,200}")?)?\s{0,9}\)/y;
/** The pattern as JavaScript writes it: a slash within it stands after a backslash, or in brackets. */
const EXTRACT =
  /\.extract\(\s{0,9}\/((?:\\[^\n]|\[(?:\\[^\n]|[^\]\\\n])*\]|[^/\\[\n])+)\/\s{0,9}(?:,\s{0,9}(\d{1,3})\s{0,9})?\)/y;
const CLOSE = /\s{0,9}\}\}/y;

/** The parts of a template. */
export interface TemplateReading {
  /** In the order of the template. */
  readonly parts: readonly TemplatePart[];
  /** The first part that begins with `{{` and is not a valid expression; the template uses it as text. */
  readonly unread: string | undefined;
}

/** Reads a template. An invalid expression is text, up to its closing braces or to the next opening braces. */
export function templateParts(text: string): TemplateReading {
  const parts: TemplatePart[] = [];
  let unread: string | undefined;
  let position = 0;
  for (let open = openAfter(text, 0); open >= 0; open = openAfter(text, position)) {
    const read = expressionAt(text, open);
    parts.push(text.slice(position, open), read?.expression ?? OPEN);
    position = read?.end ?? open + OPEN.length;
    if (read === undefined) unread ??= unreadAt(text, open);
  }
  parts.push(text.slice(position));
  return { parts, unread };
}

/** Of three or more opening braces, the last two open the expression. */
function openAfter(text: string, position: number): number {
  let open = text.indexOf(OPEN, position);
  while (open >= 0 && text.startsWith(OPEN, open + 1)) open += 1;
  return open;
}

function unreadAt(text: string, open: number): string {
  const [close, next] = ['}}', OPEN].map((braces) => text.indexOf(braces, open + OPEN.length));
  const ends = [
    close === undefined || close < 0 ? text.length : close + 2,
    next === undefined || next < 0 ? text.length : next,
  ];
  return text.slice(open, Math.min(...ends));
}

function expressionAt(text: string, open: number): { expression: Expression; end: number } | undefined {
  const read = pathAt(text, open + OPEN.length);
  if (read === undefined) return undefined;
  const calls: Call[] = [];
  let { end } = read;
  for (let call = callAt(text, end); call !== undefined; call = callAt(text, end)) {
    if (call.made === undefined || calls.length >= MAX_CALLS) return undefined;
    calls.push(call.made);
    end = call.end;
  }
  const close = matchAt(CLOSE, text, end);
  if (close === undefined) return undefined;
  end += close[0].length;
  return { expression: { written: text.slice(open, end), path: read.path, calls }, end };
}

function pathAt(text: string, start: number): { path: string; end: number } | undefined {
  const first = matchAt(PATH, text, start);
  if (first === undefined) return undefined;
  let path = first[1] ?? '';
  let end = start + first[0].length;
  let get = matchAt(GET, text, end);
  for (let count = 0; get !== undefined && count < MAX_CALLS; count += 1) {
    const rest = matchAt(REST_OF_PATH, text, end + get[0].length);
    if (rest === undefined) return undefined;
    path += `.${get[1] ?? ''}${rest[0]}`;
    end += get[0].length + rest[0].length;
    get = matchAt(GET, text, end);
  }
  return { path, end };
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
  length: { apply: (value) => String(codePoints(value)), perUnit: 1, longest: () => String(MAX_VALUE_LENGTH).length },
};

const STRINGS = /^"([^"]*)"(?:\s*,\s*"([^"]*)")?$/;

function callOf(name: string, given: string | undefined): TextCall | undefined {
  if (given === undefined && Object.hasOwn(WITHOUT_ARGUMENTS, name)) return WITHOUT_ARGUMENTS[name];
  if (name === 'substring') return substring(given ?? '');
  const texts = given === undefined ? [] : STRINGS.exec(given)?.slice(1);
  return texts && Object.hasOwn(WITH_TEXTS, name) ? WITH_TEXTS[name]?.(texts[0], texts[1]) : undefined;
}

/** Calls with up to two string arguments. */
const WITH_TEXTS: Readonly<Record<string, (first?: string, second?: string) => TextCall | undefined>> = {
  replace: replacing,
  toDate,
  substringAfter: (from, more) => cutting([from], more, (value, after) => afterFirst(value, after) ?? ''),
  substringBefore: (to, more) => cutting([to], more, (value, before) => beforeFirst(value, before) ?? value),
  substringBetween: (from, to) =>
    cutting([from, to], undefined, (value, after, before) => beforeFirst(afterFirst(value, after) ?? '', before) ?? ''),
};

const beforeFirst = (value: string, wanted: string): string | undefined => {
  const at = value.indexOf(wanted);
  return at < 0 ? undefined : value.slice(0, at);
};

const afterFirst = (value: string, wanted: string): string | undefined => {
  const at = value.indexOf(wanted);
  return at < 0 ? undefined : value.slice(at + wanted.length);
};

/** A call that cuts a value. Undefined when one of `texts` is missing, or `more` is given. */
function cutting(
  texts: readonly (string | undefined)[],
  more: string | undefined,
  cut: (value: string, first: string, second: string) => string,
): TextCall | undefined {
  if (more !== undefined || texts.includes(undefined)) return undefined;
  const [first = '', second = ''] = texts;
  return {
    apply: (value) => cut(value, first, second),
    perUnit: 2 + (first.length + second.length) / 32,
    longest: (characters) => characters,
  };
}

/** The most steps that one date format takes. */
const DATE_STEPS = 5_000;
const MAX_DATE_LENGTH = 1_000;

function toDate(format?: string, zone?: string): TextCall | undefined {
  const formatted = dateFormat(format, zone);
  if (formatted === undefined) return undefined;
  return {
    apply: (value) => formatted(value) ?? value,
    least: DATE_STEPS,
    perUnit: 0.25,
    longest: (characters) => Math.max(characters, MAX_DATE_LENGTH),
  };
}

function substring(given: string): TextCall | undefined {
  const [, first, last] = /^(\d{1,6})(?:\s*,\s*(\d{1,6}))?$/.exec(given) ?? [];
  if (first === undefined) return undefined;
  const from = Number(first);
  const to = last === undefined ? undefined : Number(last);
  return {
    apply: (value) => Array.from(value).slice(from, to).join(''),
    perUnit: 2,
    longest: (characters) => Math.max(0, Math.min(characters, to ?? MAX_VALUE_LENGTH) - from),
  };
}

function replacing(wanted = '', by?: string): TextCall | undefined {
  if (wanted === '' || by === undefined) return undefined;
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
    if (at < 0 || length > MAX_VALUE_LENGTH) return pieces.join('') + value.slice(position);
    pieces.push(value.slice(position, at), by);
    length += at - position + by.length;
    position = at + wanted.length;
  }
}
