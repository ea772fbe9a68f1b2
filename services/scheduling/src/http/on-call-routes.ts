import type { Clock } from '@tocsin/clock';
import { GetOnCallsQuery, ListOnCallsQuery } from '@tocsin/contracts';
import { defineRoute, type Route } from '@tocsin/http';
import type { OnCallResolver } from '../application/on-call-resolver.ts';
import { callerOf, identifierOf } from './input.ts';
import { onCallView } from './views.ts';

/** Part 2, 4.6. */
export function onCallRoutes(onCalls: OnCallResolver, clock: Clock): readonly Route[] {
  return [
    defineRoute({
      operation: 'get-on-calls',
      query: GetOnCallsQuery,
      handle: async ({ params, query, principal }) => {
        const identifier = identifierOf(params['scheduleIdentifier'], query.identifierType);
        const found = await onCalls.ofSchedule(identifier, query.at ?? clock.now(), callerOf(principal));
        return { body: { data: onCallView(found, query.flat) } };
      },
    }),
    defineRoute({
      operation: 'list-on-calls',
      query: ListOnCallsQuery,
      handle: async ({ query, principal }) => {
        const found = await onCalls.ofAll(query.at ?? clock.now(), callerOf(principal));
        return { body: { data: found.map((each) => onCallView(each, query.flat)) } };
      },
    }),
  ];
}
