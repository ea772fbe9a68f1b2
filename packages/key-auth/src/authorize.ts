import type { Operation } from '@tocsin/contracts';
import { ForbiddenError } from '@tocsin/errors';
import type { Principal } from './principal.ts';
import { teamKeyRefused } from './team-access.ts';

/**
 * Lets an operation pass only to a key whose integration has the right for it (K3), and what concerns the whole account
 * not to a key of a team (K8). What depends on the thing that is asked for (K4) is decided by its owner.
 *
 * @throws ForbiddenError in words that clients know.
 */
export function authorize(principal: Principal, operation: Operation): void {
  if (operation.teamKeys === 'refused' && principal.teamId !== undefined) {
    throw teamKeyRefused();
  }
  if (!hasRight(principal, operation.right)) {
    throw new ForbiddenError('To perform this action, use an API key from an API integration.');
  }
}

function hasRight({ mayWrite, mayConfigure }: Principal, right: Operation['right']): boolean {
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
