import { describe, expect, test } from '@jest/globals';
import { mayReload } from './new-version.ts';

const page = { build: 'main-2.js', hasUnsaved: false, reloadedFrom: undefined, keep: () => true };

describe('a page whose next part is gone', () => {
  test('It reloads, and keeps from which build.', () => {
    const kept: string[] = [];

    expect(mayReload({ ...page, keep: (build) => kept.push(build) > 0 })).toBe(true);
    expect(kept).toEqual(['main-2.js']);
  });

  test('It does not reload a second time from the same build.', () => {
    expect(mayReload({ ...page, reloadedFrom: 'main-2.js' })).toBe(false);
  });

  test('It reloads again from the build that the first reload brought.', () => {
    expect(mayReload({ ...page, reloadedFrom: 'main-1.js' })).toBe(true);
  });

  test('It never reloads over input that would be lost.', () => {
    expect(mayReload({ ...page, hasUnsaved: true })).toBe(false);
  });

  test('It does not reload where the browser keeps nothing, because it would do so again and again.', () => {
    expect(mayReload({ ...page, keep: () => false })).toBe(false);
  });
});
