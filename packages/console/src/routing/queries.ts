import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import { placeAfterMove } from '../api/moves.ts';
import type { RoutingRule } from './routing-form.ts';

export const pathOf = (teamId: string): string => `/v2/teams/${encodeURIComponent(teamId)}/routing-rules`;

/** A team with its routing rules, in their order. */
export const routingQuery = (teamId: string) =>
  queryOptions({
    queryKey: ['routing', teamId],
    queryFn: async ({ signal }) => {
      const [team, rules] = await Promise.all([
        call<Answer<'get-team'>>({ path: `/v2/teams/${encodeURIComponent(teamId)}`, signal }),
        readRules(teamId, signal),
      ]);
      return { team: { id: team.data.id, name: team.data.name }, rules };
    },
  });

const readRules = async (teamId: string, signal?: AbortSignal): Promise<readonly RoutingRule[]> =>
  (await call<Answer<'list-routing-rules'>>({ path: pathOf(teamId), ...(signal && { signal }) })).data;

export const readRule = async (teamId: string, id: string): Promise<RoutingRule> =>
  (await call<Answer<'get-routing-rule'>>({ path: `${pathOf(teamId)}/${encodeURIComponent(id)}` })).data;

/** What is done with a rule without a form. */
export type RuleAction =
  | { readonly kind: 'delete'; readonly rule: RoutingRule }
  | {
      readonly kind: 'move';
      readonly rule: RoutingRule;
      readonly by: -1 | 1;
      /** The rules as their person saw them. */
      readonly seen: readonly RoutingRule[];
    };

/** Does it with a rule of a team. A move is refused where the order has changed since it was seen. */
export async function act(teamId: string, action: RuleAction): Promise<unknown> {
  const { id } = action.rule;
  const path = `${pathOf(teamId)}/${encodeURIComponent(id)}`;
  if (action.kind === 'delete') return call({ method: 'DELETE', path });
  const { by, seen } = action;
  const order = placeAfterMove({ id, by, seen }, await readRules(teamId));
  return call({ method: 'POST', path: `${path}/change-order`, body: { order } });
}
