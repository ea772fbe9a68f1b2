import { describe, expect, it } from '@jest/globals';
import { CreateTeamBody, TeamQuery } from './teams.ts';

describe('CreateTeamBody', () => {
  it('needs no more than a name', () => {
    expect(CreateTeamBody.parse({ name: 'Ops', description: null, members: null })).toEqual({ name: 'Ops' });
  });

  it('drops members that name nobody, and no others', () => {
    const members = [{ user: {} }, { user: { id: '', username: null } }, { user: null }, { user: { id: 'ada' } }];
    expect(CreateTeamBody.parse({ name: 'Ops', members }).members).toEqual([{ user: { id: 'ada' } }]);
    expect(CreateTeamBody.safeParse({ name: 'Ops', members: [{}] }).success).toBe(false);
    expect(CreateTeamBody.safeParse({ name: 'Ops', members: [{ user: { id: 7 } }] }).success).toBe(false);
  });

  it('takes at most 1000 members', () => {
    const members = Array.from({ length: 1_001 }, (_, n) => ({ user: { id: `user-${n}` } }));
    expect(CreateTeamBody.safeParse({ name: 'Ops', members }).success).toBe(false);
    expect(CreateTeamBody.safeParse({ name: 'Ops', members: members.slice(1) }).success).toBe(true);
  });
});

describe('TeamQuery', () => {
  it('names a team by id unless told', () => {
    expect(TeamQuery.parse({})).toEqual({ identifierType: 'id' });
    expect(TeamQuery.parse({ identifierType: '' })).toEqual({ identifierType: 'id' });
    expect(TeamQuery.parse({ identifierType: 'NAME' })).toEqual({ identifierType: 'name' });
  });
});
