import type { TrafficCount } from '@tocsin/core';

/** When an integration was last used; what was not seen since the counting began is absent. */
export interface LastTraffic extends Pick<TrafficCount, 'lastAlertAt' | 'lastRefusal'> {
  readonly integrationId: string;
  readonly lastRequestAt: Date | undefined;
}

/** What was counted in an hour, by all processes together. */
export type TrafficHour = Pick<TrafficCount, 'alerts' | 'hour' | 'refused' | 'writes'>;

const HOUR_MS = 3_600_000;
/** The hours that are shown. */
const SHOWN_HOURS = 168;

/** The beginning of the first hour that is shown at `now`. */
export const firstHour = (now: Date): Date => {
  const current = now.getTime() - (now.getTime() % HOUR_MS);
  return new Date(current - (SHOWN_HOURS - 1) * HOUR_MS);
};
