import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cut, fitted, jsonText, plain, widthOf } from './text.ts';

describe('the width of a text', () => {
  it.each([
    ['ada', 3],
    ['', 0],
    ['é', 1],
    ['e\u0301', 1],
    ['日本', 4],
    ['ａｂ', 4],
    ['한', 2],
    ['🔔', 2],
    ['👩‍🚒', 2],
    ['❤️', 2],
    ['│─…', 3],
  ])('%s takes %i columns', (text, width) => {
    expect(widthOf(text)).toBe(width);
  });

  it('is never more than asked for after a cut, and exactly that after a fit', () => {
    const texts = fc.string({
      unit: fc.oneof(fc.constantFrom('日', '🔔', 'é', 'a', '─'), fc.string({ maxLength: 1 })),
    });
    fc.assert(
      fc.property(texts, fc.nat(20), (text, width) => {
        expect(widthOf(cut(text, width))).toBeLessThanOrEqual(width);
        expect(widthOf(fitted(plain(text), width))).toBe(width);
      }),
    );
  });

  it('marks what was cut, and never half a character', () => {
    expect([cut('ada@example.com', 5), cut('日本語', 4), cut('日本語', 5), cut('ada', 3)]).toEqual([
      ...['ada@…', '日…', '日本…', 'ada'],
    ]);
  });
});

describe('texts of callers', () => {
  it('is shown without anything that a terminal obeys, on one line', () => {
    expect(plain(' a\n\tb\u001b[31mc\u0007\u009b2Jd\u202ee\u200ff ')).toBe(
      'a b\ufffd[31mc\ufffd\ufffd2Jd\ufffde\ufffdf',
    );
  });

  it('is the same after reading the JSON, which a terminal does not obey either', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const json = jsonText({ text });
        expect(JSON.parse(json)).toEqual({ text });
        expect(json.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u2028\u2029\p{Bidi_Control}]/u);
      }),
    );
  });
});
