import { withTimeout } from '@tocsin/clock';

type Check = () => boolean | Promise<boolean>;

/** How long one check may take before it counts as failed, in milliseconds of real time. */
const CHECK_LIMIT_MS = 2_000;

/** What must hold before a service takes work; `/readyz` asks. A service that is still starting is not ready. */
export class Health {
  readonly #checks = new Map<string, Check>();
  #started = false;
  #stopping = false;

  /** Adds something that must hold, by its name; of two of one name the later counts. */
  require(name: string, check: Check): void {
    this.#checks.set(name, check);
  }

  /** Everything has been started. */
  markStarted(): void {
    this.#started = true;
  }

  /** Nobody should send work any more. */
  markStopping(): void {
    this.#stopping = true;
  }

  /** Whether everything has been started. */
  get started(): boolean {
    return this.#started;
  }

  /** Whether nobody should send work any more. */
  get stopping(): boolean {
    return this.#stopping;
  }

  /** The names of what does not hold now; empty when the service is ready. Never rejects. */
  async missing(): Promise<readonly string[]> {
    const results = await Promise.all(
      [...this.#checks].map(async ([name, check]) => ((await holds(check)) ? undefined : name)),
    );
    const missing = results.filter((name) => name !== undefined);
    if (this.#stopping) return ['stop', ...missing];
    return this.#started ? missing : ['start', ...missing];
  }
}

async function holds(check: Check): Promise<boolean> {
  try {
    return await withTimeout(check(), CHECK_LIMIT_MS, () => false);
  } catch {
    return false;
  }
}
