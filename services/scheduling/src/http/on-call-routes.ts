import { setImmediate } from 'node:timers/promises';
import type { Clock } from '@tocsin/clock';
import { GetOnCallsQuery, ListOnCallsQuery, TimelineQuery } from '@tocsin/contracts';
import { type Admission, defineRoute, type Route } from '@tocsin/http';
import type { OnCallResolver } from '../application/on-call-resolver.ts';
import { callerOf, identifierOf } from './input.ts';
import { nextOnCallView, onCallView } from './on-call-views.ts';
import { timelineView } from './timeline-view.ts';

/** Part 2, 4.6, and the timeline of 4.3. */
export function onCallRoutes(onCalls: OnCallResolver, clock: Clock, pool: Admission): readonly Route[] {
  return [
    defineRoute({
      operation: 'get-on-calls',
      query: GetOnCallsQuery,
      handle: async ({ params, query, principal }) => {
        const identifier = identifierOf(params['scheduleIdentifier'], query.identifierType);
        const found = await onCalls.ofSchedule(identifier, query.at ?? clock.now(), callerOf(principal));
        await setImmediate();
        return { body: { data: onCallView(found, query.flat) } };
      },
    }),
    defineRoute({
      operation: 'list-on-calls',
      pool,
      query: ListOnCallsQuery,
      handle: async ({ query, principal }) => {
        const found = await onCalls.ofAll(query.at ?? clock.now(), callerOf(principal));
        return { body: { data: found.values().map((each) => onCallView(each, query.flat)) } };
      },
    }),
    defineRoute({
      operation: 'get-next-on-calls',
      pool,
      query: GetOnCallsQuery,
      handle: async ({ params, query, principal }) => {
        const identifier = identifierOf(params['scheduleIdentifier'], query.identifierType);
        const found = await onCalls.next(identifier, query.at ?? clock.now(), callerOf(principal));
        await setImmediate();
        return { body: { data: nextOnCallView(found, query.flat) } };
      },
    }),
    defineRoute({
      operation: 'get-schedule-timeline',
      pool,
      query: TimelineQuery,
      handle: async ({ params, query, principal }) => {
        const identifier = identifierOf(params['identifier'], query.identifierType);
        const now = clock.now();
        const layers = 1 + query.expand.length;
        const range = { date: query.date ?? now, interval: query.interval, unit: query.unit, layers };
        const drawn = await onCalls.timeline(identifier, range, now, callerOf(principal));
        await setImmediate();
        const data = timelineView(drawn, query.expand);
        await setImmediate();
        return { body: { expandable: ['base', 'forwarding', 'override'], data } };
      },
    }),
  ];
}
