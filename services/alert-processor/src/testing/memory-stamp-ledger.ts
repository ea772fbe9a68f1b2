import type { Stamp, StampAccount, StampReport } from '@tocsin/contracts';
import { noted } from '@tocsin/persistence';
import { spokenOf, type OwedLane } from '../domain/owed.ts';
import type { OwedInstance, StampLedger, StampLoss } from '../ports/stamp-ledger.ts';

/** Stands in for the database, and for the checkpoints that record stamps. */
export class MemoryStampLedger implements StampLedger {
  readonly #reports = new Map<string, { readonly reportedAt: Date; readonly lanes: Map<number, OwedLane> }>();
  readonly #seen = new Map<string, Map<number, StampAccount>>();
  readonly #losses = new Map<string, StampLoss>();

  keep({ instance, partitions }: StampReport, now: Date): Promise<void> {
    const lanes = this.#reports.get(instance)?.lanes ?? new Map<number, OwedLane>();
    for (const said of partitions) lanes.set(said.partition, spokenOf(lanes.get(said.partition), said, now));
    this.#reports.set(instance, { reportedAt: now, lanes });
    return Promise.resolve();
  }

  owed(now: Date): Promise<readonly OwedInstance[]> {
    for (const instance of this.#seen.keys())
      if (!this.#reports.has(instance)) this.#reports.set(instance, { reportedAt: now, lanes: new Map() });
    return Promise.resolve(
      [...this.#reports].map(([instance, { lanes, reportedAt }]) => ({
        instance,
        reportedAt,
        lanes: [...lanes.values()],
        seen: this.#seen.get(instance) ?? new Map<number, StampAccount>(),
      })),
    );
  }

  note(losses: readonly StampLoss[]): Promise<void> {
    for (const loss of losses) {
      const id = `${loss.instance}/${loss.partition}/${loss.numbers[0]}`;
      if (!this.#losses.has(id)) this.#losses.set(id, loss);
    }
    return Promise.resolve();
  }

  losses(since: Date): Promise<readonly StampLoss[]> {
    const found = [...this.#losses.values()].filter(({ foundAt }) => foundAt > since);
    return Promise.resolve(found.toSorted((a, b) => b.foundAt.getTime() - a.foundAt.getTime()));
  }

  remove(until: Date): Promise<number> {
    const old = [...this.#reports].filter(([, { reportedAt }]) => reportedAt <= until).map(([instance]) => instance);
    for (const instance of old) {
      this.#reports.delete(instance);
      this.#seen.delete(instance);
      for (const [id, loss] of this.#losses) if (loss.instance === instance) this.#losses.delete(id);
    }
    return Promise.resolve(old.length);
  }

  /** Acts as if the partition had settled the command with this stamp. */
  bring(partition: number, { instance, numbers }: Stamp): void {
    const seen = this.#seen.get(instance) ?? new Map<number, StampAccount>();
    this.#seen.set(instance, seen.set(partition, noted(seen.get(partition) ?? { through: 0, gaps: [] }, numbers)));
  }
}
