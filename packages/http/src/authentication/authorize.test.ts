import { describe, expect, it } from '@jest/globals';
import type { AppError } from '@tocsin/core';
import { operation, type OperationId, OPERATIONS, type Operation, type People, peopleOf } from '@tocsin/api';
import { authorize, authorizeCall, type PersonRole, type Principal } from './index.ts';
import { ada, full } from '../testing/principal-samples.ts';

const ofTeam = { ...full, teamId: 'b8f1d1b0-1d5c-4f0e-8a8a-6a3e7f0d9c11' };

const message = (principal: Principal, operation: Operation): string | undefined => {
  try {
    authorize(principal, operation);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};
const NO_RIGHT = 'To perform this action, use an API key from an API integration.';
const NO_TEAM = 'Team API Keys are not authorized to perform this action.';

describe.each(OPERATIONS.map((entry) => [entry.id, entry] as const))('authorize %s', (_, operation) => {
  const writes = operation.right.startsWith('write') || operation.right === 'send';
  const reads = operation.right.startsWith('read');
  const configures = operation.right.endsWith('configuration');

  if (operation.right === 'session') {
    it('lets no key pass, because it is about the signed-in person (K21)', () => {
      expect([message(full, operation), message(ofTeam, operation)]).toEqual([NO_RIGHT, NO_RIGHT]);
    });
    return;
  }

  it('lets an account key with both rights pass', () => {
    expect(message(full, operation)).toBeUndefined();
  });

  it('asks for configuration access where configuration is read or written (K3)', () => {
    expect(message({ ...full, mayConfigure: false }, operation)).toBe(configures ? NO_RIGHT : undefined);
  });

  it('asks for write access where something is changed (K3)', () => {
    expect(message({ ...full, mayWrite: false }, operation)).toBe(writes ? NO_RIGHT : undefined);
  });

  it('asks for read access where something is read (K3)', () => {
    expect(message({ ...full, mayRead: false }, operation)).toBe(reads ? NO_RIGHT : undefined);
  });

  it('lets a key that neither reads nor writes send requests of tools, and do nothing else (K3)', () => {
    const needsKey = !['link', 'callback', 'sign-in', 'send'].includes(operation.right);
    expect(message({ ...full, mayRead: false, mayWrite: false }, operation)).toBe(needsKey ? NO_RIGHT : undefined);
  });

  it('keeps team keys from what concerns the account, whatever their rights (K8)', () => {
    const powerless = { ...ofTeam, mayWrite: false, mayConfigure: false };
    const refused = operation.teamKeys === 'refused';
    expect([message(ofTeam, operation), message(powerless, operation)]).toEqual(
      refused
        ? [NO_TEAM, NO_TEAM]
        : [undefined, ['read', 'link', 'callback', 'sign-in'].includes(operation.right) ? undefined : NO_RIGHT],
    );
  });
});

describe('authorize a person (K11)', () => {
  const answered = (role: PersonRole, people: People) => {
    const [first] = OPERATIONS;
    if (first === undefined) throw new RangeError('There are operations.');
    return message(ada(role), { ...first, people });
  };
  const READS = 'can only read. An admin of the account can give you another role.';

  it.each(['owner', 'admin'] as const)('lets an %s do everything that people may', (role) => {
    for (const people of ['admin', 'team-admin', 'team-member', 'self', 'own', 'user', 'every-role'] as const)
      expect(answered(role, people)).toBeUndefined();
  });

  it('lets a user do everything but what only admins may; the entity is checked by its owner', () => {
    for (const people of ['team-admin', 'team-member', 'self', 'own', 'user', 'every-role'] as const)
      expect(answered('user', people)).toBeUndefined();
    expect(answered('user', 'admin')).toBe('Only an owner or admin of the account can do this.');
  });

  it.each(['observer', 'stakeholder'] as const)('lets an %s read, and says who can change that', (role) => {
    expect(answered(role, 'every-role')).toBeUndefined();
    for (const people of ['admin', 'team-admin', 'team-member', 'self', 'own', 'user'] as const)
      expect(answered(role, people)).toBe(`The role ${role} ${READS}`);
  });

  it('refuses what is for keys alone to every role', () => {
    for (const role of ['owner', 'user', 'observer'] as const)
      expect(answered(role, 'none')).toBe('Only an API key can do this, not a user.');
  });
});

describe('authorizeCall (K12)', () => {
  const called = (id: OperationId, params: Readonly<Record<string, string>>, role: PersonRole = 'user') => {
    try {
      authorizeCall(ada(role), operation(id), params);
      return 'passes';
    } catch (error) {
      return (error as AppError).code;
    }
  };

  it('lets a user change themselves, and no other user', () => {
    expect(called('create-contact', { userIdentifier: 'ada@example.com' })).toBe('passes');
    expect(called('update-user', { identifier: ada('user').userId })).toBe('passes');
    expect(called('create-contact', { userIdentifier: 'bob@example.com' })).toBe('forbidden');
    expect(called('update-user', { identifier: 'bob@example.com' })).toBe('forbidden');
    expect(called('update-user', {})).toBe('forbidden');
  });

  it('lets a user read every user, and an admin change every user', () => {
    expect(called('list-contacts', { userIdentifier: 'bob@example.com' })).toBe('passes');
    expect(called('create-contact', { userIdentifier: 'bob@example.com' }, 'admin')).toBe('passes');
  });

  it('has the user in the path of every operation of this rule', () => {
    const paths = OPERATIONS.filter((each) => peopleOf(each) === 'self').map(({ path }) => path);
    expect(paths.filter((path) => !/^\/v2\/users\/\{(userIdentifier|identifier)\}(\/|$)/.test(path))).toEqual([]);
  });
});
