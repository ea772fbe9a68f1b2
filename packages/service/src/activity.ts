import type { ReadBounds } from '@tocsin/kafka';

/** One kind of work of a service. */
export interface WorkSource {
  /** How many items wait or are being worked on: records, rows, messages, requests to a provider. */
  readonly pending: (readBounds?: ReadBounds) => Promise<number> | number;
  /** When the next item is due by the service's clock, if one waits for an instant. */
  readonly nextDueAt?: () => Promise<Date | undefined>;
}

/** The pending work of a service. */
export class Activity {
  readonly #sources = new Map<string, WorkSource>();

  add(name: string, source: WorkSource): void {
    this.#sources.set(name, source);
  }

  /** How many items of one kind of work there are; 0 where there is no such kind. */
  async pending(name: string): Promise<number> {
    return (await this.#sources.get(name)?.pending()) ?? 0;
  }

  /** By name, the kinds of work that have items, and how many. `readBounds` reads topics for all of them; each its own unless given. */
  async busy(readBounds?: ReadBounds): Promise<ReadonlyMap<string, number>> {
    const counts = await Promise.all(
      [...this.#sources].map(async ([name, source]) => [name, await source.pending(readBounds)] as const),
    );
    return new Map(counts.filter(([, count]) => count > 0));
  }

  /** The earliest instant at which an item is due; undefined when none waits for an instant. */
  async nextDueAt(): Promise<Date | undefined> {
    const instants = await Promise.all(
      [...this.#sources.values()].map(async (source) => (await source.nextDueAt?.()) ?? undefined),
    );
    return instants
      .filter((instant) => instant !== undefined)
      .reduce<Date | undefined>((earliest, at) => (earliest === undefined || at < earliest ? at : earliest), undefined);
  }
}
