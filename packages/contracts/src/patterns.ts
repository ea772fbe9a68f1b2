import { RE2JS } from 're2js';

/** What one pattern may come to, in units of `patternSize`: a literal of 1000 characters twice over. */
const MAX_PATTERN_SIZE = 2_000;

/**
 * The pattern as an expression that matches in time linear in the text, or undefined when it does not compile (P3).
 *
 * A pattern that unfolds to more than 2000 steps does not compile: the time for a character grows with the size. `.` takes
 * line ends too.
 */
export function compilePattern(pattern: string): RE2JS | undefined {
  if (patternSize(pattern) > MAX_PATTERN_SIZE) return undefined;
  try {
    return RE2JS.compile(pattern, RE2JS.DOTALL);
  } catch {
    return undefined;
  }
}

/** What keeps `pattern` from being one, as a sentence; undefined where it compiles. */
export function patternProblem(pattern: string): string | undefined {
  if (patternSize(pattern) > MAX_PATTERN_SIZE) return 'repeats too much for a regular expression';
  return compilePattern(pattern) === undefined ? 'should be a valid regular expression' : undefined;
}

/** Literal runs, escapes, classes and counted repeats are one token each; an unclosed one takes the rest. */
const TOKEN =
  /\\Q[\s\S]*?(?:\\E|$)|\\[pPx]\{[^}]*(?:\}|$)|\\[\s\S]|\[\^?\]?(?:\[:\^?\w+:\]|\\[\s\S]|[^\]\\])*(?:\]|$)|\{(\d+)(?:(,)(\d*))?\}|[\s\S]/gu;

/**
 * About how many steps `pattern` unfolds to, repeats multiplied out; never far below what compiling it would come to.
 *
 * Told from the text alone: to compile first and measure then would already cost what this guards against.
 */
export function patternSize(pattern: string): number {
  const beforeGroups: number[] = [];
  let before = 0;
  let last = 0;
  for (const [token, least, comma, most] of pattern.matchAll(TOKEN)) {
    if (token === '(') {
      beforeGroups.push(before + last);
      before = 1;
      last = 0;
    } else if (token === ')') {
      last += before + 1;
      before = beforeGroups.pop() ?? 0;
    } else if (least !== undefined) {
      last = repeated(last, Number(least), Number(comma === undefined ? least : most));
    } else if (QUANTIFIERS.has(token)) {
      last += 1;
    } else {
      before += last;
      last = lengthOf(token);
    }
  }
  return beforeGroups.reduce((sum, size) => sum + size, before + last);
}

const QUANTIFIERS: ReadonlySet<string> = new Set(['*', '+', '?']);

/** `most` is 0 where a repeat has no end. */
function repeated(size: number, least: number, most: number): number {
  return size * Math.max(least + 1, most) + Math.max(0, most - least);
}

const lengthOf = (token: string): number => (token.startsWith('\\Q') ? token.length : 1);
