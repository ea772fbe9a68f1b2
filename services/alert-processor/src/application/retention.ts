import type { Clock } from '@tocsin/clock';
import { goesAt, hourOf, KEPT, limitAt, type Kept, type Periods } from '../domain/retention.ts';
import type { RetainedRows } from '../ports/retained-rows.ts';

/** Real time between two lots, in milliseconds: whoever waits for the database comes first. */
const REST_MS = 50;

export interface RetentionPorts {
  readonly rows: RetainedRows;
  readonly clock: Clock;
  readonly periods: Periods;
  /** Real time. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Told of what a sweep has removed. */
  readonly onRemoved: (kind: Kept, count: number) => void;
}

/** Removes what was kept for long enough, once an hour by the service's clock. Several replicas may do so at once. */
export class Retention {
  readonly #ports: RetentionPorts;
  #sweptAt: Date | undefined;
  #stopped = false;

  constructor(ports: RetentionPorts) {
    this.#ports = ports;
  }

  /**
   * Removes what is due, lot by lot; nothing where the hour has been swept.
   *
   * @throws UnavailableError when the database is away; the next sweep goes on from there.
   */
  async sweep(): Promise<void> {
    const now = this.#ports.clock.now();
    if (this.#isSwept(now)) return;
    for (const kind of KEPT) await this.#sweepKind(kind, now);
    if (!this.#stopped) this.#sweptAt = hourOf(now);
  }

  /** No further lot begins. */
  stop(): void {
    this.#stopped = true;
  }

  /** How many kinds have something that is due. */
  async due(): Promise<number> {
    const { clock, periods } = this.#ports;
    if (this.#isSwept(clock.now())) return 0;
    const oldest = await this.#oldest();
    return oldest.filter(([kind, of]) => of <= limitAt(clock.now(), periods[kind])).length;
  }

  /** When something is due next. */
  async nextDueAt(): Promise<Date | undefined> {
    const instants = (await this.#oldest()).map(([kind, of]) => goesAt(of, this.#ports.periods[kind]).getTime());
    return instants.length === 0 ? undefined : new Date(Math.min(...instants));
  }

  #isSwept(now: Date): boolean {
    return this.#sweptAt?.getTime() === hourOf(now).getTime();
  }

  async #sweepKind(kind: Kept, now: Date): Promise<void> {
    const { rows, periods, pause, onRemoved } = this.#ports;
    const until = limitAt(now, periods[kind]);
    for (let removed = 1; removed > 0 && !this.#stopped;) {
      removed = await rows.remove(kind, until, now);
      if (removed === 0) return;
      onRemoved(kind, removed);
      await pause(REST_MS);
    }
  }

  async #oldest(): Promise<readonly (readonly [Kept, Date])[]> {
    const found = await Promise.all(KEPT.map(async (kind) => [kind, await this.#ports.rows.oldest(kind)] as const));
    return found.flatMap(([kind, of]) => (of === undefined ? [] : [[kind, of] as const]));
  }
}
