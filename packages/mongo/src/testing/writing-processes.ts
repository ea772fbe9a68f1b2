import { setTimeout as pause } from 'node:timers/promises';
import { defineTopic } from '@tocsin/events';
import { z } from 'zod';
import { connectMongo, Outbox, type Connection } from '../index.ts';
import { Gate, gatedConnection, gatedPublisher, type Point } from './gated-process.ts';
import { writeVersions, type Change } from './versions.ts';

const WRITERS_PER_PROCESS = 2;

const Changes = defineTopic({
  name: 'changes.v1',
  kind: 'events',
  schema: z.object({ thing: z.number(), version: z.number() }),
  key: ({ thing }: Change) => `thing ${thing}`,
});

/** Processes that write the same things and relay one topic. One of them may have a fault. */
export class Processes {
  /** The topic. */
  readonly log: Change[] = [];
  readonly #target: { readonly uri: string; readonly database: string };
  readonly #leaseMs: number;
  #running: WritingProcess[] = [];
  #fault: { readonly point: Point; readonly hit: (process: WritingProcess) => void } | undefined;
  #lastPublisher: WritingProcess | undefined;

  constructor(target: { readonly uri: string; readonly database: string }, leaseMs: number) {
    this.#target = target;
    this.#leaseMs = leaseMs;
  }

  async start(): Promise<void> {
    const connection = await connectMongo(this.#target);
    const process: WritingProcess = new WritingProcess({
      connection,
      leaseMs: this.#leaseMs,
      log: this.log,
      isStopped: (point) => this.#isStopped(process, point),
      onPublish: () => (this.#lastPublisher = process),
    });
    this.#running.push(process);
  }

  /** Resolves with the process that relays, once it has been stopped at `point`. */
  stoppedAt(point: Point): Promise<WritingProcess> {
    const { promise, resolve } = Promise.withResolvers<WritingProcess>();
    this.#fault = { point, hit: resolve };
    return promise;
  }

  /** Starts a process in place of one that is stopped for ever. */
  async replace(killed: WritingProcess): Promise<void> {
    this.#running = this.#running.filter((process) => process !== killed);
    void killed.die();
    await this.start();
  }

  /** Resolves when so many messages more are published. */
  async published(more: number): Promise<void> {
    const until = this.log.length + more;
    while (this.log.length < until) await pause(5);
  }

  /** Ends the writing. Resolves when all rows are published. */
  async finish(): Promise<void> {
    await Promise.all(this.#running.map((process) => process.endWriting()));
    for (const process of this.#running) while ((await process.pending()) > 0) await pause(5);
    await Promise.all(this.#running.map((process) => process.stop()));
  }

  #isStopped(process: WritingProcess, point: Point): boolean {
    if (this.#fault?.point !== point || this.#lastPublisher !== process) return false;
    this.#fault.hit(process);
    this.#fault = undefined;
    return true;
  }
}

/** Writers and an outbox on a connection of their own, as a process has them. */
export class WritingProcess {
  readonly #connection: Connection;
  readonly #gate: Gate;
  readonly #outbox: Outbox;
  readonly #writers: readonly Promise<void>[];
  #isWriting = true;

  constructor(given: {
    readonly connection: Connection;
    readonly leaseMs: number;
    readonly log: Change[];
    readonly isStopped: (point: Point) => boolean;
    readonly onPublish: () => void;
  }) {
    this.#connection = given.connection;
    this.#gate = new Gate(given.isStopped);
    this.#outbox = new Outbox({
      connection: gatedConnection(given.connection, this.#gate),
      publisher: gatedPublisher(given.log, this.#gate, given.onPublish),
      topics: [Changes],
      logger: { warn: () => undefined, error: () => undefined },
      leaseMs: given.leaseMs,
      renewEveryMs: given.leaseMs / 4,
    });
    this.#outbox.start();
    this.#writers = Array.from({ length: WRITERS_PER_PROCESS }, (_, index) =>
      writeVersions({
        connection: given.connection,
        add: (session, change) => this.#outbox.add(session, Changes, [change]),
        isRowFirst: index === 0,
        isOver: () => !this.#isWriting,
      }),
    );
  }

  /** It goes on where it was stopped. */
  thaw(): void {
    this.#gate.thaw();
  }

  async endWriting(): Promise<void> {
    this.#isWriting = false;
    await Promise.all(this.#writers);
  }

  /** The total of all processes. */
  pending(): Promise<number> {
    return this.#outbox.pending().catch(() => 1);
  }

  async stop(): Promise<void> {
    await this.#outbox.stop();
    await this.#connection.close();
  }

  /** A process that is stopped does nothing more. */
  async die(): Promise<void> {
    await this.endWriting();
    // It ends the watch, and then waits at the gate for ever.
    void this.#outbox.stop();
    await this.#connection.close(true);
  }
}
