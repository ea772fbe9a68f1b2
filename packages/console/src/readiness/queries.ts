import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { call } from '../api/call.ts';
import type { Kind, Readiness } from './readiness.ts';

/** The server computes findings again after 30 s. */
const EVERY_MS = 30_000;

export interface Filter {
  /** The id of a team; empty: all. */
  readonly teamId: string;
  /** Empty: all. */
  readonly kind: Kind | '';
}

/** The first hundred findings, read again each 30 s while the page is visible. */
export const readinessQuery = ({ kind, teamId }: Filter) =>
  queryOptions({
    queryKey: ['readiness', teamId, kind],
    queryFn: ({ signal }) =>
      call<Readiness>({
        path: '/v2/readiness',
        query: { team: teamId === '' ? undefined : teamId, kind: kind === '' ? undefined : kind },
        signal,
      }),
    meta: { follows: { kinds: ['schedules', 'escalations', 'teams', 'users'] } },
    refetchInterval: EVERY_MS,
    placeholderData: keepPreviousData,
  });
