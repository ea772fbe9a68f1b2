/** One kind of work of a service. */
export interface WorkSource {
  /** How many items wait or are being worked on: records, rows, messages, requests to a provider. */
  readonly pending: () => Promise<number> | number;
  /** When the next item is due by the service's clock, if one waits for an instant. */
  readonly nextDueAt?: () => Promise<Date | undefined>;
}

/** What a service still has to do. */
export class Activity {
  readonly #sources = new Map<string, WorkSource>();

  add(name: string, source: WorkSource): void {
    this.#sources.set(name, source);
  }

  /** By name, the kinds of work that have items, and how many. */
  async busy(): Promise<ReadonlyMap<string, number>> {
    const counts = await Promise.all(
      [...this.#sources].map(async ([name, source]) => [name, await source.pending()] as const),
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
