import { RE2JS } from 're2js';
import { translatedPattern } from './java-patterns.ts';

/** The most units of `patternSize` of one pattern: twice those of a literal of 1000 characters. */
const MAX_PATTERN_SIZE = 2_000;

/**
 * The most steps of making the automaton of a pattern, and the size from which on none is made: such a pattern is followed instruction
 * by instruction.
 */
const AUTOMATON_STEPS = 30_000;
const MAX_AUTOMATON_SIZE = 300;

/** The steps of compiling each instruction of a pattern. */
const COMPILE_STEPS = 200;

/** The cost of finding the groups of a match, in visits to an instruction. */
const GROUPS_COST = 2;

/**
 * A compiled pattern (P3, P4). Each call takes a time that is at most proportional to the steps that it says, whatever the
 * text: the engine (re2js) never goes back.
 */
export class Pattern {
  /** How many groups it has. */
  readonly groups: number;
  /** The cost of making it ready, once. */
  readonly compileSteps: number;
  /** 1 where the automaton of the pattern is small and made already; else the size of the compiled program. */
  readonly #stepsPerCharacter: number;
  readonly #expression: RE2JS;

  /** `tables` is what its classes come to, as `tablesSize` has it. */
  constructor(expression: RE2JS, tables: number) {
    this.#expression = expression;
    this.groups = expression.groupCount();
    const size = expression.programSize();
    const { small, steps } = automatonOf(expression);
    this.compileSteps = Math.max(COMPILE_STEPS * (size + tables), steps);
    this.#stepsPerCharacter = small ? 1 : size;
  }

  /** The most steps that `matches` takes for a text of so many characters. */
  matchSteps(characters: number): number {
    return this.#stepsPerCharacter * (characters + 1);
  }

  /** The most steps that `extract` takes for a text of so many characters. */
  extractSteps(characters: number): number {
    return GROUPS_COST * this.#expression.programSize() * (characters + 1);
  }

  /** Whether it means the whole of `text`; `.` takes line ends too. */
  matches(text: string): boolean {
    if (this.#stepsPerCharacter === 1) return this.#expression.testExact(text);
    return this.#expression.matcher(text).matches();
  }

  /** The text of the group at the first match in `text`; empty without a match. Group 0 is the whole match. */
  extract(text: string, group: number): string {
    const matcher = this.#expression.matcher(text);
    return matcher.find() ? (matcher.group(group) ?? '') : '';
  }
}

/**
 * Whether the automaton of the expression is complete after few steps, all of it made then: it takes one step for a character.
 * The engine makes an automaton as a text needs it, which costs more than going without where it grows with the text.
 */
function automatonOf(expression: RE2JS): {
  readonly small: boolean;
  readonly steps: number;
} {
  if (expression.programSize() > MAX_AUTOMATON_SIZE) return { small: false, steps: 0 };
  const { dfa, onepass } = expression.re2();
  // Where the engine has this other way, it goes it; the declared type forgets that mostly there is none.
  if (dfa.failed || (onepass as object | null) !== null) return { small: false, steps: 0 };
  expression.testExact('');
  const states = new Set<AutomatonState>(dfa.startStates.values() as Iterable<AutomatonState>);
  let steps = 0;
  for (const state of states)
    for (let kind = 0; kind <= dfa.numClasses; kind += 1) {
      steps += state.nfaStates.length + 1;
      if (steps > AUTOMATON_STEPS) return { small: false, steps };
      const character = kind === dfa.numClasses ? END_OF_TEXT : kind === 0 ? 0 : dfa.classBounds[kind - 1];
      const next = dfa.step(state, kind, character, WHOLE_TEXT) as AutomatonState | null;
      if (next === null) return { small: false, steps };
      states.add(next);
    }
  return { small: true, steps };
}

/** As re2js has them: a state of its automaton, the kind of character after the last, and the anchoring of a whole match. */
interface AutomatonState {
  readonly nfaStates: readonly number[];
}
const END_OF_TEXT = -1;
const WHOLE_TEXT = 2;

/** Those that were compiled last: rules are read, checked and evaluated with the same ones over and over. */
const COMPILED = new Map<string, Pattern | undefined>();
const MAX_COMPILED = 1_000;

/** The pattern, of Java's syntax, compiled; or undefined when there is none for it or it unfolds to more than 2000 steps (P3). */
export function compilePattern(pattern: string): Pattern | undefined {
  if (COMPILED.has(pattern)) return COMPILED.get(pattern);
  if (COMPILED.size >= MAX_COMPILED) COMPILED.clear();
  const compiled = compiledAnew(pattern);
  COMPILED.set(pattern, compiled);
  return compiled;
}

function compiledAnew(pattern: string): Pattern | undefined {
  const translation = translatedPattern(pattern);
  if ('refused' in translation || isTooLarge(translation.written)) return undefined;
  try {
    return new Pattern(RE2JS.compile(translation.written, RE2JS.DOTALL), tablesSize(translation.written));
  } catch {
    return undefined;
  }
}

function isTooLarge(pattern: string): boolean {
  return patternSize(pattern) > MAX_PATTERN_SIZE || tablesSize(pattern) > MAX_PATTERN_SIZE;
}

/** Why `pattern` is none, as a sentence. */
export function patternProblem(pattern: string): string {
  const translation = translatedPattern(pattern);
  if ('refused' in translation) return translation.refused;
  if (patternSize(translation.written) > MAX_PATTERN_SIZE) return 'repeats too much for a regular expression';
  if (isTooLarge(translation.written)) return 'has too many or too wide classes for a regular expression';
  return 'should be a valid regular expression';
}

/** The most steps of finding out that `pattern` does not compile: to read its text costs as much as to compile it. */
export function refusalSteps(pattern: string): number {
  const translation = translatedPattern(pattern);
  if ('refused' in translation || isTooLarge(translation.written)) return COMPILE_STEPS * pattern.length;
  return COMPILE_STEPS * (patternSize(translation.written) + tablesSize(translation.written));
}

/** Literal runs, escapes, classes and counted repeats are one token each; an unclosed one takes the rest. */
const TOKEN =
  /\\Q[\s\S]*?(?:\\E|$)|\\[pPx]\{[^}]*(?:\}|$)|\\[\s\S]|\[\^?\]?(?:\[:\^?\w+:\]|\\[\s\S]|[^\]\\])*(?:\]|$)|\{(\d+)(?:(,)(\d*))?\}|[\s\S]/gu;

/**
 * About how many steps `pattern`, as the engine reads it, unfolds to, repeats multiplied out; never far below what compiling it would come to.
 *
 * Decided from the text alone: to compile first and measure then would already cost what this guards against.
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

/** The cost of looking a property of characters up in its table. */
const PROPERTY_SIZE = 100;
/** Of a class so many characters, as the engine reads it, are one unit: about one of its ranges. */
const CLASS_TEXT_PER_UNIT = 8;
/** Of a range without regard to case each character is looked up for itself: so many are one unit. */
const FOLDED_PER_UNIT = 20;
/** The last character that has a case. */
const LAST_FOLDED = 0x1_e943;

const ESCAPED = /\\([\s\S])/g;
const WITHOUT_CASE = /\(\?[\w-]*i/;
/** The two ends of a range; those that other escapes write are near the beginning of all characters. */
const RANGE = /(?<=\\x\{([\da-f]+)\}|([\s\S]))-(?:(?=\\x\{([\da-f]+)\})|(?=([^\\])))/giu;

/** The cost of reading the classes of `pattern` besides its size, however short they are written; repeats do not multiply it. */
function tablesSize(pattern: string): number {
  let size = 0;
  for (const [, escaped = ''] of pattern.matchAll(ESCAPED))
    if (escaped === 'p' || escaped === 'P') size += PROPERTY_SIZE;
  const isFolded = WITHOUT_CASE.test(pattern);
  for (const [token] of pattern.matchAll(TOKEN)) {
    if (!token.startsWith('[')) continue;
    size += token.length / CLASS_TEXT_PER_UNIT;
    if (isFolded) size += foldedIn(token) / FOLDED_PER_UNIT;
  }
  return Math.ceil(size);
}

function foldedIn(characterClass: string): number {
  let folded = 0;
  for (const [, fromHex, from, toHex, to] of characterClass.matchAll(RANGE))
    folded += Math.max(0, Math.min(characterOf(toHex, to), LAST_FOLDED) - characterOf(fromHex, from));
  return folded;
}

const characterOf = (hex: string | undefined, character = ''): number =>
  hex === undefined ? (character.codePointAt(0) ?? 0) : Number.parseInt(hex, 16);
