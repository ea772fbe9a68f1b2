import type { Clock } from '@tocsin/core';
import { removeInBatches, type ServiceContext, SWEEP_TIMEOUT_MS } from '@tocsin/service';
import type { Config } from '../config.ts';
import { goesAt, hourOf, KEPT, type Kept, limitAt, type Periods, PROCESSED_DAYS, REMOVAL_DAYS } from './retention.ts';
import type { RetentionStore } from './retention-store.ts';

export interface RetentionPorts {
  readonly rows: Pick<RetentionStore, 'oldest' | 'remove'>;
  readonly clock: Clock;
  readonly periods: Periods;
  /** Called with the kind and the number of removed rows. */
  readonly onRemoved: (kind: Kept, count: number) => void;
}

/** Calls `remove` until it removes nothing and resolves to true; to false if the service stops before that. */
export type InBatches = (remove: () => Promise<number>) => Promise<boolean>;

/** Removes what has been kept long enough, once an hour by the service's clock. Several replicas may do so at once. */
export class Retention {
  readonly #ports: RetentionPorts;
  #sweptAt: Date | undefined;

  constructor(ports: RetentionPorts) {
    this.#ports = ports;
  }

  /**
   * Removes alerts whose retention is over; none if this process has already swept in this hour.
   *
   * @throws UnavailableError when the database is unavailable; the next sweep goes on from there.
   */
  async sweep(inBatches: InBatches): Promise<void> {
    const now = this.#ports.clock.now();
    if (this.#isSwept(now)) return;
    for (const kind of KEPT) if (!(await inBatches(() => this.#removeBatch(kind, now)))) return;
    this.#sweptAt = hourOf(now);
  }

  /** How many kinds have something due for removal. */
  async due(): Promise<number> {
    const { clock, periods } = this.#ports;
    if (this.#isSwept(clock.now())) return 0;
    const oldest = await this.#oldest();
    return oldest.filter(([kind, instant]) => instant <= limitAt(clock.now(), periods[kind])).length;
  }

  /** When something is due for removal next; undefined if nothing is kept. */
  async nextDueAt(): Promise<Date | undefined> {
    const instants = (await this.#oldest()).map(([kind, from]) => goesAt(from, this.#ports.periods[kind]).getTime());
    return instants.length === 0 ? undefined : new Date(Math.min(...instants));
  }

  #isSwept(now: Date): boolean {
    return this.#sweptAt?.getTime() === hourOf(now).getTime();
  }

  async #removeBatch(kind: Kept, now: Date): Promise<number> {
    const { rows, periods, onRemoved } = this.#ports;
    const removed = await rows.remove(kind, limitAt(now, periods[kind]), now);
    if (removed > 0) onRemoved(kind, removed);
    return removed;
  }

  async #oldest(): Promise<readonly (readonly [Kept, Date])[]> {
    const found = await Promise.all(KEPT.map(async (kind) => [kind, await this.#ports.rows.oldest(kind)] as const));
    return found.flatMap(([kind, instant]) => (instant === undefined ? [] : [[kind, instant] as const]));
  }
}

/** Real time between two checks whether a new hour has begun. */
const LOOK_EVERY_MS = 1_000;

const COUNTED = {
  alerts: 'tocsin_alerts_expired_total',
  statuses: 'tocsin_request_statuses_expired_total',
  removals: 'tocsin_removals_forgotten_total',
} as const satisfies Readonly<Record<Kept, string>>;

/** Adds a task that removes documents whose retention is over. Logs and metrics have the counts. */
export function sweepRetained(
  context: Pick<ServiceContext<Config>, 'activity' | 'clock' | 'config' | 'logger' | 'metrics' | 'tasks'>,
  rows: Pick<RetentionStore, 'oldest' | 'remove'>,
): void {
  const { activity, clock, config, logger, metrics, tasks } = context;
  const removed = new Map<Kept, number>();
  const retention = new Retention({
    rows,
    clock,
    periods: {
      alerts: config.alertRetentionDays,
      statuses: Math.max(config.requestStatusRetentionDays, PROCESSED_DAYS),
      removals: REMOVAL_DAYS,
    },
    onRemoved: (kind, count) => {
      metrics.count(COUNTED[kind], count);
      removed.set(kind, (removed.get(kind) ?? 0) + count);
    },
  });
  activity.add('retention', { pending: () => retention.due(), nextDueAt: () => retention.nextDueAt() });
  const activate = async (stopping: AbortSignal): Promise<void> => {
    try {
      await retention.sweep((remove) => removeInBatches(remove, { stopping }));
    } finally {
      if (removed.size > 0) logger.info(Object.fromEntries(removed), 'what was kept for long enough is removed');
      removed.clear();
    }
  };
  tasks.add({ name: 'retention', everyMs: LOOK_EVERY_MS, timeoutMs: SWEEP_TIMEOUT_MS, activate });
}
