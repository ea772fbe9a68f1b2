import { describe, expect, test } from '@jest/globals';
import { onMissingPart } from './new-version.ts';

describe('a page whose next part is gone', () => {
  test('It reloads.', () => {
    expect(onMissingPart({ build: 'main-2.js', hasUnsaved: false, reloadedFrom: null })).toBe('reload');
  });

  test('It does not reload a second time from the same build.', () => {
    expect(onMissingPart({ build: 'main-2.js', hasUnsaved: false, reloadedFrom: 'main-2.js' })).toBe('say-so');
  });

  test('It reloads again from the build that the first reload brought.', () => {
    expect(onMissingPart({ build: 'main-3.js', hasUnsaved: false, reloadedFrom: 'main-2.js' })).toBe('reload');
  });

  test('It never reloads over input that would be lost.', () => {
    expect(onMissingPart({ build: 'main-2.js', hasUnsaved: true, reloadedFrom: null })).toBe('say-so');
  });
});
