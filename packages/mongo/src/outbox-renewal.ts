import type { WantedLease } from './leases.ts';
import type { OutboxRelay } from './outbox-relay.ts';
import type { OutboxEntry, RelayLogger } from './relay-ports.ts';
import { Repeating } from './repeating.ts';
import { SingleFlight } from './single-flight.ts';

/** The relay of a topic and the lease of that topic. */
export interface RenewedRelay<Lease> {
  readonly topic: string;
  readonly lease: Lease;
  readonly relay: Pick<
    OutboxRelay<OutboxEntry>,
    'beginRenewal' | 'isAtRest' | 'onLeaseTaken' | 'look' | 'takesOnlyFreeLease' | 'wantsLease'
  >;
}

export interface OutboxRenewalOptions<Lease> {
  readonly relays: readonly RenewedRelay<Lease>[];
  /** Takes or renews leases in one write. Resolves with those that were not held before. */
  readonly take: (
    wanted: readonly (Omit<WantedLease, 'lease'> & { readonly lease: Lease })[],
  ) => Promise<readonly Lease[]>;
  /** Whether a row of one of these topics waits, in one query. */
  readonly hasRow: (topics: readonly string[]) => Promise<boolean>;
  readonly logger: RelayLogger;
  /** How often leases are renewed, and rows are looked for that no relay was woken for. Real time. */
  readonly everyMs: number;
}

/**
 * Takes and renews the leases of all topics of a process together, and looks together for rows that no relay was woken for: at
 * rest, two requests of the database for each renewal, however many topics there are.
 */
export class OutboxRenewal<Lease> {
  readonly #options: OutboxRenewalOptions<Lease>;
  readonly #renewing: Repeating;
  readonly #taking = new SingleFlight(() => this.#takeOnce());
  readonly #searching = new SingleFlight(() => this.#search());
  readonly #tried = Promise.withResolvers<undefined>();
  #isStopped = true;

  constructor(options: OutboxRenewalOptions<Lease>) {
    this.#options = options;
    this.#renewing = new Repeating({
      everyMs: options.everyMs,
      work: () => this.#renew(),
      onError: (error) => {
        this.#warn(error);
      },
    });
  }

  /** To be called after the start of the relays. */
  start(): void {
    this.#isStopped = false;
    this.#renewing.start();
  }

  /** Resolves when the renewal under way has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#renewing.stop();
    // These runs do nothing, but end after those that are under way.
    await Promise.allSettled([this.#taking.run(), this.#searching.run()]);
  }

  /** To be called when leases may be free: this process takes them, unless another one does. Never rejects. */
  async take(): Promise<void> {
    await this.#taking.run().catch((error: unknown) => {
      this.#warn(error);
    });
  }

  /** Resolves when this process has tried to take the leases since the first start; at once before that. Never rejects. */
  async whenTried(): Promise<void> {
    if (!this.#isStopped) await this.#tried.promise;
  }

  async #renew(): Promise<void> {
    for (const { relay } of this.#options.relays) relay.beginRenewal();
    await this.#taking.run();
  }

  async #takeOnce(): Promise<void> {
    const wanting = this.#isStopped ? [] : this.#options.relays.filter(({ relay }) => relay.wantsLease);
    try {
      const wanted = wanting.map(({ lease, relay }) => ({ lease, onlyIfFree: relay.takesOnlyFreeLease }));
      const taken = await this.#options.take(wanted);
      for (const { lease, relay } of wanting) if (taken.includes(lease)) relay.onLeaseTaken();
    } finally {
      this.#tried.resolve(undefined);
    }
    for (const { relay } of wanting) if (!relay.isAtRest) relay.look();
    // Not waited for: a slow search must not delay the next renewal.
    this.#searching.run().catch((error: unknown) => {
      this.#warn(error);
    });
  }

  /** A relay that has something to do looks for itself. For the others, one query shows whether there is a row. */
  async #search(): Promise<void> {
    const resting = this.#isStopped ? [] : this.#options.relays.filter(({ relay }) => relay.isAtRest);
    if (resting.length === 0 || !(await this.#options.hasRow(resting.map(({ topic }) => topic)))) return;
    for (const { relay } of resting) relay.look();
  }

  #warn(error: unknown): void {
    this.#options.logger.warn({ err: error }, 'The outbox cannot take its leases or look for rows. It tries again.');
  }
}
