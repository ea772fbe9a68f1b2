import { describe, expect, it } from '@jest/globals';
import { AddTeamMemberBody, CreateTeamBody, TeamLogQuery, TeamPartQuery, TeamQuery, UpdateTeamBody } from './teams.ts';

describe('CreateTeamBody', () => {
  it('needs no more than a name', () => {
    expect(CreateTeamBody.parse({ name: 'Ops', description: null, members: null })).toEqual({ name: 'Ops' });
  });

  it('drops members that name no user, and no others', () => {
    const members = [{ user: {} }, { user: { id: '', username: null } }, { user: null }, { user: { id: 'ada' } }];
    expect(CreateTeamBody.parse({ name: 'Ops', members }).members).toEqual([{ user: { id: 'ada' } }]);
    expect(CreateTeamBody.safeParse({ name: 'Ops', members: [{}] }).success).toBe(false);
    expect(CreateTeamBody.safeParse({ name: 'Ops', members: [{ user: { id: 7 } }] }).success).toBe(false);
    expect(CreateTeamBody.safeParse({ name: 'Ops', members: [{ user: [] }] }).success).toBe(false);
  });

  it('takes at most 1000 members', () => {
    const members = Array.from({ length: 1_001 }, (_, n) => ({ user: { id: `user-${n}` } }));
    expect(CreateTeamBody.safeParse({ name: 'Ops', members }).success).toBe(false);
    expect(CreateTeamBody.safeParse({ name: 'Ops', members: members.slice(1) }).success).toBe(true);
  });
});

describe('TeamQuery', () => {
  it('names a team by id by default', () => {
    expect(TeamQuery.parse({})).toEqual({ identifierType: 'id' });
    expect(TeamQuery.parse({ identifierType: '' })).toEqual({ identifierType: 'id' });
    expect(TeamQuery.parse({ identifierType: 'NAME' })).toEqual({ identifierType: 'name' });
  });
});

describe('UpdateTeamBody', () => {
  it('has nothing where nothing is sent, or what is sent is null, and no name where it is empty', () => {
    expect(UpdateTeamBody.parse({})).toEqual({});
    expect(UpdateTeamBody.parse({ name: null, description: null, members: null })).toEqual({});
    expect(UpdateTeamBody.parse({ name: '', description: '' })).toEqual({ description: '' });
  });

  it.each([
    ['name', 100],
    ['description', 200],
  ])('takes %s of at most %i characters', (field, limit) => {
    expect(UpdateTeamBody.safeParse({ [field]: '🔔'.repeat(limit) }).success).toBe(true);
    expect(UpdateTeamBody.safeParse({ [field]: 'a'.repeat(limit + 1) }).success).toBe(false);
  });

  it('refuses a blank name', () => {
    expect(UpdateTeamBody.safeParse({ name: ' ' }).success).toBe(false);
  });
});

describe('AddTeamMemberBody', () => {
  it('reads roles in any case, and user names in lower case', () => {
    expect(AddTeamMemberBody.parse({ user: { username: ' Ada@Example.com' }, role: 'ADMIN' })).toEqual({
      user: { username: 'ada@example.com' },
      role: 'admin',
    });
  });

  it('refuses a body that names no user', () => {
    for (const body of [{}, { user: {} }, { user: { id: '', username: null } }, [], 'ada'])
      expect(AddTeamMemberBody.safeParse(body).success).toBe(false);
  });
});

describe('TeamPartQuery', () => {
  it('names a team by id by default', () => {
    expect(TeamPartQuery.parse({})).toEqual({ identifierType: 'id' });
    expect(TeamPartQuery.parse({ teamIdentifierType: 'Name', identifierType: 'tiny' })).toEqual({
      identifierType: 'name',
    });
    expect(TeamPartQuery.safeParse({ teamIdentifierType: 'tiny' }).success).toBe(false);
  });
});

describe('TeamLogQuery', () => {
  it('is 20 lines, the latest first, by default', () => {
    const defaults = { identifierType: 'id', limit: 20, order: 'desc' };
    expect(TeamLogQuery.parse({})).toEqual(defaults);
    expect(TeamLogQuery.parse({ identifierType: '', limit: '', order: '', offset: '' })).toEqual(defaults);
  });

  it('takes limits from 1 to 100', () => {
    for (const limit of ['1', '100']) expect(TeamLogQuery.parse({ limit }).limit).toBe(Number(limit));
    for (const limit of ['0', '101', '1.5', 'x']) expect(TeamLogQuery.safeParse({ limit }).success).toBe(false);
  });
});
