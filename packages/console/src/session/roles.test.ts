import { describe, expect, test } from '@jest/globals';
import {
  accountChangesRefused,
  alertChangesRefused,
  overrideChangesRefused,
  ownChangesRefused,
  teamChangesRefused,
} from './roles.ts';

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

describe('who may change how they are reached', () => {
  test('All but those whose role only reads, of which the reason says who can change it.', () => {
    for (const id of ['owner', 'admin', 'user']) expect(ownChangesRefused({ id, name: id }, undefined)).toBeUndefined();
    for (const extended of ['user', undefined]) expect(ownChangesRefused(custom, extended)).toBeUndefined();
    expect(ownChangesRefused(custom, 'observer')).toBe(
      'Your role "Watcher" can only read. Ask an owner or an admin of the account to change it.',
    );
  });
});

describe('who may change the overrides of a schedule', () => {
  const ofSre = { ownerTeam: { id: 'sre', name: 'SRE' } };
  const refused = (id: string, schedule: object, ...teams: readonly string[]) =>
    overrideChangesRefused(schedule, {
      role: id === 'user' || id === 'admin' || id === 'owner' ? { id, name: id } : custom,
      extendedRole: id,
      teams: teams.map((team) => ({ id: team })),
    });

  test('Admins of the account may change those of all schedules.', () => {
    for (const role of ['owner', 'admin']) {
      expect([refused(role, ofSre), refused(role, {})]).toEqual([undefined, undefined]);
    }
  });

  test('A user may change those of their teams, and the reason names the team.', () => {
    expect(refused('user', ofSre, 'web', 'sre')).toBeUndefined();
    expect(refused('user', ofSre, 'web')).toBe(
      'Only a member of team SRE, or an admin of the account, can change its overrides.',
    );
    expect(refused('user', {}, 'web')).toBe(
      'Only an owner or admin of the account can change the overrides of a schedule without a team.',
    );
  });

  test('Who only reads may not, also in their own team.', () => {
    expect(refused('observer', ofSre, 'sre')).toBe('Your role "Watcher" can only read schedules.');
  });

  test('While the page does not know what a role extends, the server decides alone.', () => {
    const unknown = { role: custom, extendedRole: undefined, teams: [] };
    expect(overrideChangesRefused(ofSre, unknown)).toBeUndefined();
  });
});

describe('who may change what belongs to the account', () => {
  test('Owners and admins may, and the reason names the role of others.', () => {
    for (const id of ['owner', 'admin']) expect(accountChangesRefused({ id, name: id })).toBeUndefined();
    expect(accountChangesRefused(custom)).toBe(
      'Your role "Watcher" cannot change this. Ask an owner or an admin of the account.',
    );
  });
});

describe('who may change a team', () => {
  const sre = { id: 'sre', name: 'SRE' };
  const as = (id: string, memberOf: string, role: string, extendedRole?: string) => ({
    role: { id, name: id },
    teams: [{ id: memberOf, role }],
    extendedRole,
  });
  const REFUSED = 'Only an admin of team SRE, or of the account, can change this.';

  test('Admins of the account may change all teams, and what belongs to none.', () => {
    for (const id of ['owner', 'admin']) {
      expect(teamChangesRefused(sre, as(id, 'web', 'user'))).toBeUndefined();
      expect(teamChangesRefused(undefined, as(id, 'web', 'user'))).toBeUndefined();
    }
  });

  test('A user may change the teams that they are admin of, and the reason names the team.', () => {
    expect(teamChangesRefused(sre, as('user', 'sre', 'admin'))).toBeUndefined();
    expect(teamChangesRefused(sre, as('user', 'sre', 'user'))).toBe(REFUSED);
    expect(teamChangesRefused(sre, as('user', 'web', 'admin'))).toBe(REFUSED);
    expect(teamChangesRefused(undefined, as('user', 'web', 'admin'))).toMatch(/^Only an owner or admin of the account/);
  });

  test('An admin of a team whose role only reads may not; while the page does not know, the server decides alone.', () => {
    expect(teamChangesRefused(sre, as(custom.id, 'sre', 'admin', 'observer'))).toBe(REFUSED);
    expect(teamChangesRefused(sre, as(custom.id, 'sre', 'admin'))).toBeUndefined();
  });
});
