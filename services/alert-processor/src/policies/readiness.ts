import type { ServiceFinding } from '@tocsin/api';
import { neverHolds } from '@tocsin/rules';
import type { Policy } from './policy.ts';

/** What a policy makes go wrong (S17); undefined: nothing that is certain. */
export function policyFinding(policy: Policy): ServiceFinding | undefined {
  const { enabled, filter, id, name, teamId } = policy;
  if (!enabled) return undefined;
  const about = {
    teamIds: teamId === undefined ? [] : [teamId],
    entity: { type: 'policy', id, name },
    path: `/v2/policies/${id}${teamId === undefined ? '' : `?teamId=${teamId}`}`,
  } as const;
  if (suppressesAll(policy)) {
    return {
      ...about,
      kind: 'policy-suppresses-all',
      severity: 'error',
      message: `Policy [${name}] matches every alert at all times and suppresses its notifications: an alert that no notification policy before it takes pages no user.`,
      remedy: 'Give the policy conditions or a time restriction, or disable it.',
    };
  }
  if (!neverHolds(filter.set)) return undefined;
  return {
    ...about,
    kind: 'policy-never-matches',
    severity: 'warning',
    message: `Policy [${name}] takes effect on no alert: its conditions contradict each other.`,
    remedy: 'Change the conditions of the policy, or delete it.',
  };
}

const suppressesAll = ({ effects, filter, timeRestriction }: Policy): boolean =>
  effects.kind === 'notification' &&
  effects.suppress &&
  filter.set.type === 'match-all' &&
  timeRestriction === undefined;
