import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import { placeAfterMove } from '../api/moves.ts';
import type { Policy, PolicyKind } from './policy-form.ts';

export type ListedPolicy = Answer<'list-alert-policies-v2'>['data'][number];

const POLICIES = ['policies'];

/** All reads of policies, which a write makes old. */
export const allPolicies = { queryKey: POLICIES };

const queryOf = (teamId: string | undefined) => (teamId === undefined ? {} : { teamId });

/** The policies of a kind, in their order: of the account, or of a team. */
export const policiesQuery = (kind: PolicyKind, teamId: string | undefined) =>
  queryOptions({
    queryKey: [...POLICIES, 'list', kind, teamId ?? ''],
    queryFn: ({ signal }) => readList(kind, teamId, signal),
  });

const readList = async (
  kind: PolicyKind,
  teamId: string | undefined,
  signal?: AbortSignal,
): Promise<readonly ListedPolicy[]> =>
  (
    await call<Answer<'list-alert-policies-v2'>>({
      path: `/v2/policies/${kind}`,
      query: queryOf(teamId),
      ...(signal && { signal }),
    })
  ).data;

const pathOf = (id: string): string => `/v2/policies/${encodeURIComponent(id)}`;

export const readPolicy = async (id: string, signal?: AbortSignal): Promise<Policy> =>
  (await call<Answer<'get-policy-v2'>>({ path: pathOf(id), ...(signal && { signal }) })).data;

export const policyQuery = (id: string) =>
  queryOptions({ queryKey: [...POLICIES, 'one', id], queryFn: ({ signal }) => readPolicy(id, signal) });

export const replacePolicy = (id: string, body: object): Promise<unknown> =>
  call({ method: 'PUT', path: pathOf(id), body });

export const createPolicy = async (teamId: string | undefined, body: object): Promise<string> =>
  (
    await call<Answer<'create-policy-v2'>>({
      method: 'POST',
      path: '/v2/policies',
      query: queryOf(teamId),
      body,
      isDoneEachTime: true,
    })
  ).data.id;

/** What is done with a policy without a form. */
export type PolicyAction =
  | { readonly kind: 'enable' | 'disable' | 'delete'; readonly policy: ListedPolicy }
  | {
      readonly kind: 'move';
      readonly policy: ListedPolicy;
      readonly by: -1 | 1;
      /** The list as its person saw it. */
      readonly seen: readonly ListedPolicy[];
    };

/** Does it with a policy of the account or of a team. A move is refused where the order has changed since it was seen. */
export async function act(action: PolicyAction, teamId: string | undefined): Promise<unknown> {
  const path = pathOf(action.policy.id);
  if (action.kind === 'delete') return call({ method: 'DELETE', path });
  if (action.kind === 'move') {
    const { by, policy, seen } = action;
    const targetIndex = placeAfterMove({ id: policy.id, by, seen }, await readList(policy.type, teamId));
    return call({ method: 'POST', path: `${path}/change-order`, body: { targetIndex } });
  }
  return call({ method: 'POST', path: `${path}/${action.kind}` });
}

/** All teams, by name. */
export const teamNamesQuery = queryOptions({
  queryKey: ['teams', 'names and ids'],
  queryFn: async ({ signal }) => {
    const { data } = await call<Answer<'list-teams'>>({ path: '/v2/teams', signal });
    return data.map(({ id, name }) => ({ id, name })).toSorted((one, other) => one.name.localeCompare(other.name));
  },
});
