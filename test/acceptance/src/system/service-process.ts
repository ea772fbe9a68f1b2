import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { eventually, processEnvironment } from '@tocsin/testkit';
import type { ServiceName } from '@tocsin/events';

const REPOSITORY = fileURLToPath(new URL('../../../..', import.meta.url));
const NODE_FLAGS = [
  '--conditions=source',
  '--disable-warning=ExperimentalWarning',
  '--disable-warning=TimeoutNegativeWarning',
];

/** One service as a process of its own, on real time, which a test may kill. */
export class ServiceProcess {
  readonly name: ServiceName;
  readonly #environment: Readonly<Record<string, string>>;
  #child: ChildProcess | undefined;

  constructor(name: ServiceName, environment: Readonly<Record<string, string>>) {
    this.name = name;
    this.#environment = environment;
  }

  /** Resolves when the service is ready. */
  async start(): Promise<void> {
    const child = spawn(process.execPath, [...NODE_FLAGS, `services/${this.name}/src/main.ts`], {
      cwd: REPOSITORY,
      env: processEnvironment(this.#environment),
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    this.#child = child;
    const end = once(child, 'exit').then(([code, signal]: unknown[]) => {
      throw new Error(`${this.name} ended (${String(code ?? signal)}) before it was ready`);
    });
    const ready = eventually(
      async () => {
        const response = await fetch(`http://127.0.0.1:${this.#environment['ADMIN_PORT'] ?? ''}/readyz`);
        if (!response.ok) throw new Error(`${this.name} is ${await response.text()}`);
      },
      { timeoutMs: 180_000, everyMs: 100 },
    );
    for (const outcome of [end, ready]) outcome.catch(() => undefined);
    await Promise.race([end, ready]);
  }

  /** Ends it without a warning, as a power cut would. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  /** It stands still, with its connections open, until it is thawed. */
  freeze(): void {
    this.#child?.kill('SIGSTOP');
  }

  thaw(): void {
    this.#child?.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    await this.#end('SIGTERM');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
}
