import type { Clock } from '@tocsin/clock';
import type { RetainedRuns } from '../../ports/retained-runs.ts';

export interface RetentionPorts {
  readonly runs: RetainedRuns;
  readonly clock: Clock;
  readonly days: number;
  /** Between two lots, in real time: whoever waits for the database comes first. */
  readonly rest: () => Promise<void>;
}

const DAY_MS = 86_400_000;

/** Removes runs that were kept for long enough. Several replicas may do so at once. */
export class Retention {
  readonly #ports: RetentionPorts;
  #stopped = false;

  constructor(ports: RetentionPorts) {
    this.#ports = ports;
  }

  /**
   * Removes what is due, lot by lot.
   *
   * @throws UnavailableError when the database is away; the next sweep goes on from there.
   */
  async sweep(): Promise<void> {
    const { clock, days, rest, runs } = this.#ports;
    const until = new Date(clock.now().getTime() - days * DAY_MS);
    while (!this.#stopped && (await runs.remove(until)) > 0) await rest();
  }

  /** No further lot begins. */
  stop(): void {
    this.#stopped = true;
  }
}
