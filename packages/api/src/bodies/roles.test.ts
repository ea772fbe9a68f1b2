import { describe, expect, it } from '@jest/globals';
import { OptionalRoleReferenceBody, RoleBody, RoleQuery, RoleReferenceBody } from './roles.ts';

const issues = (body: unknown) =>
  RoleBody.safeParse(body).error?.issues.map(({ path, message }) => [path.join('.'), message]);

describe('RoleReferenceBody', () => {
  it('takes the name before the id, and the id where there is no name', () => {
    expect(RoleReferenceBody.parse({ id: '1', name: 'Watch' })).toEqual({ name: 'Watch' });
    expect(RoleReferenceBody.parse({ id: '1', name: '' })).toEqual({ id: '1' });
  });

  it.each([{}, { name: ' ' }, { id: '', name: null }])('refuses %j', (value) => {
    expect(RoleReferenceBody.safeParse(value).error?.issues).toMatchObject([{ path: ['name'] }]);
  });
});

describe('OptionalRoleReferenceBody', () => {
  it.each([undefined, null, {}, { id: '', name: '' }])('takes %j as absent', (value) => {
    expect(OptionalRoleReferenceBody.parse(value)).toBeUndefined();
  });
});

describe('RoleBody', () => {
  it('needs a name, and extends user by default', () => {
    expect(RoleBody.parse({ name: 'Watch', extendedRole: null, grantedRights: null })).toEqual({
      name: 'Watch',
      extendedRole: 'user',
      grantedRights: [],
      disallowedRights: [],
    });
  });

  it.each(['user', 'Observer', 'STAKEHOLDER'])('extends %s', (extendedRole) => {
    expect(RoleBody.parse({ name: 'Watch', extendedRole }).extendedRole).toBe(extendedRole.toLowerCase());
  });

  it('keeps each right once, in its order', () => {
    expect(RoleBody.parse({ name: 'Watch', grantedRights: ['b', 'a', 'b'] }).grantedRights).toEqual(['b', 'a']);
  });

  it('takes names of 1000 characters and lists of 1000 rights', () => {
    const disallowedRights = Array.from({ length: 1_000 }, (_, n) => `right-${n}`);
    expect(issues({ name: 'é'.repeat(1_000), disallowedRights })).toBeUndefined();
  });

  it.each([
    ['name', {}, 'Role name can not be empty.'],
    ['name', { name: ' ' }, 'Role name can not be empty.'],
    ['name', { name: 'é'.repeat(1_001) }, 'should be at most 1000 characters'],
    ['extendedRole', { name: 'a', extendedRole: 'king' }, 'should be one of [ user, observer, stakeholder ]'],
    ['grantedRights', { name: 'a', grantedRights: 'all' }, 'should be a list'],
    ['grantedRights.0', { name: 'a', grantedRights: [''] }, 'Right can not be empty.'],
    ['disallowedRights.0', { name: 'a', disallowedRights: ['r'.repeat(1_001)] }, 'should be at most 1000 characters'],
    [
      'disallowedRights',
      { name: 'a', disallowedRights: Array.from({ length: 1_001 }, () => 'r') },
      'should have at most 1000 items',
    ],
    [
      'disallowedRights',
      { name: 'a', grantedRights: ['r'], disallowedRights: ['r'] },
      'should not hold [r], which is granted',
    ],
  ])('refuses a %s that is wrong', (field, body, sentence) => {
    expect(issues(body)).toEqual([[field, sentence]]);
  });
});

describe('RoleQuery', () => {
  it('names a role by its id by default, in any case', () => {
    expect(RoleQuery.parse({})).toEqual({ identifierType: 'id' });
    expect(RoleQuery.parse({ identifierType: 'NAME' })).toEqual({ identifierType: 'name' });
    expect(RoleQuery.safeParse({ identifierType: 'alias' }).success).toBe(false);
  });
});
