import { setTimeout as pause } from 'node:timers/promises';
import type { Connection } from '@tocsin/persistence';
import { everySeconds, type ServiceContext } from '@tocsin/service-kit';
import { Retention } from '../application/retention.ts';
import type { Config } from '../config.ts';
import { MongoRetainedRows } from '../storage/mongo-retained-rows.ts';

const SWEEP_EVERY_SECONDS = 600;
const REST_MS = 50;

/** Removes what was kept for long enough, every ten minutes of real time. */
export async function sweepRetained(context: ServiceContext<Config>, connection: Connection): Promise<void> {
  const { clock, config, lifecycle } = context;
  const retention = new Retention({
    ...{ rows: new MongoRetainedRows(connection), clock, days: config.notificationRetentionDays },
    rest: () => pause(REST_MS),
  });
  await everySeconds(context, SWEEP_EVERY_SECONDS, 'retention', () => retention.sweep());
  await lifecycle.start(
    'end of retention',
    () => retention,
    (running) => {
      running.stop();
    },
  );
}
