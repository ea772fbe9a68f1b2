import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { wellFormedJson } from './well-formed-json.ts';

/** Any text, halves of surrogate pairs among it. */
const anyText = fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) });

describe('wellFormedJson', () => {
  it.each([
    ['half a pair', String.raw`{"alias":"a\ud83d"}`, { alias: 'a\ufffd' }],
    ['the other half, in capitals', String.raw`{"alias":"\uDD25b"}`, { alias: '\ufffdb' }],
    ['two halves in the wrong order', String.raw`["\udd25\ud83d"]`, ['\ufffd\ufffd']],
    ['half of one before a whole one', String.raw`["\ud83d\ud83d\udd25"]`, ['\ufffd🔥']],
    ['half a pair in a key', String.raw`{"\ud83d":1}`, { '\ufffd': 1 }],
    ['half a pair that is not escaped', '["\ud83d"]', ['\ufffd']],
  ])('replaces %s', (_, json, value) => {
    expect(JSON.parse(wellFormedJson(json))).toEqual(value);
  });

  it('leaves whole pairs, and a backslash before letters that only look like an escape', () => {
    for (const json of [String.raw`["\ud83d\udd25"]`, String.raw`["\\ud83d"]`, String.raw`["\\\\ud83d\n"]`, '["🔥"]'])
      expect(wellFormedJson(json)).toBe(json);
  });

  it('makes each text well formed, however it is written', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(JSON.parse(wellFormedJson(JSON.stringify([text])))).toEqual([text.toWellFormed()]);
      }),
    );
  });
});
