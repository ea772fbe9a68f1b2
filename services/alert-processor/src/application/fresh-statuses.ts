import type { RequestStatus } from '../domain/request-status.ts';
import type { RequestStatuses } from '../ports/request-statuses.ts';

/** How long a reader waits for its request to settle: 80 polls, 25 ms of real time apart, are 2 s (A8). */
const LOOKS = 80;
const PAUSE_MS = 25;
/** Readers beyond this number are answered without waiting. */
const MOST_WAITING = 2_000;

interface Waiting {
  readonly requestId: string;
  readonly answer: PromiseWithResolvers<RequestStatus | undefined>;
  looksLeft: number;
}

export interface FreshStatusesPorts {
  readonly statuses: RequestStatuses;
  /** Real time. */
  readonly pause: (milliseconds: number) => Promise<void>;
}

/**
 * Waits for requests that are about to settle. All readers of this process share one poller, which reads all their
 * statuses in one query and rests while nobody waits.
 */
export class FreshStatuses {
  readonly #ports: FreshStatusesPorts;
  readonly #waiting = new Set<Waiting>();
  #polling = false;

  constructor(ports: FreshStatusesPorts) {
    this.#ports = ports;
  }

  /**
   * The status as soon as the request has settled; undefined if it does not settle within 2 s.
   *
   * @throws UnavailableError when the database is away.
   */
  async awaited(requestId: string): Promise<RequestStatus | undefined> {
    if (this.#waiting.size >= MOST_WAITING) return undefined;
    const answer = Promise.withResolvers<RequestStatus | undefined>();
    this.#waiting.add({ requestId, answer, looksLeft: LOOKS });
    if (!this.#polling) void this.#poll();
    return answer.promise;
  }

  async #poll(): Promise<void> {
    this.#polling = true;
    try {
      while (this.#waiting.size > 0) {
        await this.#ports.pause(PAUSE_MS);
        await this.#look();
      }
    } finally {
      this.#polling = false;
    }
  }

  async #look(): Promise<void> {
    const waiting = [...this.#waiting];
    try {
      const requestIds = [...new Set(waiting.map(({ requestId }) => requestId))];
      const settled = await this.#ports.statuses.find(requestIds);
      const byId = new Map(settled.map((status) => [status.requestId, status]));
      for (const one of waiting) this.#answer(one, byId.get(one.requestId));
    } catch (error) {
      for (const one of waiting) {
        this.#waiting.delete(one);
        one.answer.reject(error);
      }
    }
  }

  #answer(waiting: Waiting, status: RequestStatus | undefined): void {
    waiting.looksLeft -= 1;
    if (status === undefined && waiting.looksLeft > 0) return;
    this.#waiting.delete(waiting);
    waiting.answer.resolve(status);
  }
}
