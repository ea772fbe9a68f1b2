import { type Clock, type TrafficCounter, UnavailableError } from '@tocsin/core';
import type { InternalClient } from '@tocsin/http';
import type { ServiceContext } from '@tocsin/service';

/** Real time between two reports. What a process that dies has not reported is not counted. */
const REPORT_EVERY_MS = 10_000;

interface TrafficReports {
  readonly alertIngest: Pick<InternalClient, 'post'>;
  readonly clock: Clock;
  readonly counter: TrafficCounter;
  /** The id of this process, whose counts rise on their own. */
  readonly source: string;
}

/** Adds a task that reports the requests of integrations to alert-ingest (P21). */
export function reportTraffic({ tasks }: Pick<ServiceContext, 'tasks'>, reports: TrafficReports): void {
  tasks.add({ name: 'report-traffic', everyMs: REPORT_EVERY_MS, activate: () => reportChanged(reports) });
}

/** @throws what the request throws; the counts are part of the next report. */
export function reportChanged({ alertIngest, clock, counter, source }: TrafficReports): Promise<void> {
  return counter.storeChanged(clock.now(), async (counts) => {
    const { status } = await alertIngest.post('/internal/integrations/traffic', { source, counts });
    if (status !== 200) throw new UnavailableError(`A report of traffic was answered ${status}.`);
  });
}
