import { portOpen } from './ports.ts';
import type { ProcessEnd, ServerProcess } from './server-process.ts';

/** Where a server runs: in this process's network by default. */
export interface ServerPlace {
  /** The address on which it listens; 127.0.0.1 by default. */
  readonly host?: string | undefined;
  /** A command that runs the command behind it elsewhere, such as in another network namespace, as the same process. */
  readonly within?: readonly string[] | undefined;
}

export interface LocalServerPlan {
  /** The name in errors. */
  readonly name: string;
  readonly port: number;
  /** 127.0.0.1 by default. */
  readonly host?: string | undefined;
  readonly logFile: string;
  readonly spawn: () => ServerProcess;
}

/** A server on this machine that tests can kill, freeze and restart. It keeps its data and port. */
export class LocalServer {
  readonly #server: LocalServerPlan;
  #process: ServerProcess;

  constructor(server: LocalServerPlan) {
    this.#server = server;
    this.#process = server.spawn();
  }

  get pid(): number {
    return this.#process.pid;
  }

  get port(): number {
    return this.#server.port;
  }

  get exited(): Promise<ProcessEnd> {
    return this.#process.exited;
  }

  /** The last lines of its log; empty where there is none. */
  lastLogLines(count: number): string {
    return this.#process.lastLogLines(count);
  }

  async ready(): Promise<void> {
    const { host, name, port, logFile } = this.#server;
    const abandon = (): string | undefined =>
      this.#process.end === undefined ? undefined : `${name} ended while it started: see ${logFile}`;
    await portOpen(port, abandon, host);
  }

  async restart(): Promise<void> {
    await this.#process.stop();
    this.#process = this.#server.spawn();
    await this.ready();
  }

  async stop(): Promise<void> {
    await this.#process.stop();
  }

  async kill(): Promise<void> {
    await this.#process.kill();
  }

  /** Resolves when it is frozen. */
  pause(): Promise<void> {
    return this.#process.pause();
  }

  resume(): void {
    this.#process.resume();
  }
}
