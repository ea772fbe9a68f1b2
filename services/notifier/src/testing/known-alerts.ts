import type { Alerts, KnownAlert } from '../answers/client.ts';

const DISK_FULL: KnownAlert = {
  message: 'Disk full',
  status: 'open',
  acknowledged: false,
  snoozed: false,
  teamIds: [],
};

/** Gives the same answer about every alert. */
export class KnownAlerts implements Alerts {
  #alert: KnownAlert | 'gone' | undefined = DISK_FULL;

  /** An open alert with `change`; `gone`, or `unavailable` where alert-processor does not answer. */
  readonly set = (change: Partial<KnownAlert> | 'gone' | 'unavailable'): void => {
    if (typeof change === 'object') this.#alert = { ...DISK_FULL, ...change };
    else this.#alert = change === 'gone' ? 'gone' : undefined;
  };

  find(): Promise<KnownAlert | 'gone' | undefined> {
    return Promise.resolve(this.#alert);
  }
}
