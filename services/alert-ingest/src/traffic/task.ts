import { TrafficCounter } from '@tocsin/core';
import type { ServiceContext } from '@tocsin/service';
import type { TrafficStore } from './store.ts';

/** Real time. What a process that dies has not stored is not counted. */
const STORE_EVERY_MS = 10_000;

/** Opens the counter of the mails that this process takes, and stores its counts as those of the process `source` (P21). */
export function countMails(
  { clock, tasks }: Pick<ServiceContext, 'clock' | 'tasks'>,
  store: Pick<TrafficStore, 'store'>,
  source: string,
): (integrationId: string) => void {
  const counter = new TrafficCounter();
  tasks.add({
    name: 'store-traffic',
    everyMs: STORE_EVERY_MS,
    activate: () => counter.storeChanged(clock.now(), (counts) => store.store(source, counts)),
  });
  return (integrationId) => {
    counter.count({ integrationId, at: clock.now(), effect: 'alert' });
  };
}
