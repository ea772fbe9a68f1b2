import { AlertHistoryQuery } from '@tocsin/api';
import { formatInstant } from '@tocsin/events';
import { defineRoute, type Route, type RouteInput } from '@tocsin/http';
import type { HistoryPage, ReadAlerts } from '../alerts/operations.ts';
import { formatPosition, type LogEntry, type Note, type Position } from './entry.ts';

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

function reply<Item>(
  input: HistoryInput,
  kind: 'notes' | 'logs',
  { next }: HistoryPage<unknown>,
  data: Iterable<Item>,
) {
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

function logJson({ log, type, owner, createdAt, position }: LogEntry) {
  return { log, type, owner, createdAt: formatInstant(createdAt), offset: formatPosition(position) };
}

function noteJson({ note, owner, createdAt, position }: Note) {
  return { note, owner, createdAt: formatInstant(createdAt), offset: formatPosition(position) };
}
