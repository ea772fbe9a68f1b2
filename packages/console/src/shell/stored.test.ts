import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readStored, writeStored } from './stored.ts';

const given = Object.getOwnPropertyDescriptor(globalThis, 'sessionStorage');

/** A storage of a browser, as far as these tests use it. */
function storage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
}

const provide = (get: () => unknown) => {
  Object.defineProperty(globalThis, 'sessionStorage', { configurable: true, get });
};

beforeEach(() => {
  const one = storage();
  provide(() => one);
});
afterEach(() => {
  if (given === undefined) Reflect.deleteProperty(globalThis, 'sessionStorage');
  else Object.defineProperty(globalThis, 'sessionStorage', given);
});

describe('a value that the page keeps', () => {
  test('It is read as it was written, until it is removed.', () => {
    expect(writeStored('tab', 'page', '/on-call')).toBe(true);
    expect(readStored('tab', 'page')).toBe('/on-call');
    expect(writeStored('tab', 'page', undefined)).toBe(true);
    expect(readStored('tab', 'page')).toBeUndefined();
  });

  test('Where the browser refuses access there is none, and the write says so.', () => {
    provide(() => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    });

    expect(readStored('tab', 'page')).toBeUndefined();
    expect(writeStored('tab', 'page', '/on-call')).toBe(false);
    expect(writeStored('tab', 'page', undefined)).toBe(false);
  });
});
