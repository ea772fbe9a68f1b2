import { expect, test } from '@jest/globals';
import { hasUnsavedInput } from '../shell/unsaved.ts';
import { forgetKey, keepKey, keptKey, keyPlace } from './key-store.ts';

test('A key is kept until it is copied, and so long the browser asks before it is lost.', () => {
  const key = { apiKey: 'key-1', previousKeyValidUntil: '2026-01-05T12:00:00Z' };
  keepKey(keyPlace('1'), key);

  expect(keptKey(keyPlace('1'))).toEqual(key);
  expect(keptKey(keyPlace('2'))).toBeUndefined();
  expect(hasUnsavedInput()).toBe(true);
  forgetKey(keyPlace('1'));
  expect(keptKey(keyPlace('1'))).toBeUndefined();
  expect(hasUnsavedInput()).toBe(false);
});
