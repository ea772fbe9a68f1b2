import { classOf, hex } from './character-sets.ts';
import { classAt } from './java-classes.ts';
import { escapeAt, type Escape } from './java-escapes.ts';

/** A pattern as the engine reads it, or why it is none: a clause that goes on after the name of the field. */
export type PatternTranslation = { readonly written: string } | { readonly refused: string };

// cspell:ignore imsdu
/** What is written at a place, as the engine reads it, and where the next begins; or why there is none. */
type Piece = { readonly written: string; readonly end: number } | { readonly refused: string };

/**
 * A pattern of Java (`java.util.regex`) as one of RE2 that means the same. What RE2 can not do, as it never goes back, is
 * refused in a sentence that names it and the way out, and so is what it would read as something else. Takes linear time. What
 * is wrong in both is left to the engine.
 *
 * `$` and `\Z` are the end of the text alone, not the place before a line end there. Without regard to case all letters have
 * none, as with Java's flag `u`.
 */
export function translatedPattern(pattern: string): PatternTranslation {
  let written = '';
  let end = 0;
  /** Of each group that is open, whether its letters have no case; the flags of a group end with it. */
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

/** Line ends, of which a carriage return and a line feed are one. */
const LINE_END = '(?:\\r\\n|[\\n-\\r\\x{85}\\x{2028}\\x{2029}])';

/** Escapes that are no characters. `\Z` is the end of the text alone. */
const PLACES: ReadonlyMap<string, string> = new Map([
  ['\\A', '\\A'],
  ['\\z', '\\z'],
  ['\\Z', '\\z'],
  ['\\b', '\\b'],
  ['\\B', '\\B'],
  ['\\R', LINE_END],
]);
/** Of which RE2 has the same. */
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

/** Lines end by a line feed anyway, and letters have no case wherever (`d`, `u`). */
function flagged(on: string, off: string, close: string): string {
  const unset = off.replace(/[du]/g, '');
  const flags = `${on.replace(/[du]/g, '')}${unset === '' ? '' : `-${unset}`}`;
  return flags === '' && close === ')' ? '' : `(?${flags}${close}`;
}
