import { everySeconds, type ServiceContext } from '@tocsin/service-kit';
import type { TeamSaga } from '../application/team-saga.ts';

/** Real time between two looks for changes that nobody took to their end. */
export const SWEEP_EVERY_SECONDS = 2;

/** Takes abandoned creations and removals of teams to their end for as long as the service runs. */
export async function sweepTeams(
  context: Pick<ServiceContext, 'lifecycle' | 'logger'>,
  saga: Pick<TeamSaga, 'sweep'>,
): Promise<void> {
  await everySeconds(context, SWEEP_EVERY_SECONDS, 'sweep of half-done teams', () => saga.sweep());
}
