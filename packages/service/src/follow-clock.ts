import { type FollowOptions, retry } from '@tocsin/core';
import type { ServiceContext } from './context.ts';

const READ_EVERY_MS = 30_000;
/** The service logs a larger difference. */
const MIN_LOGGED_MS = 1_000;

/** The reference clock and how to read it. */
export interface FollowedClock extends FollowOptions {
  readonly ask: () => Promise<Date>;
}

/**
 * Sets the real clock of the service by the time that `ask` resolves with, and corrects it by a reading every 30 s until the
 * service stops. Resolves when the clock is set, and retries without a limit until then. A later reading that fails changes
 * nothing.
 */
export async function followClock(context: FollowingContext, { ask, ...options }: FollowedClock): Promise<void> {
  const { lifecycle, logger, metrics, realClock, tasks } = context;
  const read = async (): Promise<void> => {
    await realClock.follow(ask, options);
    metrics.clockAhead(realClock.aheadMs / 1_000);
    if (Math.abs(realClock.aheadMs) > MIN_LOGGED_MS)
      logger.error(
        { aheadSeconds: realClock.aheadMs / 1_000 },
        'The clock of MongoDB was set, or its new primary has another time. This service corrects its clock slowly.',
      );
  };
  const set = async (): Promise<void> => {
    await read();
    const aheadSeconds = realClock.machineAheadMs / 1_000;
    if (Math.abs(realClock.machineAheadMs) > MIN_LOGGED_MS)
      logger.warn({ aheadSeconds }, 'The clock of this machine is wrong. This service uses the clock of MongoDB.');
  };
  await retry(set, {
    isWanted: () => !realClock.isSet && !lifecycle.stopping,
    onFailure: (error) => {
      logger.warn({ err: error }, 'The time cannot be read yet. This service tries again.');
    },
  });
  tasks.add({ name: 'clock', everyMs: READ_EVERY_MS, startAfterMs: READ_EVERY_MS, activate: read });
}

export type FollowingContext = Pick<ServiceContext, 'lifecycle' | 'logger' | 'metrics' | 'realClock' | 'tasks'>;
