import { setTimeout as pause } from 'node:timers/promises';
import type { FollowOptions } from '@tocsin/clock';
import type { ServiceContext } from './context.ts';

const RETRY_MS = 1_000;
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
        'the clock of MongoDB was set, or its new primary has another time; this service corrects its clock slowly',
      );
  };
  while (!realClock.isSet && !lifecycle.stopping) {
    try {
      await read();
      const aheadSeconds = realClock.machineAheadMs / 1_000;
      if (Math.abs(realClock.machineAheadMs) > MIN_LOGGED_MS)
        logger.warn({ aheadSeconds }, 'the clock of this machine is wrong; this service uses the clock of MongoDB');
    } catch (error) {
      logger.warn({ err: error }, 'the time cannot be read yet; this service tries again');
      await pause(RETRY_MS);
    }
  }
  tasks.add({ name: 'clock', everyMs: READ_EVERY_MS, startAfterMs: READ_EVERY_MS, activate: read });
}

export type FollowingContext = Pick<ServiceContext, 'lifecycle' | 'logger' | 'metrics' | 'realClock' | 'tasks'>;
