import { describe, expect, test } from '@jest/globals';
import { personState, roleChanges, roleOptions, roleRights } from './account-people.ts';

const now = Date.parse('2026-03-02T08:00:00Z');

describe('the people of an account', () => {
  test('They can have the roles of each account, and those that it made, with the rights of these.', () => {
    const names = roleOptions([{ id: 'r1', name: 'Auditor', extendedRole: 'observer' }]).map(({ name }) => name);

    expect(names).toEqual(['User', 'Admin', 'Owner', 'Auditor (rights of observer)']);
  });

  test('What a role may do is said, of one that the account made what the role may that it extends.', () => {
    const auditor = { id: 'r1', name: 'Auditor', extendedRole: 'observer' } as const;

    expect(roleRights('user', [])).toContain('acts on alerts');
    expect(roleRights('r1', [auditor])).toBe(roleRights('observer', []));
    expect(roleRights('r2', [auditor])).toBeUndefined();
  });

  test('What keeps messages from a person is said, and nothing of one who has none of it.', () => {
    const blocked = { blocked: true, verified: false, mutedUntil: '2026-03-02T08:00:01Z' };

    expect(personState(blocked, now)).toEqual([
      'blocked',
      'no mail has reached them yet',
      'muted: only pages of P1 are sent',
    ]);
    expect(personState({ blocked: false, verified: true, mutedUntil: '2026-03-02T08:00:00Z' }, now)).toEqual([]);
  });

  test('A role that another person gave them meanwhile is named.', () => {
    const [user, admin] = [
      { id: 'user', name: 'User' },
      { id: 'admin', name: 'Admin' },
    ] as const;

    expect(roleChanges(user, admin)).toEqual(['Another person gave them the role Admin.']);
    expect(roleChanges(user, user)).toEqual([]);
  });
});
