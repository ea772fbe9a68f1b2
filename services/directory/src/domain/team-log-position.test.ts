import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { formatLogPosition, parseLogPosition } from './team-log-position.ts';

describe('the cursor of a line', () => {
  it('is read as the position of which it was made', () => {
    fc.assert(
      fc.property(fc.record({ n: fc.nat(), line: fc.nat({ max: 3_000 }) }), (position) => {
        expect(parseLogPosition(formatLogPosition(position))).toEqual(position);
      }),
    );
  });

  it.each(['', 'x', '1', '1-', '-1', '1-2-3', ' 1-2', '1.0-2', '-1-2', `${'9'.repeat(16)}-1`])(
    'is not read from %j',
    (cursor) => {
      expect(parseLogPosition(cursor)).toBeUndefined();
    },
  );
});
