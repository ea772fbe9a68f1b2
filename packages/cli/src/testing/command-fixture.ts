import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { run } from '../program.ts';
import type { ProcessIo } from '../process-io.ts';
import type { ExitCode } from '../cli-error.ts';
import { SWITCH_PATH } from '../moving/shadow/switch.ts';

/** The answers of an installation in a test. */
export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A string is sent as it is, anything else as JSON. */
  readonly body?: unknown;
}

/** A request as it came. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: unknown;
}

const receivedOf = ({ method = '', url = '', headers }: http.IncomingMessage, text: string): Received => ({
  method,
  path: url,
  authorization: headers.authorization,
  body: text === '' ? undefined : JSON.parse(text),
});

/** Answers HTTP on this machine as a test says, and keeps what came. */
export class ScriptedApi {
  readonly received: Received[] = [];
  /** Whether it has the switch of shadow. Without it, questions for that are answered 404 and not kept. */
  hasSwitch = false;
  readonly #replies: (Reply | 'silence')[];
  readonly #server = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const text = Buffer.concat(parts).toString();
      if (request.url === SWITCH_PATH && !this.hasSwitch) {
        response.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"No handler found"}');
        return;
      }
      this.received.push(receivedOf(request, text));
      const reply = this.#replies.length > 1 ? this.#replies.shift() : this.#replies[0];
      if (reply === 'silence') return;
      const { status = 200, headers = {}, body = { data: [] } } = reply ?? {};
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });

  constructor(...replies: (Reply | 'silence')[]) {
    this.#replies = replies;
  }

  /** Resolves with the URL at which it answers; the last reply is given again and again. */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

/** The output of a run, and its exit code. */
export interface Outcome {
  readonly code: ExitCode;
  readonly stdout: string;
  readonly stderr: string;
}

/** A person at a machine of their own: an empty home directory, in Berlin, on the second of March 2026. */
export class Person {
  readonly home = fs.mkdtempSync(path.join(os.tmpdir(), 'tocsin-person-'));
  readonly interrupt = new AbortController();
  env: Readonly<Record<string, string>> = {};
  isTTY = false;
  /** Whether standard input is a terminal. */
  typesAtTerminal = false;
  columns: number | undefined;

  get profileFile(): string {
    return path.join(this.home, '.config', 'tocsin', 'config.json');
  }

  async types(...args: readonly string[]): Promise<Outcome> {
    return this.feeds('', ...args);
  }

  /** Runs a command with `input` on standard input. */
  async feeds(input: string, ...args: readonly string[]): Promise<Outcome> {
    const [stdout, stderr] = [this.#output(), this.#output()];
    const io: ProcessIo = {
      env: this.env,
      stdin: Object.assign(Readable.from(input === '' ? [] : [Buffer.from(input)]), { isTTY: this.typesAtTerminal }),
      ...{ stdout, stderr },
      home: this.home,
      zone: 'Europe/Berlin',
      version: '1.2.3',
      now: () => new Date('2026-03-02T08:00:00Z'),
      interrupted: this.interrupt.signal,
    };
    const code = await run(args, io);
    return { code, stdout: stdout.written.join(''), stderr: stderr.written.join('') };
  }

  #output() {
    const written: string[] = [];
    return { written, write: (text: string) => written.push(text), isTTY: this.isTTY, columns: this.columns };
  }

  leave(): void {
    fs.rmSync(this.home, { recursive: true, force: true });
  }
}
