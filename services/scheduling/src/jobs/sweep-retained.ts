import { setTimeout as pause } from 'node:timers/promises';
import { everySeconds, type ServiceContext } from '@tocsin/service-kit';
import { Retention } from '../application/runs/retention.ts';
import type { Config } from '../config.ts';
import type { RetainedRuns } from '../ports/retained-runs.ts';

const SWEEP_EVERY_SECONDS = 600;
const REST_MS = 50;

/** Removes runs that were kept for long enough, every ten minutes of real time. */
export async function sweepRetained(
  context: Pick<ServiceContext<Config>, 'clock' | 'config' | 'lifecycle' | 'logger'>,
  runs: RetainedRuns,
  rest: () => Promise<void> = () => pause(REST_MS),
): Promise<void> {
  const { clock, config, lifecycle } = context;
  const retention = new Retention({ runs, clock, days: config.runRetentionDays, rest });
  await everySeconds(context, SWEEP_EVERY_SECONDS, 'retention of runs', () => retention.sweep());
  // Parts stop in the reverse of this order: a long sweep ends with its lot.
  await lifecycle.start(
    'end of retention',
    () => retention,
    (running) => {
      running.stop();
    },
  );
}
