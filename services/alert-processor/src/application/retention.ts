import type { Clock } from '@tocsin/clock';
import { goesAt, hourOf, KEPT, limitAt, type Kept, type Periods } from '../domain/retention.ts';
import type { RetainedRows } from '../ports/retained-rows.ts';

export interface RetentionPorts {
  readonly rows: RetainedRows;
  readonly clock: Clock;
  readonly periods: Periods;
  /** Called with what a sweep has removed. */
  readonly onRemoved: (kind: Kept, count: number) => void;
}

/** Calls `remove` until it removes nothing and resolves to true; to false if the service stops before that. */
export type InLots = (remove: () => Promise<number>) => Promise<boolean>;

/** Removes what has been kept long enough, once an hour by the service's clock. Several replicas may do so at once. */
export class Retention {
  readonly #ports: RetentionPorts;
  #sweptAt: Date | undefined;

  constructor(ports: RetentionPorts) {
    this.#ports = ports;
  }

  /**
   * Removes what is due; nothing if this process has already swept in this hour.
   *
   * @throws UnavailableError when the database is away; the next sweep goes on from there.
   */
  async sweep(inLots: InLots): Promise<void> {
    const now = this.#ports.clock.now();
    if (this.#isSwept(now)) return;
    for (const kind of KEPT) if (!(await inLots(() => this.#removeLot(kind, now)))) return;
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

  async #removeLot(kind: Kept, now: Date): Promise<number> {
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
