import type { Operation } from '@tocsin/api';
import { ForbiddenError } from '@tocsin/errors';
import type { KeyPrincipal, Principal } from './principal.ts';
import { teamKeyRefused } from './team-access.ts';

/**
 * Checks that the integration of the key has the right for the operation (K3), and that a key of a team does not call an
 * operation on the whole account (K8). Checks that depend on the entity (K4) are left to its owner.
 *
 * @throws ForbiddenError with a message that clients know.
 */
export function authorize(principal: Principal, operation: Operation): void {
  if (principal.kind === 'user') throw new ForbiddenError('Operations are open to keys only.');
  if (operation.teamKeys === 'refused' && principal.teamId !== undefined) {
    throw teamKeyRefused();
  }
  if (!hasRight(principal, operation.right)) {
    throw new ForbiddenError('To perform this action, use an API key from an API integration.');
  }
}

function hasRight({ mayWrite, mayConfigure }: KeyPrincipal, right: Operation['right']): boolean {
  switch (right) {
    case 'read':
    case 'link':
    case 'callback':
      return true;
    case 'write':
      return mayWrite;
    case 'read-configuration':
      return mayConfigure;
    case 'write-configuration':
      return mayConfigure && mayWrite;
  }
}
