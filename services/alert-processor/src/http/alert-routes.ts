import { AlertIdentifierQuery, CountAlertsQuery, ListAlertsQuery } from '@tocsin/contracts';
import { type Admission, defineRoute, pageUrls, type Route } from '@tocsin/http';
import type { ReadAlerts } from '../application/read-alerts.ts';
import { alertItem, alertJson, recipientJson } from './alert-json.ts';

/** Part 1, 4.1: one alert, its recipients, the list of alerts and their count. */
export function alertRoutes(alerts: ReadAlerts, searches: Admission): readonly Route[] {
  return [
    defineRoute({
      operation: 'get-alert',
      query: AlertIdentifierQuery,
      handle: async ({ params, query, principal }) => {
        const identifier = { type: query.identifierType, value: params['identifier'] ?? '' };
        return { body: { data: alertJson(await alerts.get(identifier, principal)) } };
      },
    }),
    defineRoute({
      operation: 'list-alert-recipients',
      query: AlertIdentifierQuery,
      handle: async ({ params, query, principal }) => {
        const identifier = { type: query.identifierType, value: params['identifier'] ?? '' };
        const recipients = await alerts.recipients(identifier, principal);
        return { body: { data: recipients.values().map(recipientJson) } };
      },
    }),
    defineRoute({
      operation: 'list-alerts',
      pool: searches,
      query: ListAlertsQuery,
      handle: async ({ query, principal, publicUrl }) => {
        const page = await alerts.list(query, principal.teamId);
        const { offset, limit, ...asked } = query;
        const paging = pageUrls({
          publicUrl,
          path: '/v2/alerts',
          query: asked.searchIdentifier === undefined ? { ...asked, searchIdentifierType: undefined } : asked,
          offset,
          limit,
          total: page.total,
        });
        return { body: { data: page.alerts.values().map(alertItem), paging } };
      },
    }),
    defineRoute({
      operation: 'count-alerts',
      pool: searches,
      query: CountAlertsQuery,
      handle: async ({ query, principal }) => ({
        body: { data: { count: await alerts.count(query, principal.teamId) } },
      }),
    }),
  ];
}
