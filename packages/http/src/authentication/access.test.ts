import { describe, expect, it } from '@jest/globals';
import { PERSON_ROLES, personRole, type Principal } from './principal.ts';
import {
  accessTo,
  actorName,
  boundTeam,
  isOfAccount,
  readsAccount,
  readsSecrets,
  requireOwnership,
  requireSelf,
  requireWrite,
} from './access.ts';
import { ada, full } from '../testing/principal-samples.ts';

const OF_RED = { ownerTeamId: 'red' };
const OF_BLUE = { ownerTeamId: 'blue' };
const OF_GREEN = { ownerTeamId: 'green' };
const OF_ACCOUNT = { ownerTeamId: undefined };
const keyOf = (teamId: string | undefined) => ({ ...full, teamId });
const messageOf = (work: () => void): string | undefined => {
  try {
    work();
    return undefined;
  } catch (error) {
    expect(error).toMatchObject({ code: 'forbidden' });
    return (error as Error).message;
  }
};

describe('the access of a key to an entity (K4)', () => {
  it.each([
    { key: undefined, thing: OF_RED, may: 'write', why: 'a key of no team may do everything' },
    { key: undefined, thing: OF_ACCOUNT, may: 'write', why: 'a key of no team may do everything' },
    { key: 'red', thing: OF_RED, may: 'write', why: 'it is its own' },
    { key: 'red', thing: { ...OF_BLUE, namedTeamIds: ['green', 'red'] }, may: 'read', why: 'it names its team' },
    { key: 'red', thing: { ...OF_ACCOUNT, namedTeamIds: ['red'] }, may: 'read', why: 'it names its team' },
    { key: 'red', thing: { ...OF_RED, namedTeamIds: ['red'] }, may: 'write', why: 'it is its own' },
    { key: 'red', thing: { ...OF_BLUE, namedTeamIds: ['green'] }, may: 'none', why: 'it is another team’s' },
    { key: 'red', thing: OF_BLUE, may: 'none', why: 'it is another team’s' },
    { key: 'red', thing: OF_ACCOUNT, may: 'none', why: 'it is the account’s' },
  ])('of team $key to $thing is $may: $why', ({ key, thing, may }) => {
    expect(accessTo(thing, keyOf(key))).toBe(may);
    expect(accessTo(thing, keyOf(key), 'team-member')).toBe(may);
  });

  it('is refused with the code and the message that clients know', () => {
    expect(
      messageOf(() => {
        requireWrite({ ...OF_BLUE, action: 'change it' }, keyOf('red'));
      }),
    ).toBe('Team API Keys are not authorized to perform this action.');
    expect(
      messageOf(() => {
        requireWrite({ ...OF_RED, action: 'change it' }, keyOf('red'));
      }),
    ).toBeUndefined();
  });
});

describe('the access of a person to an entity (K12)', () => {
  it.each(PERSON_ROLES)('of the role %s is never none', (role) => {
    for (const entity of [OF_RED, OF_BLUE, OF_GREEN, OF_ACCOUNT]) expect(accessTo(entity, ada(role))).not.toBe('none');
  });

  it.each(['owner', 'admin'] as const)('of the role %s is write', (role) => {
    for (const entity of [OF_RED, OF_GREEN, OF_ACCOUNT]) expect(accessTo(entity, ada(role))).toBe('write');
  });

  it.each(['observer', 'stakeholder'] as const)('of the role %s is read, whatever their role in the team', (role) => {
    expect(accessTo(OF_RED, ada(role))).toBe('read');
    expect(accessTo(OF_RED, ada(role), 'team-member')).toBe('read');
  });

  it('of a user is write in the teams that they administer', () => {
    expect([OF_RED, OF_BLUE, OF_GREEN, OF_ACCOUNT].map((entity) => accessTo(entity, ada('user')))).toEqual([
      'write',
      'read',
      'read',
      'read',
    ]);
  });

  it('of a user is write in all their teams where members write', () => {
    const accesses = [OF_RED, OF_BLUE, OF_GREEN, OF_ACCOUNT].map((each) => accessTo(each, ada('user'), 'team-member'));
    expect(accesses).toEqual(['write', 'write', 'read', 'read']);
  });

  it('does not grow by the teams that an entity names', () => {
    expect(accessTo({ ...OF_GREEN, namedTeamIds: ['red'] }, ada('user'))).toBe('read');
  });

  it.each([
    [OF_BLUE, {}, 'Only an admin of the team that owns it, or an admin of the account, can change the schedule.'],
    [OF_BLUE, { teamName: 'SRE' }, 'Only an admin of team [SRE], or an admin of the account, can change the schedule.'],
    [
      OF_GREEN,
      { teamName: 'SRE', writers: 'team-member' as const },
      'Only a member of team [SRE], or an admin of the account, can change the schedule.',
    ],
    [OF_ACCOUNT, {}, 'Only an owner or admin of the account can change the schedule.'],
  ])('is refused with who may write: %j %j', (entity, more, message) => {
    expect(
      messageOf(() => {
        requireWrite({ ...entity, ...more, action: 'change the schedule' }, ada('user'));
      }),
    ).toBe(message);
  });
});

describe('requireOwnership (K12)', () => {
  const owned = (ownerTeamId: string | undefined, principal: Principal = ada('user')) =>
    messageOf(() => {
      requireOwnership({ ownerTeamId, teamName: 'SRE', kind: 'a schedule' }, principal);
    });

  it('lets a user make and move entities where they are an admin', () => {
    expect(owned('red')).toBeUndefined();
    expect(owned('blue')).toBe('Only an admin of team [SRE], or an admin of the account, can give it a schedule.');
    expect(owned(undefined)).toBe('Only an owner or admin of the account can leave a schedule without owner team.');
  });

  it('lets an admin and a key of the account do so everywhere', () => {
    for (const principal of [ada('admin'), full])
      expect([owned(undefined, principal), owned('green', principal)]).toEqual([undefined, undefined]);
  });
});

describe('requireSelf (K12)', () => {
  const { userId } = ada('user');

  it.each([userId, 'ada@example.com', 'Ada@Example.COM'])('lets a user change themselves as %s', (identifier) => {
    expect(
      messageOf(() => {
        requireSelf(identifier, ada('user'));
      }),
    ).toBeUndefined();
  });

  it.each(['bob@example.com', '', userId.toUpperCase(), 'ada'])('refuses a user who names %j', (identifier) => {
    expect(
      messageOf(() => {
        requireSelf(identifier, ada('user'));
      }),
    ).toBe('Only the user, or an admin of the account, can change what belongs to a user.');
  });

  it.each([full, ada('admin'), ada('owner')])('lets a key and an admin change every user', (principal) => {
    expect(
      messageOf(() => {
        requireSelf('bob@example.com', principal);
      }),
    ).toBeUndefined();
  });
});

describe('a principal', () => {
  it.each([
    [full, { team: undefined, actor: 'Default API', ofAccount: true, reads: true }],
    [keyOf('red'), { team: 'red', actor: 'Default API', ofAccount: false, reads: false }],
    [
      { ...full, mayConfigure: false },
      { team: undefined, actor: 'Default API', ofAccount: true, reads: false },
    ],
    [ada('admin'), { team: undefined, actor: 'ada@example.com', ofAccount: true, reads: true }],
    [ada('user'), { team: undefined, actor: 'ada@example.com', ofAccount: false, reads: true }],
    [ada('stakeholder'), { team: undefined, actor: 'ada@example.com', ofAccount: false, reads: true }],
  ])('%j is %j', (principal, { team, actor, ofAccount, reads }) => {
    expect(boundTeam(principal)).toBe(team);
    expect(actorName(principal)).toBe(actor);
    expect(isOfAccount(principal)).toBe(ofAccount);
    expect(readsAccount(principal)).toBe(reads);
  });

  it.each([
    [full, true],
    [{ ...full, mayWrite: false }, false],
    [ada('admin'), true],
    [ada('user'), false],
    [ada('observer'), false],
  ])('%j reads secrets of an entity of another team: %s (K10)', (principal, reads) => {
    expect(readsSecrets(OF_GREEN, principal)).toBe(reads);
  });

  it('of a team admin reads the secrets of the team, and none of teams in which they are members', () => {
    expect(readsSecrets(OF_RED, ada('user'))).toBe(true);
    expect(readsSecrets(OF_BLUE, ada('user'))).toBe(false);
  });
});

describe('the role by which a user acts (K11)', () => {
  it.each(PERSON_ROLES)('is that of the user: %s', (role) => {
    expect(personRole(role, undefined)).toBe(role);
  });

  it('is what a custom role extends, and the least where that is not known', () => {
    expect(personRole('Night watch', { extendedRole: 'user' })).toBe('user');
    expect(personRole('Night watch', undefined)).toBe('stakeholder');
    expect(personRole('owner', { extendedRole: 'observer' })).toBe('owner');
  });
});
