import { classOf, hex } from './character-sets.ts';
import { classAt } from './java-classes.ts';
import { escapeAt, type Escape } from './java-escapes.ts';

/** A pattern in the syntax of RE2, or the reason of a refusal: a clause that follows the name of the field. */
export type PatternTranslation = { readonly written: string } | { readonly refused: string };

// cspell:ignore imsdu
/** One construct of a pattern in the syntax of RE2, and the position after it; or the reason of a refusal. */
type Piece = { readonly written: string; readonly end: number } | { readonly refused: string };

/**
 * Translates a pattern of Java (`java.util.regex`) into one of RE2 with the same meaning, in linear time. It refuses constructs
 * that RE2 lacks because it does not backtrack, and constructs that RE2 reads differently; the reason names the construct and the
 * alternative. It leaves errors that both engines report to RE2.
 *
 * `$` and `\Z` match at the end of the text alone, not before a last line end. Case-insensitive patterns ignore the case of all
 * letters, as with Java's flag `u`.
 */
export function translatedPattern(pattern: string): PatternTranslation {
  let written = '';
  let end = 0;
  /** For each open group, whether it ignores case. The flags of a group end with the group. */
  const ignoresCase = [false];
  while (end < pattern.length) {
    const piece = pieceAt(pattern, end, ignoresCase);
    if ('refused' in piece) return piece;
    written += piece.written;
    end = piece.end;
  }
  return { written };
}

function pieceAt(pattern: string, start: number, ignoresCase: boolean[]): Piece {
  switch (pattern.charAt(start)) {
    case '\\':
      return escaped(pattern, start);
    case '[':
      return classAt(pattern, start, ignoresCase.at(-1) === true);
    case '(':
      return opened(pattern, start, ignoresCase);
    case ')':
      if (ignoresCase.length > 1) ignoresCase.pop();
      return { written: ')', end: start + 1 };
    case '*':
    case '+':
    case '?':
    case '{':
      return repeated(pattern, start);
    default:
      return asWritten(pattern, start);
  }
}

const PLAIN = /[^\\[()*+?{]+/y;

function asWritten(pattern: string, start: number): Piece {
  PLAIN.lastIndex = start;
  const [written = ''] = PLAIN.exec(pattern) ?? [];
  return { written, end: start + written.length };
}

const QUANTIFIER = /(?:[*+?]|\{\d+(?:,\d*)?\})(\+)?\??/y;

function repeated(pattern: string, start: number): Piece {
  QUANTIFIER.lastIndex = start;
  const [written, possessive] = QUANTIFIER.exec(pattern) ?? [];
  if (possessive !== undefined)
    return {
      refused: `has a possessive quantifier, "${written ?? ''}": write it without its last "+", nothing here goes back`,
    };
  return { written: written ?? '{', end: start + (written ?? '{').length };
}

/** Line ends. A carriage return with a line feed is one. */
const LINE_END = '(?:\\r\\n|[\\n-\\r\\x{85}\\x{2028}\\x{2029}])';

/** Escapes that are no characters. `\Z` matches at the end of the text alone. */
const PLACES: ReadonlyMap<string, string> = new Map([
  ['\\A', '\\A'],
  ['\\z', '\\z'],
  ['\\Z', '\\z'],
  ['\\b', '\\b'],
  ['\\B', '\\B'],
  ['\\R', LINE_END],
]);
/** Escapes with the same meaning in RE2. */
const KEPT: ReadonlySet<string> = new Set(['\\d', '\\D', '\\w', '\\W']);

function escaped(pattern: string, start: number): Piece {
  const escape = pattern.slice(start, start + 2);
  if (escape === '\\Q') return quoted(pattern, start);
  const place = PLACES.get(escape) ?? (KEPT.has(escape) ? escape : undefined);
  if (place !== undefined && !pattern.startsWith('\\b{', start)) return { written: place, end: start + 2 };
  if (/^\\[1-9k]$/.test(escape))
    return {
      refused: `has a back-reference, "${escape}", which is not supported: write the text out, or use a condition for each text`,
    };
  return characterOrClass(escapeAt(pattern, start));
}

function characterOrClass(escape: Escape): Piece {
  switch (escape.kind) {
    case 'refused':
      return { refused: escape.reason };
    case 'character':
      return { written: hex(escape.character), end: escape.end };
    case 'set':
      return { written: classOf(escape.set), end: escape.end };
    case 'property':
      return { written: escape.written, end: escape.end };
  }
}

function quoted(pattern: string, start: number): Piece {
  const close = pattern.indexOf('\\E', start + 2);
  const end = close < 0 ? pattern.length : close + 2;
  return { written: pattern.slice(start, end), end };
}

const LOOK_AROUND = /\(\?(<?[=!])/y;
const FLAGS = /\(\?([a-zA-Z]*)(?:-([a-zA-Z]*))?([:)])/y;

function opened(pattern: string, start: number, ignoresCase: boolean[]): Piece {
  LOOK_AROUND.lastIndex = start;
  const [around] = LOOK_AROUND.exec(pattern) ?? [];
  if (around !== undefined) return { refused: lookAround(around) };
  if (pattern.startsWith('(?>', start))
    return { refused: 'has an atomic group, "(?>": write "(?:", nothing here goes back' };
  FLAGS.lastIndex = start;
  const flags = FLAGS.exec(pattern);
  if (flags !== null) return withFlags(flags, start, ignoresCase);
  ignoresCase.push(ignoresCase.at(-1) === true);
  return { written: '(', end: start + 1 };
}

function withFlags(
  [whole, on = '', off = '', close = '']: RegExpExecArray,
  start: number,
  ignoresCase: boolean[],
): Piece {
  const unknown = /[^imsdu]/.exec(on + off)?.[0];
  if (unknown !== undefined)
    return { refused: `has the flag "${unknown}", which is not supported: write the pattern without it` };
  const now = (ignoresCase.at(-1) === true || on.includes('i')) && !off.includes('i');
  if (close === ':') ignoresCase.push(now);
  else ignoresCase.splice(-1, 1, now);
  return { written: flagged(on, off, close), end: start + whole.length };
}

const lookAround = (around: string): string =>
  `has a look-${around.includes('<') ? 'behind' : 'ahead'}, "${around}", which is not supported: ` +
  (around.endsWith('!')
    ? 'use another condition, with not, for the text that may not stand there'
    : 'use another condition for that text');

/** Omits `d` and `u`, whose meaning RE2 has anyway. */
function flagged(on: string, off: string, close: string): string {
  const unset = off.replace(/[du]/g, '');
  const flags = `${on.replace(/[du]/g, '')}${unset === '' ? '' : `-${unset}`}`;
  return flags === '' && close === ')' ? '' : `(?${flags}${close}`;
}
