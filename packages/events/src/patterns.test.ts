import { afterEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { RE2JS } from 're2js';
import { compilePattern, patternProblem, patternSize, refusalSteps, type Pattern } from './patterns.ts';

const matches = (pattern: string, text: string) => compilePattern(pattern)?.matches(text);

describe('compilePattern', () => {
  it('means the whole of a text, line ends included (P3)', () => {
    expect(matches('disk', 'disk full')).toBe(false);
    expect(matches('disk.*', 'disk\nfull')).toBe(true);
  });

  it('takes linear time where backtracking would never end', () => {
    expect(matches('(a+)+', `${'a'.repeat(15_000)}!`)).toBe(false);
  });

  it.each(['(', 'a{2,1}', '(?#a)', '\\p{Nothing}'])('is undefined for %j, which does not compile', (pattern) => {
    expect(compilePattern(pattern)).toBeUndefined();
    expect(patternProblem(pattern)).toBe('should be a valid regular expression');
  });

  it.each([
    'a'.repeat(1_000),
    '[a-z]{1000}',
    '(?i)\\Qa.b{9}\\E.*',
    '(\\d{1,3}\\.){3}\\d{1,3}(,(\\d{1,3}\\.){3}\\d{1,3})*',
  ])('takes %j', (pattern) => {
    expect(compilePattern(pattern)).toBeDefined();
  });

  it.each(['a{1000}'.repeat(3), '((a{30}){30}){30}', `(${'a'.repeat(500)}){9}`, '(.*a.*){1000}', '([^a]?){700,1000}'])(
    'refuses %j, which would cost too much for each character',
    (pattern) => {
      expect(compilePattern(pattern)).toBeUndefined();
      expect(patternProblem(pattern)).toBe('repeats too much for a regular expression');
    },
  );
});

const pieces = fc.constantFrom(
  ...['a', 'é', '.', '\\d', '\\p{L}', '[^a-f]', '[]a]', '\\Qab{9}\\E', '(', '(?:', ')', '|', '*', '+', '?', '{3}'],
  ...['{2,}', '{1,4}', '{0}', '\\{5}', '^', '$', '\\x{41}', '\\b', '.*'],
);

/** Counts the work of the engine from now on: visits to instructions of the pattern, and steps of its automaton. */
function counted(pattern: string): { readonly compiled: Pattern; readonly steps: () => number } | undefined {
  const compile = jest.spyOn(RE2JS, 'compile');
  const compiled = compilePattern(pattern);
  const expression = compile.mock.results.at(-1)?.value as RE2JS | undefined;
  compile.mockRestore();
  if (compiled === undefined || expression === undefined) return undefined;
  let steps = 0;
  const { prog, dfa } = expression.re2() as unknown as {
    readonly prog: { getInst: (at: number) => object };
    readonly dfa: { step: (...given: readonly unknown[]) => unknown };
  };
  const [getInst, step] = [prog.getInst.bind(prog), dfa.step.bind(dfa)];
  prog.getInst = (at) => {
    steps += 1;
    return getInst(at);
  };
  dfa.step = (...given) => {
    steps += 1;
    return step(...given);
  };
  return { compiled, steps: () => steps };
}

describe('the steps that a pattern says it takes (P3)', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const parts = fc.array(pieces, { minLength: 1, maxLength: 12 }).map((list) => list.join(''));
  const texts = fc.string({
    unit: fc.constantFrom('a', 'b', 'é', '1', ' ', '\n', 'A'),
    maxLength: 200,
  });
  /** Whatever visits an instruction once reads it a few times. */
  const READS = 8;

  it('are an upper bound, but for a factor, of what the engine does, for a match and for a group', () => {
    let salt = 0;
    fc.assert(
      fc.property(parts, texts, (list, text) => {
        salt += 1;
        const pattern = `(?:${list})(?:z{0,1}y)?(?:x${salt})?`;
        const run = counted(pattern);
        if (run === undefined) return;
        const { compiled, steps } = run;
        compiled.matches(text);
        expect(steps()).toBeLessThanOrEqual(READS * (compiled.matchSteps(text.length) + 1));
        const before = steps();
        compiled.extract(text, 0);
        expect(steps() - before).toBeLessThanOrEqual(READS * (compiled.extractSteps(text.length) + 1));
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['.*disk.*', 1],
    ['.*(disk|cpu|memory|network|swap|load|latency).*', 1],
    ['.*\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}.*', 1],
    ['(?i).*\\bhost-(eu|us)-\\d+\\b.*', 1],
    ['.*a[ab]{0,990}[cd]', 1986],
    ['.*(a|b).{40}[cd]', 48],
  ])('are for each character of %j %i: one where its automaton is small', (pattern, each) => {
    expect(compilePattern(pattern)?.matchSteps(0)).toBe(each);
    expect(compilePattern(pattern)?.matchSteps(99)).toBe(100 * each);
  });

  it('are one for a pattern whose automaton is made already: a match makes no more of it', () => {
    const run = counted('.*full_(disk|cpu)[0-9]+.*');
    run?.compiled.matches(`${'full_dis'.repeat(500)}full_disk7 and more`);
    expect(run?.steps()).toBeLessThan(5_000);
  });

  it('stay the same whatever was matched before', () => {
    const compiled = compilePattern('.*a.{8}b');
    const first = compiled?.matchSteps(1_000);
    compiled?.matches('ab'.repeat(500));
    expect(compiled?.matchSteps(1_000)).toBe(first);
  });
});

describe('reading a pattern (P3)', () => {
  const WIDE = '[B-\u{1e900}]';

  it.each([
    `(?i)${WIDE}`,
    `(?s-i:x)(?i)[^a-f--\\x{1e900}]`,
    '(?i)[\\x{100}-\\x{1e900}]',
    '\\p{Lu}'.repeat(21),
    `[${'\\PL'.repeat(300)}]`,
  ])('refuses %j, the classes of which take long to make, however short they are written', (pattern) => {
    expect(compilePattern(pattern)).toBeUndefined();
    expect(patternProblem(pattern)).toBe('has too many or too wide classes for a regular expression');
  });

  it.each([WIDE, '(?i)[a-z0-9а-яё_-]+-[\\x{410}-\\x{44f}]', '(?i)[一-龥]+', '\\p{L}{2,50} \\P{Lu}', '(?i)a\\\\p-漢'])(
    'takes %j',
    (pattern) => {
      expect(compilePattern(pattern)).toBeDefined();
    },
  );

  it('says a cost for classes and for an automaton that is too large', () => {
    expect(compilePattern('\\p{L}'.repeat(20))?.compileSteps).toBeGreaterThan(400_000);
    expect(compilePattern('.*a.{0,20}[cd]')?.compileSteps).toBeGreaterThan(30_000);
  });

  it('says a cost for one that does not compile, by its length where only its text is read', () => {
    expect(refusalSteps(`${'\\p{L}'.repeat(20)}(`)).toBeGreaterThan(400_000);
    for (const read of [`(?i)${WIDE.repeat(100)}(`, `[${'ac'.repeat(400)}&&]`, `${'a'.repeat(900)}(?=b)`])
      expect(refusalSteps(read)).toBe(200 * read.length);
  });

  it('says a cost for each range of a class', () => {
    const ranges = Array.from({ length: 900 }, (_, at) => String.fromCharCode(0x4e00 + 2 * at)).join('');
    expect(compilePattern(`[${ranges}]`)?.compileSteps).toBeGreaterThan(200 * 900);
    expect(compilePattern('[a-z]')?.compileSteps).toBeLessThan(2_000);
  });
});

describe('patternSize', () => {
  const compiled = (pattern: string) => {
    try {
      return RE2JS.compile(pattern, RE2JS.DOTALL);
    } catch {
      return undefined;
    }
  };

  it('is never far below the size of the compiled pattern', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 20 }), (parts) => {
        const size = compiled(parts.join(''))?.programSize() ?? 0;
        expect(size).toBeLessThanOrEqual(2 * patternSize(parts.join('')) + 8);
      }),
      { numRuns: 2_000 },
    );
  });

  it('takes no more time than the text is long', () => {
    for (const piece of ['[', '\\Q', '\\p{', '(', '{1']) expect(patternSize(piece.repeat(500_000))).toBeGreaterThan(0);
  });
});
