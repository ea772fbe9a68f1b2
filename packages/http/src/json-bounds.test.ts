import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkJsonBounds, INTERNAL_BOUNDS, REQUEST_BOUNDS, type JsonBounds } from './json-bounds.ts';

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const keys = (count: number) => `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join()}}`;
const items = (count: number) => `[${Array.from({ length: count }, () => '0').join()}]`;

/** Depth, and keys and items together, of what was parsed. */
function measured(value: unknown): { depth: number; values: number; empty: boolean } {
  if (typeof value !== 'object' || value === null) return { depth: 0, values: 0, empty: false };
  const parts = Object.values(value).map(measured);
  return {
    depth: 1 + parts.reduce((most, { depth }) => Math.max(most, depth), 0),
    values: parts.reduce((sum, part) => sum + part.values, parts.length),
    empty: parts.length === 0 || parts.some(({ empty }) => empty),
  };
}

const refusal = (json: string, bounds: JsonBounds = INTERNAL_BOUNDS): unknown => {
  try {
    checkJsonBounds(json, bounds);
    return undefined;
  } catch (error) {
    return (error as { fields?: unknown }).fields;
  }
};

const TOO_DEEP = { body: 'should be at most 64 levels deep' };
const TOO_WIDE = { body: 'should have no object or list of more than 2000 items' };
const TOO_MANY = { body: 'should have at most 50000 keys and list items' };

describe('the bounds of JSON', () => {
  it('are 64 levels, of lists and objects alike', () => {
    expect(refusal(nested(64))).toBeUndefined();
    expect(refusal(nested(65))).toEqual(TOO_DEEP);
    expect(refusal('{"a":['.repeat(32) + ']}'.repeat(32))).toBeUndefined();
    expect(refusal('{"a":['.repeat(33) + ']}'.repeat(33))).toEqual(TOO_DEEP);
    expect(refusal(`[${Array.from({ length: 100 }, () => nested(63)).join()}]`)).toBeUndefined();
  });

  it('are 50 000 keys and list items together', () => {
    expect(refusal(keys(50_000))).toBeUndefined();
    expect(refusal(keys(50_001))).toEqual(TOO_MANY);
    expect(refusal(items(50_000))).toBeUndefined();
    expect(refusal(items(50_001))).toEqual(TOO_MANY);
    const half = `{"a":${items(24_999)},"b":${keys(24_999)}}`;
    expect(refusal(half)).toBeUndefined();
    expect(refusal(`{"a":${items(24_999)},"b":${keys(25_000)}}`)).toEqual(TOO_MANY);
  });

  it('are 2000 items of one object or list, and 10 000 values, of a request of a caller', () => {
    expect(refusal(keys(2_000), REQUEST_BOUNDS)).toBeUndefined();
    expect(refusal(keys(2_001), REQUEST_BOUNDS)).toEqual(TOO_WIDE);
    expect(refusal(`{"a":${items(2_000)},"b":[${keys(2_000)},${keys(2_000)}]}`, REQUEST_BOUNDS)).toBeUndefined();
    expect(refusal(`{"a":{"b":[0,${items(2_001)}]}}`, REQUEST_BOUNDS)).toEqual(TOO_WIDE);
    expect(refusal(`[${Array.from({ length: 6 }, () => items(1_990)).join()}]`, REQUEST_BOUNDS)).toEqual({
      body: 'should have at most 10000 keys and list items',
    });
  });

  it.each([
    ['a list that never closes', '['.repeat(1_000_000), TOO_DEEP],
    ['200 000 keys', keys(200_000), TOO_MANY],
    ['200 000 empty lists', `[${'[],'.repeat(200_000)}[]]`, TOO_MANY],
    [
      'a string of brackets, colons and escaped quotes',
      JSON.stringify({ text: '[{":,\\"'.repeat(100_000) }),
      undefined,
    ],
    ['a string that never ends', `{"a":"${'\\"'.repeat(500_000)}`, undefined],
    ['closing brackets alone', ']'.repeat(1_000_000), undefined],
  ])('are found in %s', (_, json, expected) => {
    expect(refusal(json)).toEqual(expected);
  });

  it('hold for what the text says, whatever its strings look like', () => {
    const text = fc.oneof(fc.string(), fc.constantFrom('"', '\\', '\\"', '[[[', '{,}', '\\\\"]'));
    const values = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 6 },
        text,
        fc.array(tie('value'), { minLength: 1, maxLength: 4 }),
        fc.dictionary(text, tie('value'), { minKeys: 1, maxKeys: 4 }),
      ),
    })).value;
    fc.assert(
      fc.property(values, fc.nat(70), (value, levels) => {
        const json = '['.repeat(levels) + JSON.stringify(value) + ']'.repeat(levels);
        const { depth, values: count } = measured(JSON.parse(json));
        expect(refusal(json)).toEqual(depth > 64 ? TOO_DEEP : count > 50_000 ? TOO_MANY : undefined);
      }),
    );
  });
});
