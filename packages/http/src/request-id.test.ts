import { describe, expect, it } from '@jest/globals';
import { requestIdAt } from './index.ts';

describe('requestIdAt', () => {
  const at = new Date('2026-01-01T00:00:00.123Z');

  it('carries its instant, to the millisecond (A8)', () => {
    const id = requestIdAt(at);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(at.getTime());
  });

  it('is never the same twice, also at one instant', () => {
    const ids = Array.from({ length: 10_000 }, () => requestIdAt(at));
    expect(new Set(ids).size).toBe(ids.length);
  });
});
