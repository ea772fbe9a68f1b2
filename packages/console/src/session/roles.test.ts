import { describe, expect, test } from '@jest/globals';
import { alertChangesRefused } from './roles.ts';

describe('who may change alerts', () => {
  test.each(['owner', 'admin', 'user'])('The role %s may.', (id) => {
    expect(alertChangesRefused({ role: { id, name: 'Some role' } })).toBeUndefined();
  });

  test.each(['observer', 'stakeholder', '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e20'])(
    'The role %s may not, and the reason names it.',
    (id) => {
      expect(alertChangesRefused({ role: { id, name: 'Watcher' } })).toContain('Your role, Watcher,');
    },
  );
});
