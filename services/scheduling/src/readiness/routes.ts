import { type AnswerOf, type ItemOf, ReadinessQuery } from '@tocsin/api';
import { flatMapInSteps } from '@tocsin/core';
import { formatInstant } from '@tocsin/events';
import { type Admission, boundTeam, defineRoute, pageUrls, type Route } from '@tocsin/http';
import type { Snapshot } from '../configuration/snapshot.ts';
import type { Finding } from './finding.ts';
import type { ReadinessReports } from './operations.ts';
import { countsOf, idOf } from './readiness.ts';

const MAX_TEAMS = 20;
const MAX_PERIODS = 10;

/** What will go wrong when an alert comes (S17). */
export function readinessRoutes(reports: ReadinessReports, pool: Admission): readonly Route[] {
  return [
    defineRoute({
      operation: 'list-readiness',
      pool,
      query: ReadinessQuery,
      handle: async ({ publicUrl, query: { kind: kinds, limit, offset, team }, principal }) => {
        const bound = boundTeam(principal);
        const teamIds = [bound, team === undefined ? undefined : await reports.teamId(team)];
        const { computedAt, findings, incompleteServices, snapshot, uncheckedSchedules } = await reports.current();
        const ofTeams = await flatMapInSteps(findings, (finding) =>
          teamIds.every((id) => id === undefined || finding.teamIds.includes(id)) ? [finding] : [],
        );
        const listed = kinds.length === 0 ? ofTeams : ofTeams.filter((finding) => kinds.includes(finding.kind));
        const total = listed.length;
        const query = { team, kind: kinds.length === 0 ? undefined : kinds.join(',') };
        return {
          body: {
            computedAt: formatInstant(computedAt),
            totalCount: total,
            errorCount: listed.filter(({ severity }) => severity === 'error').length,
            counts: countsOf(ofTeams),
            uncheckedSchedules,
            incompleteServices: [...incompleteServices],
            data: listed.slice(offset, offset + limit).map((finding) => findingView(finding, snapshot, bound)),
            paging: pageUrls({ publicUrl, path: '/v2/readiness', query, offset, limit, total }),
          },
        };
      },
    }),
  ];
}

/** `bound`: the team of the key that asks. It reads no lead of others, and not which teams they are of (K4). */
function findingView(
  finding: Finding,
  snapshot: Snapshot,
  bound: string | undefined,
): ItemOf<AnswerOf<'list-readiness'>['data']> {
  const { message, messageFor, periods, teamIds, ...rest } = finding;
  const named = bound === undefined ? teamIds.slice(0, MAX_TEAMS) : [bound];
  return {
    id: idOf(finding),
    ...rest,
    message: bound === undefined ? message : (messageFor?.(bound) ?? message),
    teams: named.map((id) => ({ id, name: snapshot.team(id)?.name })),
    ...(periods && {
      periods: periods.slice(0, MAX_PERIODS).map(({ from, until }) => ({
        startDate: formatInstant(new Date(from)),
        endDate: formatInstant(new Date(until)),
      })),
    }),
  };
}
