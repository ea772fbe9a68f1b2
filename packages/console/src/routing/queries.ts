import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import type { RoutingRule } from './routing-form.ts';

export const pathOf = (teamId: string): string => `/v2/teams/${encodeURIComponent(teamId)}/routing-rules`;

/** A team with its routing rules, in their order. */
export const routingQuery = (teamId: string) =>
  queryOptions({
    queryKey: ['routing', teamId],
    queryFn: async ({ signal }) => {
      const [team, rules] = await Promise.all([
        call<Answer<'get-team'>>({ path: `/v2/teams/${encodeURIComponent(teamId)}`, signal }),
        call<Answer<'list-routing-rules'>>({ path: pathOf(teamId), signal }),
      ]);
      return { team: { id: team.data.id, name: team.data.name }, rules: rules.data };
    },
  });

export const readRule = async (teamId: string, id: string): Promise<RoutingRule> =>
  (await call<Answer<'get-routing-rule'>>({ path: `${pathOf(teamId)}/${encodeURIComponent(id)}` })).data;

/** What is done with a rule without a form. */
export type RuleAction =
  | { readonly kind: 'delete'; readonly rule: RoutingRule }
  | { readonly kind: 'move'; readonly rule: RoutingRule; readonly order: number };

export function act(teamId: string, action: RuleAction): Promise<unknown> {
  const path = `${pathOf(teamId)}/${encodeURIComponent(action.rule.id)}`;
  return action.kind === 'delete'
    ? call({ method: 'DELETE', path })
    : call({ method: 'POST', path: `${path}/change-order`, body: { order: action.order } });
}
