import { describe, expect, it } from '@jest/globals';
import { LongWork } from '@tocsin/core';
import fc from 'fast-check';
import { jsonBytes } from './json-parts.ts';

const written = async (value: unknown): Promise<string> => (await jsonBytes(value)).toString();

/** Makes lists and objects of so many values that they are written in parts. */
const large = (value: unknown) => ({
  text: 'a'.repeat(5_000),
  list: Array.from({ length: 300 }, () => [value, 'text']),
});

describe('jsonBytes', () => {
  it('writes what JSON.stringify writes, whatever the size', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        expect(await written(value)).toBe(JSON.stringify(value));
        expect(await written(large(value))).toBe(JSON.stringify(large(value)));
      }),
      { numRuns: 50 },
    );
  });

  it.each([undefined, () => 1, new Date(0), null, '', [], {}, [undefined], { a: undefined }, '√√', NaN])(
    'writes %p in a list and in an object as JSON.stringify does',
    async (value) => {
      const things = large({ value, list: [value] });
      expect(await written(things)).toBe(JSON.stringify(things));
    },
  );

  it('writes an iterator as a list, whose items are made between turns of the event loop', async () => {
    const order: string[] = [];
    const count = () => {
      order.push('other work');
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    const things = [1, 2, 3].values().map((made) => {
      order.push(`item ${made}`);
      return { made };
    });
    let ms = 0;
    const bytes = await jsonBytes({ data: things }, new LongWork(() => (ms += 6)));
    clearImmediate(counting);
    expect(bytes.toString()).toBe('{"data":[{"made":1},{"made":2},{"made":3}]}');
    expect(order.filter((what, index) => what !== order[index - 1]).slice(-6)).toEqual([
      'item 1',
      'other work',
      'item 2',
      'other work',
      'item 3',
      'other work',
    ]);
    expect(await written({ data: [].values() })).toBe('{"data":[]}');
  });

  it('rejects with the error of an iterator', async () => {
    const broken = [1].values().map(() => {
      throw new RangeError('broken');
    });
    await expect(jsonBytes({ data: broken })).rejects.toThrow('broken');
  });
});
