import { setTimeout as wait } from 'node:timers/promises';
import { backOffMs, withTimeout } from '@tocsin/core';
import type { OutgoingSocket } from '@tocsin/http';
import type { SlackSocketApp } from './app.ts';
import type { SlackSocketClient, SocketFailure } from './client.ts';
import { type Envelope, socketMessageIn } from './message.ts';
import type { TakeEnvelopes } from './operations.ts';

/** Within which Slack says hello. */
const HELLO_TIMEOUT_MS = 10_000;
/** How long a connection that is replaced or given up goes on with its envelopes. */
const RETIRE_TIMEOUT_MS = 5_000;
/** A connection that lasted for less counts as a failure. */
const SHORTEST_MS = 10_000;
const MAX_PAUSE_MS = 60_000;

/** Of the reasons of a `disconnect`, those that ask for no new connection. */
const REFUSALS: Readonly<Record<string, string>> = {
  link_disabled: 'Socket Mode is off in the settings of the app',
  too_many_websockets: 'the app has too many connections: another program uses its token',
};

/** How a connection ended, or will: `replace` wants the next one before that. */
type ConnectionEnd = { readonly kind: 'closed' } | { readonly kind: 'replace' } | SocketFailure;

export interface SlackSocketPorts {
  readonly client: Pick<SlackSocketClient, 'open'>;
  readonly envelopes: Pick<TakeEnvelopes, 'take'>;
  /** Called with why there is no connection, each time; with undefined once there is one. */
  readonly onState: (failure: string | undefined) => Promise<void>;
  /** The pause after the first failure, real time; a second by default. */
  readonly firstPauseMs?: number;
}

/** Keeps a connection of an app open until it is stopped. */
export class SlackSocket {
  /** With the integrations that it has now. */
  app: SlackSocketApp;
  /** Whether Slack has said hello, and the connection goes on. */
  isOpen = false;
  readonly #ports: SlackSocketPorts;
  readonly #stopping = new AbortController();
  readonly #stopped = Promise.withResolvers<ConnectionEnd>();
  /** It ends soon, and goes on until the next one is open. */
  #replaced: SocketConnection | undefined;
  readonly #connections = new Set<SocketConnection>();

  constructor(app: SlackSocketApp, ports: SlackSocketPorts) {
    this.app = app;
    this.#ports = ports;
    void this.#run();
  }

  /** Resolves once the envelopes under way are acknowledged, within 5 s, and no connection is left. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#stopped.resolve({ kind: 'closed' });
    await Promise.all([...this.#connections].map((connection) => connection.retire()));
  }

  /** Rejects for a defect alone. */
  async #run(): Promise<void> {
    for (let failures = 0; !this.#isStopping;) {
      const beganMs = performance.now();
      const end = await this.#hold();
      const isFailure = end.kind === 'failed' || performance.now() - beganMs < SHORTEST_MS;
      failures = isFailure ? failures + 1 : 0;
      if (isFailure) await this.#pause(pauseAfter(end, failures, this.#ports.firstPauseMs));
    }
  }

  /** Opens a connection, and resolves when the next one is to be opened. */
  async #hold(): Promise<ConnectionEnd> {
    const connection = this.#connection();
    const failure = await connection.open(this.app);
    if (failure === undefined) await this.#opened();
    const end = failure ?? (await Promise.race([connection.end, this.#stopped.promise]));
    this.isOpen = false;
    if (end.kind === 'replace') this.#replaced = connection;
    else void connection.retire();
    if (end.kind === 'failed') await this.#note(end.reason);
    return end;
  }

  async #opened(): Promise<void> {
    this.isOpen = true;
    void this.#replaced?.retire();
    this.#replaced = undefined;
    await this.#note(undefined);
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  #connection(): SocketConnection {
    const { client, envelopes } = this.#ports;
    const connection = new SocketConnection({
      client,
      take: (envelope) => envelopes.take(envelope, this.app),
      onOver: () => this.#connections.delete(connection),
    });
    this.#connections.add(connection);
    return connection;
  }

  /** What cannot be noted is noted with the next try. */
  async #note(failure: string | undefined): Promise<void> {
    if (!this.#isStopping) await this.#ports.onState(failure).catch(() => undefined);
  }

  async #pause(ms: number): Promise<void> {
    await wait(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }
}

function pauseAfter(end: ConnectionEnd, failures: number, firstMs = 1_000): number {
  const ownMs = backOffMs(failures, { firstMs, maxMs: MAX_PAUSE_MS });
  if (end.kind !== 'failed') return ownMs;
  const { isForGood, retryAfterMs } = end;
  if (isForGood) return MAX_PAUSE_MS;
  return retryAfterMs === undefined ? ownMs : Math.min(retryAfterMs, MAX_PAUSE_MS);
}

interface ConnectionPorts {
  readonly client: Pick<SlackSocketClient, 'open'>;
  readonly take: (envelope: Envelope) => Promise<string | undefined>;
  readonly onOver: () => void;
}

/** One connection. An envelope is acknowledged by the connection that it came by, once it has had its effect. */
class SocketConnection {
  readonly #ports: ConnectionPorts;
  readonly #hello = Promise.withResolvers<boolean>();
  readonly #end = Promise.withResolvers<ConnectionEnd>();
  readonly #underWay = new Set<Promise<void>>();
  #socket: OutgoingSocket | undefined;

  constructor(ports: ConnectionPorts) {
    this.#ports = ports;
  }

  /** Resolves when it has ended, or Slack says that it will. */
  get end(): Promise<ConnectionEnd> {
    return this.#end.promise;
  }

  /** Resolves when Slack has said hello, or with why there is no connection. */
  async open(app: SlackSocketApp): Promise<SocketFailure | undefined> {
    const opened = await this.#ports.client.open(app, {
      onText: (text, socket) => {
        this.#read(text, socket);
      },
      onClosed: () => {
        this.#hello.resolve(false);
        this.#end.resolve({ kind: 'closed' });
        this.#ports.onOver();
      },
    });
    if (opened.kind === 'failed') {
      this.#ports.onOver();
      return opened;
    }
    this.#socket = opened;
    if (await withTimeout(this.#hello.promise, HELLO_TIMEOUT_MS, () => false)) return undefined;
    const end = await withTimeout(this.#end.promise, 0, () => NO_HELLO);
    return end.kind === 'failed' ? end : NO_HELLO;
  }

  /** Ends it once its envelopes are acknowledged, after 5 s at the latest. */
  async retire(): Promise<void> {
    await withTimeout(this.#taken(), RETIRE_TIMEOUT_MS, () => undefined);
    this.#socket?.close();
  }

  async #taken(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  #read(text: string, socket: OutgoingSocket): void {
    const message = socketMessageIn(text);
    switch (message?.kind) {
      case 'hello':
        this.#hello.resolve(true);
        break;
      case 'disconnect':
        this.#end.resolve(endBy(message.reason));
        this.#hello.resolve(false);
        break;
      case 'envelope':
        this.#take(message, socket);
        break;
      case undefined:
    }
  }

  #take(envelope: Envelope, socket: OutgoingSocket): void {
    const taking = this.#ports.take(envelope).then((acknowledgement) => {
      if (acknowledgement !== undefined) socket.send(acknowledgement);
      this.#underWay.delete(taking);
    });
    this.#underWay.add(taking);
  }
}

const NO_HELLO: SocketFailure = {
  kind: 'failed',
  reason: 'the connection was opened, and Slack said no hello',
  isForGood: false,
};

const endBy = (reason: string): ConnectionEnd => {
  const refusal = Object.hasOwn(REFUSALS, reason) ? REFUSALS[reason] : undefined;
  return refusal === undefined ? { kind: 'replace' } : { kind: 'failed', reason: refusal, isForGood: true };
};
