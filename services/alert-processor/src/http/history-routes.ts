import { AlertHistoryQuery } from '@tocsin/contracts';
import { defineRoute, type Reply, type Route, type RouteInput } from '@tocsin/http';
import type { HistoryPage, ReadAlerts } from '../application/read-alerts.ts';
import { formatPosition, type Position } from '../domain/position.ts';
import { logJson, noteJson } from './alert-json.ts';

type HistoryInput = RouteInput<AlertHistoryQuery, unknown>;

/** Notes and logs of one alert, paged by an exclusive cursor (A12). */
export function historyRoutes(alerts: ReadAlerts): readonly Route[] {
  return [
    defineRoute({
      operation: 'list-notes',
      query: AlertHistoryQuery,
      handle: async (input: HistoryInput) => {
        const page = await alerts.notes(identifierOf(input), input.query, input.principal);
        return reply(input, 'notes', page, page.entries.values().map(noteJson));
      },
    }),
    defineRoute({
      operation: 'list-alert-logs',
      query: AlertHistoryQuery,
      handle: async (input: HistoryInput) => {
        const page = await alerts.logs(identifierOf(input), input.query, input.principal);
        return reply(input, 'logs', page, page.entries.values().map(logJson));
      },
    }),
  ];
}

const identifierOf = ({ params }: HistoryInput): string => params['identifier'] ?? '';

function reply(
  input: HistoryInput,
  kind: 'notes' | 'logs',
  { next }: HistoryPage<unknown>,
  data: Iterable<unknown>,
): Reply {
  const first = pageUrl(input, kind, undefined);
  const paging = next === undefined ? { first } : { first, next: pageUrl(input, kind, next) };
  return { body: { data, paging } };
}

function pageUrl({ publicUrl, query, params }: HistoryInput, kind: string, after: Position | undefined): string {
  const { identifierType, order, limit } = query;
  const identifier = encodeURIComponent(params['identifier'] ?? '');
  const search = new URLSearchParams({ identifierType, order, limit: String(limit), direction: 'next' });
  if (after !== undefined) search.set('offset', formatPosition(after));
  return `${publicUrl}/v2/alerts/${identifier}/${kind}?${search.toString()}`;
}
