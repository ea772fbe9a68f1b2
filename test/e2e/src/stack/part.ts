import { stripVTControlCharacters } from 'node:util';
import { eventually } from '@tocsin/testkit';
import { getContainerRuntimeClient } from 'testcontainers';
import { PlannedContainer, type PartPlan } from './planned-container.ts';

type Runtime = Awaited<ReturnType<typeof getContainerRuntimeClient>>;
type Container = ReturnType<Runtime['container']['getById']>;

/** As long as a cluster waits before it kills. */
const STOP_WITHIN_SECONDS = 30;
const WAIT_MS = 240_000;
const SHOWN_LINES = 30;

/** A container of a stack, which a test may stop, kill and start again. Its data stays where it is meanwhile. */
export class Part {
  readonly name: string;
  readonly #container: Container;
  readonly #host: string;
  #ports: ReadonlyMap<number, number> = new Map();

  private constructor(name: string, container: Container, host: string) {
    this.name = name;
    this.#container = container;
    // Each family of addresses has ports of its own.
    this.#host = host === 'localhost' ? '127.0.0.1' : host;
  }

  /** Resolves when the container runs, which may be before it answers. */
  static async start(plan: PartPlan, run: string): Promise<Part> {
    const runtime = await getContainerRuntimeClient();
    const started = await new PlannedContainer(plan, run).start();
    const container = runtime.container.getById(started.getId());
    const part = new Part(plan.name, container, runtime.info.containerRuntime.host);
    await part.#readPorts();
    return part;
  }

  /** The address on this machine of a port of the container. */
  address(port: number): string {
    return `${this.#host}:${this.#ports.get(port) ?? `(${port} of ${this.name} is not published)`}`;
  }

  /** Asks it to end, as a cluster does, and waits; resolves with its exit code. */
  async stop(): Promise<number> {
    await this.#container.stop({ t: STOP_WITHIN_SECONDS });
    return (await this.#container.inspect()).State.ExitCode;
  }

  /** Ends it without a warning, as a power cut would. */
  async kill(): Promise<void> {
    await this.#container.kill({ signal: 'SIGKILL' });
    await this.#container.wait();
  }

  async startAgain(): Promise<void> {
    await this.#container.start();
    await this.#readPorts();
  }

  async isRunning(): Promise<boolean> {
    return (await this.#container.inspect()).State.Running;
  }

  /**
   * Resolves when it has ended by itself with 0.
   *
   * @throws Error when it ends with another code, or runs on for 240 s; the message ends with the last lines of its log.
   */
  async succeeded(): Promise<void> {
    const ended = async (): Promise<number> => {
      const { Running: running, ExitCode: code } = (await this.#container.inspect()).State;
      if (running) throw new Error(`it has not ended after ${WAIT_MS / 1_000} s`);
      return code;
    };
    const code = await eventually(ended, { timeoutMs: WAIT_MS, everyMs: 250 }).catch((error: unknown) => error);
    if (code !== 0) throw await this.#explained(typeof code === 'number' ? `it ended with ${code}` : code);
  }

  /**
   * Resolves when `check` no longer throws.
   *
   * @throws Error when the container ends, or `check` throws for 240 s; the message ends with the last lines of its log.
   */
  async until<T>(check: () => T | Promise<T>): Promise<T> {
    let ended = false;
    const result = await eventually<{ readonly value: T } | { readonly trouble: unknown }>(
      async () => {
        try {
          return { value: await check() };
        } catch (error) {
          ended = !(await this.isRunning());
          if (!ended) throw error;
          return { trouble: new Error('the container ended', { cause: error }) };
        }
      },
      { timeoutMs: WAIT_MS, everyMs: 250 },
    ).catch((trouble: unknown) => ({ trouble }));
    if ('value' in result) return result.value;
    throw await this.#explained(result.trouble);
  }

  /** An error that says of which container it is and what that logged last. */
  async #explained(trouble: unknown): Promise<Error> {
    return new Error(`${this.name}: ${String(trouble)}\n${await this.log(SHOWN_LINES)}`, { cause: trouble });
  }

  /** Resolves when the container has logged `words`. */
  async logged(words: string): Promise<void> {
    await this.until(async () => {
      if (!(await this.log()).includes(words)) throw new Error(`it has not logged: ${words}`);
    });
  }

  /** Resolves when `path` on a port of it answers 200. */
  async answers(port: number, path: string): Promise<void> {
    await this.until(async () => {
      const response = await fetch(`http://${this.address(port)}${path}`, { signal: AbortSignal.timeout(5_000) });
      const text = await response.text();
      if (!response.ok) throw new Error(`${path} answers ${response.status} ${text}`);
    });
  }

  /** Its log, or the last `lines` of it. */
  async log(lines?: number): Promise<string> {
    return logOf(this.#container, lines);
  }

  async #readPorts(): Promise<void> {
    const { Ports: published } = (await this.#container.inspect()).NetworkSettings;
    const own = Object.entries(published).flatMap(([name, bindings]) => {
      const binding = (bindings as readonly Binding[] | null)?.find(({ HostIp }) => !HostIp.includes(':'));
      return binding === undefined ? [] : [[Number.parseInt(name, 10), Number(binding.HostPort)] as const];
    });
    this.#ports = new Map(own);
  }
}

interface Binding {
  readonly HostIp: string;
  readonly HostPort: string;
}

/** The output of a container on both streams, or its last `lines`. */
export async function logOf(container: Container, lines?: number): Promise<string> {
  const written = await container.logs({ follow: false, stdout: true, stderr: true, ...(lines && { tail: lines }) });
  return stripVTControlCharacters(textOf(written));
}

/** Without a terminal an engine sends frames: a stream's number, three zeros, a length of four bytes, and so many bytes. */
function textOf(frames: Buffer): string {
  const texts: Buffer[] = [];
  for (let at = 0; at + 8 <= frames.length;) {
    const length = frames.readUInt32BE(at + 4);
    texts.push(frames.subarray(at + 8, at + 8 + length));
    at += 8 + length;
  }
  return Buffer.concat(texts).toString('utf8');
}
