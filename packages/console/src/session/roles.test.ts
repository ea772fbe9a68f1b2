import { describe, expect, test } from '@jest/globals';
import { alertChangesRefused } from './roles.ts';

const custom = { id: '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e20', name: 'Watcher' };

describe('who may change alerts', () => {
  test.each(['owner', 'admin', 'user'])('The role %s may.', (id) => {
    expect(alertChangesRefused({ id, name: id }, undefined)).toBeUndefined();
  });

  test('A role of the account may what the role may that it extends, and the reason names it.', () => {
    expect(alertChangesRefused(custom, 'user')).toBeUndefined();
    for (const extended of ['observer', 'stakeholder'])
      expect(alertChangesRefused(custom, extended)).toBe('Your role "Watcher" can only read alerts.');
  });

  test('While the page does not know what a role extends, the server decides alone.', () => {
    expect(alertChangesRefused(custom, undefined)).toBeUndefined();
  });
});
