import { afterEach, describe, expect, it } from '@jest/globals';
import { casesOf } from './deep.ts';

const given = process.env['DEEP_TESTS'];

afterEach(() => {
  if (given === undefined) delete process.env['DEEP_TESTS'];
  else process.env['DEEP_TESTS'] = given;
});

describe('casesOf', () => {
  it.each([
    [undefined, ['notifier']],
    ['', ['notifier']],
    ['1', ['notifier', 'gateway']],
  ])('with DEEP_TESTS %p gives %p', (value, expected) => {
    delete process.env['DEEP_TESTS'];
    if (value !== undefined) process.env['DEEP_TESTS'] = value;
    expect(casesOf({ usual: ['notifier'], deep: ['notifier', 'gateway'] })).toEqual(expected);
  });
});
