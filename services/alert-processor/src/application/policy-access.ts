import { NotFoundError } from '@tocsin/errors';
import { teamAccess, teamKeyRefused } from '@tocsin/key-auth';
import type { Configuration } from '../domain/configuration.ts';
import type { Policy } from '../domain/policies/policy.ts';

/** The team of the caller's key, if it has one. */
export interface PolicyCaller {
  readonly teamId: string | undefined;
}

/** How a request names a policy. */
export interface PolicyReference {
  readonly id: string;
  /** Whether the requested version of the API shows such a policy; others do not exist for it. */
  readonly isShown: (policy: Policy) => boolean;
}

/**
 * The policy that `reference` names and `caller` may see (K4).
 *
 * @throws NotFoundError when there is none.
 * @throws ForbiddenError when the key is a team's, and the policy is the account's (K8), or another team's without
 * naming the key's team.
 */
export function visible({ policies }: Configuration, { id, isShown }: PolicyReference, caller: PolicyCaller): Policy {
  const policy = policies.find((one) => one.id === id);
  if (policy === undefined) throw unknownPolicy(id);
  if (!mayRead(policy, caller)) throw teamKeyRefused();
  if (!isShown(policy)) throw unknownPolicy(id);
  return policy;
}

/**
 * As `visible`, for a policy that the caller may change.
 *
 * @throws ForbiddenError when the key is a team's and the policy is not.
 */
export function writable(present: Configuration, reference: PolicyReference, caller: PolicyCaller): Policy {
  const policy = visible(present, reference, caller);
  if (accessTo(policy, caller) !== 'write') throw teamKeyRefused();
  return policy;
}

/** Whether `caller` may read the policy (K4, K8). */
export const mayRead = (policy: Policy, caller: PolicyCaller): boolean => accessTo(policy, caller) !== 'none';

/** @throws ForbiddenError when a team's key lists or creates policies of a scope other than its team. */
export function refuseOtherScope(teamId: string | undefined, caller: PolicyCaller): void {
  if (caller.teamId !== undefined && caller.teamId !== teamId) throw teamKeyRefused();
}

function accessTo({ teamId: ownerTeamId, effects }: Policy, { teamId }: PolicyCaller): ReturnType<typeof teamAccess> {
  if (teamId !== undefined && ownerTeamId === undefined) return 'none';
  const recipients = effects.kind === 'alert' ? effects.modify.recipients : [];
  const namedTeamIds = recipients.flatMap((one) => (one.type === 'team' ? [one.id] : []));
  return teamAccess({ ownerTeamId, namedTeamIds }, teamId);
}

const unknownPolicy = (id: string) => new NotFoundError(`Policy does not exist with id: ${id}`);
