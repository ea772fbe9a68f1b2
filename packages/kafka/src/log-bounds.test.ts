import { describe, expect, it } from '@jest/globals';
import { backlogOf } from './log-bounds.ts';

describe('backlogOf', () => {
  it.each([
    { position: undefined, records: 90 },
    { position: 0, records: 90 },
    { position: 40, records: 60 },
    { position: 100, records: 0 },
    // A position of a topic that was deleted and created again.
    { position: 101, records: 90 },
  ])('of a log from 10 to 100 at position $position is $records', ({ position, records }) => {
    expect(backlogOf({ start: 10, end: 100 }, position)).toBe(records);
  });
});
