import { fileURLToPath } from 'node:url';
import { eventually, processEnvironment, ServerProcess } from '@tocsin/testkit';
import type { ServiceName } from '@tocsin/events';

const REPOSITORY = fileURLToPath(new URL('../../../..', import.meta.url));
const NODE_FLAGS = [
  '--conditions=source',
  '--disable-warning=ExperimentalWarning',
  '--disable-warning=TimeoutNegativeWarning',
];
/** A service cuts its stop after 25 s. */
const STOPPED_WITHIN_MS = 30_000;

/** One service as a process of its own, on real time, which a test may kill. It ends with this process at the latest. */
export class ServiceProcess {
  readonly name: ServiceName;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #logFile: string | undefined;
  #process: ServerProcess | undefined;

  /** Its output goes to `logFile`, by default to that of this process. */
  constructor(name: ServiceName, environment: Readonly<Record<string, string>>, logFile?: string) {
    this.name = name;
    this.#environment = environment;
    this.#logFile = logFile;
  }

  /** The port of its API, on 127.0.0.1. */
  get port(): number {
    return Number(this.#environment['PORT']);
  }

  get #readyUrl(): string {
    return `http://127.0.0.1:${this.#environment['ADMIN_PORT'] ?? ''}/readyz`;
  }

  /** Whether it answers that it is ready, within `timeoutMs`. */
  async isReady(timeoutMs: number): Promise<boolean> {
    const signal = AbortSignal.timeout(timeoutMs);
    return fetch(this.#readyUrl, { signal }).then(
      async (response) => {
        await response.arrayBuffer();
        return response.ok;
      },
      () => false,
    );
  }

  /** Resolves when the service is ready. `settings` are for this start alone, beside the usual ones. */
  async start(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    const started = new ServerProcess({
      command: process.execPath,
      args: [...NODE_FLAGS, `services/${this.name}/src/main.ts`],
      cwd: REPOSITORY,
      env: processEnvironment({ ...this.#environment, ...settings }),
      logFile: this.#logFile,
    });
    this.#process = started;
    const end = started.exited.then(({ code, signal }) => {
      throw new Error(`${this.name} ended (${String(code ?? signal)}) before it was ready`);
    });
    const ready = eventually(
      async () => {
        const response = await fetch(this.#readyUrl);
        if (!response.ok) throw new Error(`${this.name} is ${await response.text()}`);
      },
      { timeoutMs: 180_000, everyMs: 100 },
    );
    for (const outcome of [end, ready]) outcome.catch(() => undefined);
    await Promise.race([end, ready]);
  }

  /** Ends it without a warning, as a power cut would. */
  async kill(): Promise<void> {
    await this.#process?.kill();
  }

  /** It stands still, with its connections open, until it is thawed. */
  freeze(): void {
    void this.#process?.pause();
  }

  thaw(): void {
    this.#process?.resume();
  }

  async stop(): Promise<void> {
    await this.#process?.stop(STOPPED_WITHIN_MS);
  }
}
