import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { withWrittenNumbers } from './written-numbers.ts';

const read = (json: string): unknown => withWrittenNumbers(JSON.parse(json), 'details', json);

describe('withWrittenNumbers', () => {
  it.each([
    ['{"details":{"id":12345678901234567890,"v":1.10}}', { details: { id: '12345678901234567890', v: '1.10' } }],
    ['{"details":{"a":-0.50,"b":1e400,"c":7}}', { details: { a: '-0.50', b: '1e400', c: '7' } }],
    [
      '{"details":{"a":1.0,"b":"x: 2, \\"3\\"","c":[4],"d":true}}',
      { details: { a: '1.0', b: 'x: 2, "3"', c: ['4'], d: true } },
    ],
    [
      '{ "n" : 1.10 , "d\\u0065tails" : { "a" : 1.10 } , "x":{"details":{"a":2}}}',
      { n: 1.1, details: { a: '1.10' }, x: { details: { a: 2 } } },
    ],
    ['{"details":{"a":1},"details":{"b":2.0}}', { details: { b: '2.0' } }],
  ])('reads %s with the numbers of the map as texts', (json, expected) => {
    expect(read(json)).toEqual(expected);
  });

  it.each(['null', '[1]', '{"details":5}', '{"details":[5]}', '{"details":{"a":"5"}}', '{"x":{"details":{"a":5}}}'])(
    'leaves %s as it is',
    (json) => {
      expect(read(json)).toEqual(JSON.parse(json));
    },
  );

  it('changes nothing but the numbers of the map, whatever else there is', () => {
    const values = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean()));
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        values,
        fc.constantFrom(0, 2),
        (others, details, indent) => {
          const json = JSON.stringify({ ...others, details }, null, indent);
          const texts: Record<string, unknown> = { ...details };
          for (const [key, value] of Object.entries(details)) if (typeof value === 'number') texts[key] = String(value);
          expect(read(json)).toEqual({ ...(JSON.parse(json) as object), details: texts });
        },
      ),
    );
  });
});
