import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '../api/answer.ts';
import { call } from '../api/call.ts';
import { liveOptions } from '../live/live-queries.ts';
import { heartbeatNote, type Owned, ownedBy, ruleNote } from './owned.ts';
import { paths } from '../shell/paths.ts';

export type ListedTeam = Answer<'list-teams'>['data'][number];
export type Team = Answer<'get-team'>['data'];
export type Member = Team['members'][number];
export type MemberRole = Member['role'];

export const pathOf = (id: string): string => `/v2/teams/${encodeURIComponent(id)}`;

/** All teams. */
export const teamsQuery = queryOptions({
  queryKey: ['teams'],
  queryFn: ({ signal }) => call<Answer<'list-teams'>>({ path: '/v2/teams', signal }),
  ...liveOptions({ kinds: ['teams'] }),
});

/** A team with its members. */
export const teamQuery = (id: string) =>
  queryOptions({
    queryKey: ['teams', id],
    queryFn: ({ signal }) => call<Answer<'get-team'>>({ path: pathOf(id), signal }),
    ...liveOptions({ kinds: ['teams', 'users'] }),
  });

/** The roles that a team has beside `user` and `admin`. */
export const teamRolesQuery = (id: string) =>
  queryOptions({
    queryKey: ['teams', id, 'roles'],
    queryFn: ({ signal }) => call<Answer<'list-team-roles'>>({ path: `${pathOf(id)}/roles`, signal }),
    ...liveOptions({ kinds: ['teams'], id }),
  });

const LOG_LENGTH = 20;

/** A part of the log of a team, newest first; `offset` is that of the part before it. */
export const teamLogQuery = (id: string, offset: string | undefined) =>
  queryOptions({
    queryKey: ['teams', id, 'log', offset ?? ''],
    queryFn: ({ signal }) =>
      call<Answer<'list-team-logs'>>({ path: `${pathOf(id)}/logs`, query: { limit: LOG_LENGTH, offset }, signal }),
    ...liveOptions({ kinds: ['teams'], id }),
  });

/** What a team owns, by the name of its list. */
export const OWNED_KINDS = ['Schedules', 'Escalations', 'Routing rules', 'Integrations', 'Heartbeats'] as const;
export type OwnedKind = (typeof OWNED_KINDS)[number];

type Read = (teamId: string, signal: AbortSignal) => Promise<readonly Owned[]>;

const READS: Readonly<Record<OwnedKind, Read>> = {
  Schedules: async (teamId, signal) => {
    const { data } = await call<Answer<'list-schedules'>>({ path: '/v2/schedules', signal });
    return ownedBy(teamId, data).map(({ enabled, id, name }) => ({
      key: id,
      name,
      path: paths.schedule(id),
      ...(!enabled && { note: 'disabled' }),
    }));
  },
  Escalations: async (teamId, signal) => {
    const { data } = await call<Answer<'list-escalations'>>({ path: '/v2/escalations', signal });
    return ownedBy(teamId, data).map(({ id, name }) => ({ key: id, name, path: paths.escalation(id) }));
  },
  'Routing rules': async (teamId, signal) => {
    const { data } = await call<Answer<'list-routing-rules'>>({ path: `${pathOf(teamId)}/routing-rules`, signal });
    return data.map((rule) => ({
      key: rule.id,
      name: rule.name === '' ? 'Without a name' : rule.name,
      path: paths.routing(teamId),
      note: ruleNote(rule),
    }));
  },
  Integrations: async (teamId, signal) => {
    const { data } = await call<Answer<'list-integrations'>>({ path: '/v2/integrations', query: { teamId }, signal });
    return data.map(({ enabled, id, name, type }) => ({
      key: id,
      name,
      path: paths.integration(id),
      note: `${type}${enabled ? '' : ', disabled'}`,
    }));
  },
  Heartbeats: async (teamId, signal) => {
    const { data } = await call<Answer<'list-heartbeats'>>({ path: '/v2/heartbeats', signal });
    return ownedBy(teamId, data.heartbeats).map((heartbeat) => ({
      key: heartbeat.name,
      name: heartbeat.name,
      path: paths.heartbeats(),
      note: heartbeatNote(heartbeat),
    }));
  },
};

/** What a team owns of a kind. Each kind is of another service, so each is read by itself. */
export const ownedQuery = (teamId: string, kind: OwnedKind) =>
  queryOptions({
    queryKey: ['teams', teamId, 'owned', kind],
    queryFn: ({ signal }) => READS[kind](teamId, signal),
    ...liveOptions({ kinds: ['teams', 'schedules', 'escalations', 'integrations'] }),
  });
