/** One kind of work of a service that may be waiting or under way. */
export interface WorkSource {
  /** How many pieces are waiting or under way: records, rows, messages, requests to a provider. */
  readonly pending: () => Promise<number> | number;
  /** When the next piece falls due by the service's clock, if any waits for a time. */
  readonly nextDueAt?: () => Promise<Date | undefined>;
}

/** What a service still has to do. A drain, an operator and a test that steers the clock ask the same question. */
export class Activity {
  readonly #sources = new Map<string, WorkSource>();

  add(name: string, source: WorkSource): void {
    this.#sources.set(name, source);
  }

  /** The kinds of work that have something waiting or under way, with how much. */
  async busy(): Promise<ReadonlyMap<string, number>> {
    const counts = await Promise.all(
      [...this.#sources].map(async ([name, source]) => [name, await source.pending()] as const),
    );
    return new Map(counts.filter(([, count]) => count > 0));
  }

  /** The earliest instant at which something falls due, or undefined when nothing waits for a time. */
  async nextDueAt(): Promise<Date | undefined> {
    const instants = await Promise.all(
      [...this.#sources.values()].map(async (source) => (await source.nextDueAt?.()) ?? undefined),
    );
    return instants
      .filter((instant) => instant !== undefined)
      .reduce<Date | undefined>((earliest, at) => (earliest === undefined || at < earliest ? at : earliest), undefined);
  }
}
