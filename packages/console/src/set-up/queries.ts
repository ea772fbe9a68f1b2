import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import { liveOptions } from '../live/live-queries.ts';
import { readTestAlert } from '../test-alert/queries.ts';

export type Person = Answer<'get-user'>['data'];
export type Team = Answer<'get-team'>['data'];
export type Schedule = Answer<'list-schedules'>['data'][number];
type Integration = Answer<'list-integrations'>['data'][number];

/** What the server has of the set-up of an account, as far as it concerns one person. */
export interface SetUp {
  readonly me: Person;
  /** The first of their teams; undefined where they have none. What follows belongs to it. */
  readonly team: Team | undefined;
  /** The first schedule of the team. The server makes it shortly after the team (S11). */
  readonly schedule: Schedule | undefined;
  readonly integration: Integration | undefined;
  /** The newest test alert; undefined where none was sent. */
  readonly testAlert: { readonly id: string } | undefined;
}

/** Of all queries of this page. */
export const SET_UP = ['set-up'] as const;

export const setUpQuery = (userId: string) =>
  queryOptions({
    queryKey: [...SET_UP, userId],
    queryFn: ({ signal }) => readSetUp(userId, signal),
    ...liveOptions({ kinds: ['users', 'teams', 'schedules', 'integrations', 'alerts'] }),
  });

const read = async <T>(path: string, signal: AbortSignal, query: Readonly<Record<string, string | number>> = {}) =>
  (await call<{ readonly data: T }>({ path, query, signal })).data;

async function readSetUp(userId: string, signal: AbortSignal): Promise<SetUp> {
  const [me, teams] = await Promise.all([
    read<Person>(`/v2/users/${userId}`, signal),
    read<Answer<'list-user-teams'>['data']>(`/v2/users/${userId}/teams`, signal),
  ]);
  const teamId = teams[0]?.id;
  if (teamId === undefined) {
    return { me, team: undefined, schedule: undefined, integration: undefined, testAlert: undefined };
  }
  const team = await read<Team>(`/v2/teams/${teamId}`, signal);
  const [schedules, integrations, testAlert] = await Promise.all([
    read<readonly Schedule[]>('/v2/schedules', signal, { expand: 'rotation' }),
    read<readonly Integration[]>('/v2/integrations', signal, { teamId }),
    readTestAlert(testResponder(team), signal),
  ]);
  return {
    me,
    team,
    schedule: schedules.find(({ ownerTeam }) => ownerTeam?.id === teamId),
    integration: integrations[0],
    testAlert,
  };
}

/** The team as its test alerts name it. */
export const testResponder = ({ id, name }: Team) => ({ type: 'team', id, name }) as const;

/** Whether the account has no team yet. */
export const noTeamsQuery = queryOptions({
  queryKey: [...SET_UP, 'no-teams'],
  queryFn: async ({ signal }) => (await read<Answer<'list-teams'>['data']>('/v2/teams', signal)).length === 0,
});
