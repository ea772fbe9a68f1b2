import { describe, expect, test } from '@jest/globals';
import { similarSearch } from './similar.ts';

describe('similar alerts', () => {
  test('They are the open ones of the same entity, else those with the same message.', () => {
    expect(similarSearch({ entity: 'db-1', message: 'Disk full' })).toBe('status:open AND entity:"db-1"');
    expect(similarSearch({ entity: '', message: 'Disk full' })).toBe('status:open AND message:"Disk full"');
  });

  test('A text of the sender ends no quote, and a long one is cut.', () => {
    expect(similarSearch({ entity: '', message: 'Disk "full" OR 1' })).toBe(
      'status:open AND message:"Disk  full  OR 1"',
    );
    expect(similarSearch({ entity: '', message: 'x'.repeat(500) })).toHaveLength(226);
  });
});
