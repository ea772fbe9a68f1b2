export interface BulkPacePorts {
  /** Whether other commands or pages wait. */
  readonly isWaiting: () => boolean;
  /** Real time. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** A monotonic clock in milliseconds. */
  readonly nowMs: () => number;
}

/** While other commands wait, work uses a fifth of the time: after it there is a rest of four times its duration. */
const REST_FACTOR = 4;
const MAX_REST_MS = 4_000;
const LOOK_EVERY_MS = 50;

/** The pace of the bulk topic: as fast as possible while nothing else waits, otherwise a fifth of the time, so that it never stops. */
export class BulkPace {
  readonly #ports: BulkPacePorts;
  #restsUntilMs: number;

  constructor(ports: BulkPacePorts) {
    this.#ports = ports;
    // A process that starts with a backlog begins with the others.
    this.#restsUntilMs = ports.nowMs() + MAX_REST_MS;
  }

  /** Calls `work` after the rest that the start or the last call caused, or once nothing else waits. For one call at a time. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const { isWaiting, nowMs, pause } = this.#ports;
    while (nowMs() < this.#restsUntilMs && isWaiting()) await pause(LOOK_EVERY_MS);
    const beganAtMs = nowMs();
    try {
      return await work();
    } finally {
      const endedAtMs = nowMs();
      this.#restsUntilMs = endedAtMs + Math.min(MAX_REST_MS, REST_FACTOR * (endedAtMs - beganAtMs));
    }
  }
}
