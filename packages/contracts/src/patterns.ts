import { RE2JS } from 're2js';

/** What one pattern may come to, in units of `patternSize`: a literal of 1000 characters twice over. */
const MAX_PATTERN_SIZE = 2_000;

/**
 * What making the automaton of a pattern may come to for each instruction, and from which size on none is made: such a
 * pattern is followed instruction by instruction.
 */
const AUTOMATON_STEPS = 1_000;
const MAX_AUTOMATON_SIZE = 300;

/** What compiling a pattern takes for each instruction, in steps. */
const COMPILE_STEPS = 200;

/** What finding the groups of a match takes, counted in visits to an instruction. */
const GROUPS_COST = 2;

/**
 * A compiled pattern (P3, P4). Each call takes a time that is at most proportional to the steps that it says, whatever the
 * text: the engine (re2js) never goes back.
 */
export class Pattern {
  /** How many groups it has. */
  readonly groups: number;
  /** 1 where the automaton of the pattern is small and made already; else the size of the compiled program. */
  readonly #stepsPerCharacter: number;
  readonly #expression: RE2JS;

  constructor(expression: RE2JS) {
    this.#expression = expression;
    this.groups = expression.groupCount();
    this.#stepsPerCharacter = hasSmallAutomaton(expression) ? 1 : expression.programSize();
  }

  /** What it takes to make it ready, once. */
  get compileSteps(): number {
    return COMPILE_STEPS * this.#expression.programSize();
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

  /** What the group took of the first place in `text` that the pattern means; empty where there is none. Group 0 is all of it. */
  extract(text: string, group: number): string {
    const matcher = this.#expression.matcher(text);
    return matcher.find() ? (matcher.group(group) ?? '') : '';
  }
}

/**
 * Whether the automaton of the expression is complete after few steps, all of it made then: it takes one step for a character.
 * The engine makes an automaton as a text needs it, which costs more than going without where it grows with the text.
 */
function hasSmallAutomaton(expression: RE2JS): boolean {
  const size = expression.programSize();
  if (size > MAX_AUTOMATON_SIZE) return false;
  const { dfa, onepass } = expression.re2();
  // Where the engine has this other way, it goes it; the declared type forgets that mostly there is none.
  if (dfa.failed || (onepass as object | null) !== null) return false;
  expression.testExact('');
  const states = new Set<AutomatonState>(dfa.startStates.values() as Iterable<AutomatonState>);
  let steps = 0;
  for (const state of states)
    for (let kind = 0; kind <= dfa.numClasses; kind += 1) {
      steps += state.nfaStates.length + 1;
      if (steps > AUTOMATON_STEPS * size) return false;
      const character = kind === dfa.numClasses ? END_OF_TEXT : kind === 0 ? 0 : dfa.classBounds[kind - 1];
      const next = dfa.step(state, kind, character, WHOLE_TEXT) as AutomatonState | null;
      if (next === null) return false;
      states.add(next);
    }
  return true;
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

/** The pattern compiled, or undefined when it does not compile or unfolds to more than 2000 steps (P3). */
export function compilePattern(pattern: string): Pattern | undefined {
  if (COMPILED.has(pattern)) return COMPILED.get(pattern);
  if (COMPILED.size >= MAX_COMPILED) COMPILED.clear();
  const compiled = compiledAnew(pattern);
  COMPILED.set(pattern, compiled);
  return compiled;
}

function compiledAnew(pattern: string): Pattern | undefined {
  if (patternSize(pattern) > MAX_PATTERN_SIZE) return undefined;
  try {
    return new Pattern(RE2JS.compile(pattern, RE2JS.DOTALL));
  } catch {
    return undefined;
  }
}

/** Why `pattern` is none, as a sentence. */
export function patternProblem(pattern: string): string {
  return patternSize(pattern) > MAX_PATTERN_SIZE
    ? 'repeats too much for a regular expression'
    : 'should be a valid regular expression';
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
