import { READINESS_KINDS, READINESS_SEVERITIES, type ReadinessKind } from '@tocsin/api';
import type { TeamState, UserState } from '@tocsin/events';
import type { Steps } from '@tocsin/core';
import { Budget } from '../on-call/budget.ts';
import { escalationFinding } from './escalation-findings.ts';
import type { Finding, ReadinessView } from './finding.ts';
import { pagedUsersSteps, type PagingConfiguration } from './paged-users.ts';
import { Reachability } from './reachability.ts';
import { routingFindingsSteps } from './routing-findings.ts';
import { scheduleFindingsSteps } from './schedule-findings.ts';
import { userFindingSteps } from './user-findings.ts';

/** All findings about one configuration. */
export interface Readiness {
  /** By severity, kind and name; the first of each kind and severity where there are very many. */
  readonly findings: readonly Finding[];
  /** Schedules in which gaps were not looked for, because they have too many shifts. */
  readonly uncheckedSchedules: number;
}

/** The most shifts that are drawn for one answer. */
const MAX_SHIFTS_IN_ALL = 500_000;

export interface Configured extends PagingConfiguration {
  readonly users: Iterable<UserState>;
  readonly teams: Iterable<TeamState>;
  /** Findings of other services. */
  readonly given: readonly Finding[];
}

/** Everything that will go wrong when an alert comes, of which only what is certain (S17). */
export function* readinessSteps(configured: Configured, view: ReadinessView): Steps<Readiness> {
  const findings: Finding[] = [...configured.given];
  const teams = [...configured.teams];
  const sourcesByUser = yield* pagedUsersSteps(configured, view);
  const teamsOf = yield* membershipsSteps(teams);
  for (const user of configured.users) {
    const found = yield* userFindingSteps(user, sourcesByUser.get(user.id), teamsOf.get(user.id) ?? [], view);
    if (found !== undefined) findings.push(found);
    yield;
  }
  const budget = new Budget(MAX_SHIFTS_IN_ALL);
  let uncheckedSchedules = 0;
  for (const schedule of configured.schedules.all()) {
    const found = yield* scheduleFindingsSteps(schedule, view, budget);
    findings.push(...found.findings);
    if (!found.isChecked) uncheckedSchedules += 1;
    yield;
  }
  for (const escalation of configured.escalations.all()) {
    const found = escalationFinding(escalation, view);
    if (found !== undefined) findings.push(found);
    yield;
  }
  const reachability = new Reachability(view);
  for (const team of teams) findings.push(...(yield* routingFindingsSteps(team, view, reachability)));
  return { findings: yield* sortedSteps(findings), uncheckedSchedules };
}

/** The ids of the teams of each user. */
function* membershipsSteps(teams: readonly TeamState[]): Steps<ReadonlyMap<string, readonly string[]>> {
  const teamsOf = new Map<string, string[]>();
  for (const { id, members } of teams) {
    for (const { userId } of members) {
      const known = teamsOf.get(userId);
      if (known === undefined) teamsOf.set(userId, [id]);
      else known.push(id);
    }
    yield;
  }
  return teamsOf;
}

/** Sorted kind by kind, because there may be tens of thousands. */
function* sortedSteps(findings: readonly Finding[]): Steps<readonly Finding[]> {
  const groups = Map.groupBy(findings, ({ kind, severity }) => `${severity} ${kind}`);
  yield;
  const sorted: Finding[] = [];
  for (const severity of READINESS_SEVERITIES) {
    for (const kind of READINESS_KINDS) {
      sorted.push(...(groups.get(`${severity} ${kind}`) ?? []).sort(byName));
      yield;
    }
  }
  return sorted;
}

function byName(a: Finding, b: Finding): number {
  if (a.entity.name !== b.entity.name) return a.entity.name < b.entity.name ? -1 : 1;
  return idOf(a) < idOf(b) ? -1 : 1;
}

/** The same for the same finding of another computation. */
export const idOf = ({ entity, kind, part }: Finding): string =>
  [kind, entity.id, ...(part === undefined ? [] : [part.id])].join(':');

/** How many of `findings` there are of each kind, 0 included. */
export function countsOf(findings: readonly Finding[]): Readonly<Record<ReadinessKind, number>> {
  const counts = Object.fromEntries(READINESS_KINDS.map((kind) => [kind, 0])) as Record<ReadinessKind, number>;
  for (const { kind } of findings) counts[kind] += 1;
  return counts;
}
