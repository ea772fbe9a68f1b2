import { type Operation, type People, peopleOf } from '@tocsin/api';
import { ForbiddenError } from '@tocsin/core';
import { isAdmin, requireSelf, teamKeyRefused } from './access.ts';
import type { KeyPrincipal, Principal, UserPrincipal } from './principal.ts';

/**
 * Checks that the integration of the key has the right for the operation (K3) and that a key of a team does not call an operation on the
 * whole account (K8), or that the role of the person suffices (K11). Checks that depend on the entity (K4, K12) are left to its owner.
 *
 * @throws ForbiddenError with a message that clients know, or that says which role a person needs.
 */
export function authorize(principal: Principal, operation: Operation): void {
  if (principal.kind === 'key') authorizeKey(principal, operation);
  else authorizeUser(principal, peopleOf(operation));
}

/** As {@link authorize}; checks besides that a user changes themselves, where `params` of the path name one (K12). */
export function authorizeCall(
  principal: Principal,
  operation: Operation,
  params: Readonly<Record<string, string>>,
): void {
  authorize(principal, operation);
  if (peopleOf(operation) === 'self') requireSelf(params['userIdentifier'] ?? params['identifier'] ?? '', principal);
}

function authorizeKey(key: KeyPrincipal, operation: Operation): void {
  if (operation.teamKeys === 'refused' && key.teamId !== undefined) throw teamKeyRefused();
  if (!HAS_RIGHT[operation.right](key)) {
    throw new ForbiddenError('To perform this action, use an API key from an API integration.');
  }
}

const HAS_RIGHT: Readonly<Record<Operation['right'], (key: KeyPrincipal) => boolean>> = {
  read: ({ mayRead }) => mayRead,
  send: ({ mayRead, mayWrite }) => mayWrite || !mayRead,
  write: ({ mayWrite }) => mayWrite,
  'read-configuration': ({ mayConfigure, mayRead }) => mayConfigure && mayRead,
  'write-configuration': ({ mayConfigure, mayWrite }) => mayConfigure && mayWrite,
  link: () => true,
  callback: () => true,
  'sign-in': () => true,
  session: () => false,
};

function authorizeUser(user: UserPrincipal, people: People): void {
  if (people === 'none') throw new ForbiddenError('Only an API key can do this, not a user.');
  if (people === 'every-role' || isAdmin(user)) return;
  if (user.role !== 'user') {
    throw new ForbiddenError(`The role ${user.role} can only read. An admin of the account can give you another role.`);
  }
  if (people === 'admin') throw new ForbiddenError('Only an owner or admin of the account can do this.');
}
