import { describe, expect, it } from '@jest/globals';
import { endOfSnooze } from './alert-order.ts';

const NOW = new Date('2026-01-01T00:00:00Z');

describe('the end of a snooze (A5)', () => {
  it.each(['2026-01-01T00:00:00.001Z', '2026-01-08T00:00:00Z'])('may be %s', (end) => {
    expect(endOfSnooze(new Date(end), NOW)).toEqual(new Date(end));
  });

  it.each(['2025-12-31T23:59:59Z', '2026-01-01T00:00:00Z', '2026-01-08T00:00:00.001Z'])('may not be %s', (end) => {
    expect(() => endOfSnooze(new Date(end), NOW)).toThrow();
  });
});
