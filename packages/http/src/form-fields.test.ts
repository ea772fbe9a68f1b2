import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { TooLargeError, UnsupportedMediaTypeError } from '@tocsin/core';
import fc from 'fast-check';
import { readFormFields } from './index.ts';

const FORM = 'application/x-www-form-urlencoded';
const read = (body: string, type = FORM, maxBytes = 1_000) => {
  const bytes = Buffer.from(body);
  const half = Math.floor(bytes.length / 2);
  const chunks = [bytes.subarray(0, half), bytes.subarray(half)];
  return readFormFields({ type, length: bytes.length, bytes: Readable.from(chunks) }, maxBytes);
};

describe('the fields of a form', () => {
  it('come in their order, each as it was written, repeated ones too', async () => {
    expect(await read('b=1&a=x+y&b=%C3%BC&empty=&a')).toEqual([
      ['b', '1'],
      ['a', 'x y'],
      ['b', 'ü'],
      ['empty', ''],
      ['a', ''],
    ]);
    expect(await read('a=1', `${FORM}; charset=UTF-8`)).toEqual([['a', '1']]);
  });

  it('are read whatever stands in them', async () => {
    const fields = fc.array(fc.tuple(fc.string({ minLength: 1 }), fc.string()), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(fields, async (pairs) => {
        expect(await read(new URLSearchParams(pairs).toString(), FORM, 10_000)).toEqual(pairs);
      }),
    );
    expect(await read('%zz=%&==&&')).toEqual([
      ['%zz', '%'],
      ['', '='],
    ]);
  });

  it('are none of an empty body, whatever its type', async () => {
    expect(await read('')).toEqual([]);
    expect(await read('', '')).toEqual([]);
  });

  it('are refused of another type, and beyond the bound', async () => {
    await expect(read('{}', 'application/json')).rejects.toThrow(UnsupportedMediaTypeError);
    await expect(read('a=b', '')).rejects.toThrow(UnsupportedMediaTypeError);
    await expect(read('a=bc', FORM, 3)).rejects.toThrow(TooLargeError);
    expect(await read('a=b', FORM, 3)).toHaveLength(1);
    expect(await read('a&'.repeat(200))).toHaveLength(200);
    await expect(read('a&'.repeat(201))).rejects.toThrow(TooLargeError);
  });
});
