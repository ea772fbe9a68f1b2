import { everySeconds, type ServiceContext } from '@tocsin/service-kit';
import type { TeamSaga } from '../application/team-saga.ts';

/** Real time between two looks for abandoned teams. */
export const SWEEP_EVERY_SECONDS = 2;

/** Finishes abandoned creations and removals of teams for as long as the service runs. */
export async function sweepTeams(
  context: Pick<ServiceContext, 'lifecycle' | 'logger'>,
  saga: Pick<TeamSaga, 'sweep'>,
): Promise<void> {
  await everySeconds(context, SWEEP_EVERY_SECONDS, 'sweep of half-done teams', () => saga.sweep());
}
