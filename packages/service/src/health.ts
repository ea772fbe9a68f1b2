import { withTimeout } from '@tocsin/core';

type Check = () => boolean | Promise<boolean>;

/** How long one check may take before it counts as failed, in milliseconds of real time. */
const CHECK_LIMIT_MS = 2_000;

/** The readiness of a service, for `/readyz`: it is started, not stopping, and all of its checks pass. */
export class Health {
  readonly #checks = new Map<string, Check>();
  #started = false;
  #stopping = false;

  /** Adds a check. It replaces an earlier one with the same name. */
  require(name: string, check: Check): void {
    this.#checks.set(name, check);
  }

  markStarted(): void {
    this.#started = true;
  }

  /** From now on no caller should send work. */
  markStopping(): void {
    this.#stopping = true;
  }

  get started(): boolean {
    return this.#started;
  }

  get stopping(): boolean {
    return this.#stopping;
  }

  /** The names of the checks that fail now; empty when the service is ready. Never rejects. */
  async missing(): Promise<readonly string[]> {
    const results = await Promise.all(
      [...this.#checks].map(async ([name, check]) => ((await passes(check)) ? undefined : name)),
    );
    const missing = results.filter((name) => name !== undefined);
    if (this.#stopping) return ['stop', ...missing];
    return this.#started ? missing : ['start', ...missing];
  }
}

async function passes(check: Check): Promise<boolean> {
  try {
    return await withTimeout(check(), CHECK_LIMIT_MS, () => false);
  } catch {
    return false;
  }
}
