import { describe, expect, it } from '@jest/globals';
import { fixedRole, isOwner } from './role.ts';

describe('fixedRole', () => {
  it('keeps the name as it was written', () => {
    expect(fixedRole('User')).toEqual({ id: 'user', name: 'User' });
    expect(fixedRole('OWNER')).toEqual({ id: 'owner', name: 'OWNER' });
  });

  it('is undefined for a name that no fixed role has', () => {
    expect(fixedRole('Night watch')).toBeUndefined();
  });
});

describe('isOwner', () => {
  it('is true of the owner role however it was written', () => {
    expect(isOwner({ id: 'owner', name: 'Owner' })).toBe(true);
    expect(isOwner({ id: 'admin', name: 'owner-like' })).toBe(false);
  });
});
