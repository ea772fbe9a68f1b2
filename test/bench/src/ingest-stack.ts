import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { cpuSeconds } from './ingest-figures.ts';
import type { Target } from './ingest-load.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const FLAGS = [
  '--conditions=source',
  '--disable-warning=TimeoutNegativeWarning',
  '--disable-warning=ExperimentalWarning',
];

interface RunningProcess {
  readonly name: string;
  readonly pid: number;
}

/** A whole installation of its own, started as `npm start` does and gone without a trace after `stop`. */
export class BenchStack {
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #port: number;

  private constructor(child: ChildProcess, folder: string, port: number) {
    this.#child = child;
    this.#folder = folder;
    this.#port = port;
  }

  /**
   * With its own mailbox, unless there is an `smtpUrl`. Unless `own` says so, no rate is limited, no caller is refused because alerts
   * wait, and no page is bundled: a bench is one key that floods a few people. Every service gets the settings `own`.
   *
   * @throws Error with what the installation said, when it does not become ready.
   */
  static async start(
    port: number,
    smtpUrl = '',
    own: Readonly<Record<string, string>> = { RATE_LIMITS: 'off', BUNDLE_LIMITS: 'off' },
  ): Promise<BenchStack> {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tocsin-bench-'));
    const child = spawn(process.execPath, [...FLAGS, path.join(ROOT, 'deploy/src/start.ts'), '--no-demo'], {
      cwd: ROOT,
      // A channel, so that the installation ends with the bench however that ends.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        ...process.env,
        GATEWAY_PORT: String(port),
        TOCSIN_DATA: folder,
        TOCSIN_DOWNLOADS: process.env['TOCSIN_DOWNLOADS'] ?? path.join(ROOT, '.tocsin', 'downloads'),
        // Engines and topics of its own, whatever the shell has.
        KAFKA_BROKERS: '',
        KAFKA_TOPIC_PREFIX: '',
        MONGODB_URI: '',
        SMTP_URL: smtpUrl,
        BOOTSTRAP_API_KEY: '',
        ...own,
      },
    });
    const stack = new BenchStack(child, folder, port);
    try {
      await ready(child);
      return stack;
    } catch (error) {
      await stack.stop();
      throw error;
    }
  }

  /** Of the process that all others belong to. */
  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get apiKey(): string {
    return (this.#read('secrets.json') as { apiKey: string }).apiKey;
  }

  /** The URI of its MongoDB, with every right. */
  get mongoUri(): string {
    const uri = new URL(this.variable('alert-ingest', 'MONGODB_URI'));
    const { mongoKey } = this.#read('secrets.json') as { mongoKey: string };
    return `mongodb://__system:${mongoKey}@${uri.host}/?directConnection=true&authSource=local&authMechanism=SCRAM-SHA-256`;
  }

  /** For loads of alerts, with the key of the installation by default. */
  alertTarget(connections: number, apiKey = this.apiKey): Target {
    return { url: this.url, path: '/v2/alerts', headers: headersOf(apiKey), connections };
  }

  async createUsers(...usernames: readonly string[]): Promise<void> {
    for (const username of usernames)
      await this.call('POST', '/v2/users', { username, fullName: username, role: { name: 'user' } });
  }

  /** One call of the API. @throws Error that says what it answered instead of a 2xx. */
  async call(method: string, route: string, body?: unknown): Promise<unknown> {
    const response = await fetch(`${this.url}${route}`, {
      method,
      headers: headersOf(this.apiKey),
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${route} answered ${response.status}: ${text}`);
    return JSON.parse(text) as unknown;
  }

  /** The metrics of a service as Prometheus reads them. */
  async metrics(service: string): Promise<string> {
    const response = await fetch(`http://127.0.0.1:${this.variable(service, 'ADMIN_PORT')}/metrics`);
    return response.text();
  }

  /** A setting in the environment of a service. */
  variable(service: string, name: string): string {
    const pid = this.#processes().find((each) => each.name === service)?.pid;
    const environment = fs.readFileSync(`/proc/${pid ?? 'self'}/environ`, 'utf8').split('\0');
    return environment.find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
  }

  /** Seconds of processor time that each process has used so far. */
  cpuSeconds(): ReadonlyMap<string, number> {
    const processes = [...this.#processes(), { name: 'supervisor, mailbox', pid: this.#child.pid ?? 0 }];
    return new Map(processes.map(({ name, pid }) => [name, cpuSeconds(fs.readFileSync(`/proc/${pid}/stat`, 'utf8'))]));
  }

  /** Ends everything and removes its data. */
  async stop(): Promise<void> {
    if (this.#child.exitCode === null && this.#child.signalCode === null) {
      this.#child.kill('SIGTERM');
      await once(this.#child, 'exit');
    }
    fs.rmSync(this.#folder, { recursive: true, force: true });
  }

  #processes(): readonly RunningProcess[] {
    return (this.#read('run.json') as { children: readonly RunningProcess[] }).children;
  }

  #read(file: string): unknown {
    return JSON.parse(fs.readFileSync(path.join(this.#folder, file), 'utf8'));
  }
}

const headersOf = (apiKey: string) => ({ authorization: `GenieKey ${apiKey}`, 'content-type': 'application/json' });

/** Resolves with the line that says so; what the installation says later is read and dropped. */
async function ready(child: ChildProcess): Promise<void> {
  const said: string[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue;
    createInterface({ input: stream }).on('line', (line) => {
      if (said.length < 200) said.push(line);
      if (line.startsWith('Tocsin is ready at ')) resolve(undefined);
    });
  }
  child.once('exit', () => {
    reject(new Error(`The installation did not start:\n${said.join('\n')}`));
  });
  await promise;
}
