import { SWEEP_TIMEOUT_MS, type ServiceContext } from '@tocsin/service-kit';
import type { TeamSaga } from '../application/team-saga.ts';

/** Real time between two looks for abandoned teams. */
export const SWEEP_EVERY_MS = 2_000;

/** Adds a task that finishes abandoned creations and removals of teams. */
export function sweepTeams({ tasks }: Pick<ServiceContext, 'tasks'>, saga: Pick<TeamSaga, 'sweep'>): void {
  tasks.add({
    name: 'finish-teams',
    everyMs: SWEEP_EVERY_MS,
    timeoutMs: SWEEP_TIMEOUT_MS,
    activate: (stopping) => saga.sweep(undefined, stopping),
  });
}
