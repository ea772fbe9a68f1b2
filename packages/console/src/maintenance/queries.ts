import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import { liveOptions } from '../live/live-queries.ts';

/** A window as a list has it, without its rules. */
export type Window = Answer<'list-maintenances'>['data'][number];
/** A window with its rules. */
export type WholeWindow = Answer<'get-maintenance'>['data'];
export type Rule = WholeWindow['rules'][number];

/** What a window can turn off or on. */
export interface Entity {
  readonly type: 'integration' | 'policy';
  readonly id: string;
  readonly name: string;
  /** The team that owns it; undefined where the account does. */
  readonly teamId: string | undefined;
}

const PATH = '/v1/maintenance';
export const windowPath = (id: string): string => `${PATH}/${encodeURIComponent(id)}`;

/** Of all reads of windows. */
export const WINDOWS = ['maintenance'] as const;

const readWindows = async (type: 'non-expired' | 'past', signal: AbortSignal) =>
  (await call<Answer<'list-maintenances'>>({ path: PATH, query: { type }, signal })).data;

/** The windows that are on or planned. */
export const windowsQuery = queryOptions({
  queryKey: [...WINDOWS, 'non-expired'],
  queryFn: ({ signal }) => readWindows('non-expired', signal),
  ...liveOptions({ kinds: [] }),
});

/** How often a page that says of windows only that they are on reads that again. */
const MARK_EVERY_MS = 60_000;

/** How many windows are on. */
export const windowsOnQuery = queryOptions({
  queryKey: [...WINDOWS, 'on'],
  queryFn: async ({ signal }) =>
    (await readWindows('non-expired', signal)).filter(({ status }) => status === 'active').length,
  staleTime: MARK_EVERY_MS,
  refetchInterval: MARK_EVERY_MS,
  retry: false,
});

/** The windows that are over, with the cancelled ones. */
export const pastWindowsQuery = queryOptions({
  queryKey: [...WINDOWS, 'past'],
  queryFn: ({ signal }) => readWindows('past', signal),
});

/** For how long rules and names are not read again. */
const FRESH_MS = 60_000;

export const windowQuery = (id: string) =>
  queryOptions({
    queryKey: [...WINDOWS, 'one', id],
    queryFn: async ({ signal }) => (await call<Answer<'get-maintenance'>>({ path: windowPath(id), signal })).data,
    staleTime: FRESH_MS,
  });

/** The integrations, and the policies of the account and of some teams. */
export const entitiesQuery = (teamIds: readonly string[]) =>
  queryOptions({
    queryKey: ['maintenance-entities', ...teamIds],
    queryFn: async ({ signal }): Promise<readonly Entity[]> => {
      const scopes = [undefined, ...teamIds].flatMap((teamId) =>
        (['alert', 'notification'] as const).map((type) => ({ teamId, type })),
      );
      const [integrations, ...policies] = await Promise.all([
        call<Answer<'list-integrations'>>({ path: '/v2/integrations', signal }),
        ...scopes.map(({ teamId, type }) =>
          call<Answer<'list-alert-policies-v2'>>({ path: `/v2/policies/${type}`, query: { teamId }, signal }),
        ),
      ]);
      return [
        ...integrations.data.map(({ id, name, teamId }) => ({ type: 'integration' as const, id, name, teamId })),
        ...policies.flatMap(({ data }, place) =>
          data.map(({ id, name }) => ({ type: 'policy' as const, id, name, teamId: scopes[place]?.teamId })),
        ),
      ];
    },
    staleTime: FRESH_MS,
  });
