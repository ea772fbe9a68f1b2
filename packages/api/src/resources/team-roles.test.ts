import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CreateTeamRoleBody, TeamRoleQuery, UpdateTeamRoleBody } from './team-roles.ts';

const right = (name: string, granted: unknown = true) => ({ right: name, granted });

describe('CreateTeamRoleBody', () => {
  it('needs no more than a name', () => {
    expect(CreateTeamRoleBody.parse({ name: 'Night', rights: null })).toEqual({ name: 'Night' });
    expect(CreateTeamRoleBody.safeParse({ name: '' }).success).toBe(false);
    expect(CreateTeamRoleBody.safeParse({ rights: [] }).success).toBe(false);
  });

  it('keeps each right once, granted or not as the last says', () => {
    const rights = fc.array(fc.record({ right: fc.constantFrom('a', 'b', 'c'), granted: fc.boolean() }));
    fc.assert(
      fc.property(rights, (given) => {
        const { rights: kept = [] } = CreateTeamRoleBody.parse({ name: 'Night', rights: given });
        expect(kept.map((each) => each.right)).toEqual([...new Set(given.map((each) => each.right))]);
        for (const each of kept)
          expect(each.granted).toBe(given.findLast((other) => other.right === each.right)?.granted);
      }),
    );
  });

  it('reads whether a right is granted from booleans and their words, and demands it', () => {
    const granted = (value: unknown) =>
      CreateTeamRoleBody.safeParse({ name: 'x', rights: [{ right: 'a', granted: value }] });
    for (const value of [true, false, 'true', 'FALSE']) expect(granted(value).success).toBe(true);
    for (const value of [undefined, null, 'yes', 1]) expect(granted(value).success).toBe(false);
  });

  it('takes at most 100 rights, of at most 100 characters', () => {
    const many = Array.from({ length: 101 }, (_, n) => right(`${n}`));
    expect(CreateTeamRoleBody.safeParse({ name: 'x', rights: many.slice(1) }).success).toBe(true);
    expect(CreateTeamRoleBody.safeParse({ name: 'x', rights: many }).success).toBe(false);
    expect(CreateTeamRoleBody.safeParse({ name: 'x', rights: [right('🔔'.repeat(100))] }).success).toBe(true);
    expect(CreateTeamRoleBody.safeParse({ name: 'x', rights: [right('a'.repeat(101))] }).success).toBe(false);
    expect(CreateTeamRoleBody.safeParse({ name: 'x'.repeat(101) }).success).toBe(false);
  });
});

describe('UpdateTeamRoleBody', () => {
  it('has nothing where nothing is sent, null, or an empty name', () => {
    for (const body of [{}, { name: '' }, { name: null, rights: null }])
      expect(UpdateTeamRoleBody.parse(body)).toEqual({});
  });
});

describe('TeamRoleQuery', () => {
  it('names team and role by id by default', () => {
    expect(TeamRoleQuery.parse({})).toEqual({ teamIdentifierType: 'id', identifierType: 'id' });
    expect(TeamRoleQuery.parse({ teamIdentifierType: 'NAME', identifierType: '' })).toEqual({
      teamIdentifierType: 'name',
      identifierType: 'id',
    });
    expect(TeamRoleQuery.safeParse({ identifierType: 'tiny' }).success).toBe(false);
  });
});
