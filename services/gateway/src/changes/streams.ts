import type { ServerResponse } from 'node:http';
import type { ChangedKind, Changes } from '@tocsin/api';
import { longWork, ThrottledError, UnavailableError } from '@tocsin/core';
import { Admission, noteStreamBegan, tooManyUnderWay } from '@tocsin/http';
import { type Call, setResponseTime } from '../answer/call.ts';
import { HintBatches } from './hints.ts';

/** The streams of one person (L1). */
const STREAMS_OF_PERSON = 8;
/** A page asks every few seconds meanwhile. */
const RETRY_AFTER_SECONDS = 30;
/** How long a browser waits before it opens a broken stream again. */
const RECONNECT_MS = 5_000;
/** The most bytes that may wait for a reader besides the buffers of the operating system. */
const MAX_UNSENT_BYTES = 131_072;

export interface ChangeStreamsOptions {
  /** The most streams of this process. */
  readonly inAll: number;
  /** The topic of alerts, which is followed only while there are streams. */
  readonly alerts: { follow(): Promise<void>; unfollow(): void };
  readonly batchMs?: number;
}

/** The reader of a stream. */
export interface Follower {
  /** The person, as limits name them. */
  readonly holder: string;
  /** Whether their session goes on. */
  readonly isSignedIn: () => boolean;
}

interface Stream extends Follower {
  readonly response: ServerResponse;
  /** Whether something was unsent at the last comment. */
  wasUnsent: boolean;
}

/**
 * The streams of changes of this process (L1). All of them get the same batches, of which the bytes exist once. No stream holds more than a
 * bounded number of bytes: one whose reader does not read is closed.
 */
export class ChangeStreams {
  readonly #options: ChangeStreamsOptions;
  readonly #limit: Admission;
  readonly #batches: HintBatches;
  readonly #streams = new Set<Stream>();
  /** Streams, and requests that are to become one. */
  #held = 0;
  #isStopping = false;

  constructor(options: ChangeStreamsOptions) {
    const { batchMs, inAll } = options;
    this.#options = options;
    this.#limit = new Admission({ inAll, each: Math.min(STREAMS_OF_PERSON, inAll) });
    this.#batches = new HintBatches({
      send: (changes) => this.#sendToAll(changes),
      ...(batchMs !== undefined && { batchMs }),
    });
  }

  /** How many there are. */
  get size(): number {
    return this.#streams.size;
  }

  /** Whether a hint of the kind would reach a reader, so that its version has to be known. */
  isWanted(kind: ChangedKind): boolean {
    return this.#streams.size > 0 && !this.#batches.isFull(kind);
  }

  /** An entity was changed or deleted. */
  hint(kind: ChangedKind, id: string, version: string): void {
    if (this.isWanted(kind)) this.#batches.add(kind, id, version);
  }

  /**
   * Answers with a stream. Resolves once it has begun.
   *
   * @throws ThrottledError where the person has as many as they may; UnavailableError where there are as many as there may be, while this
   *   process stops, and where Kafka does not answer.
   */
  async open(call: Call, follower: Follower): Promise<void> {
    const { request, response } = call;
    if (this.#isStopping) throw new UnavailableError('The gateway is stopping.');
    // The caller has left: no event would release what is acquired.
    if (response.destroyed) return;
    this.#acquire(follower.holder);
    response.once('close', () => {
      this.#release(follower.holder);
    });
    await this.#options.alerts.follow();
    setResponseTime(call);
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' });
    noteStreamBegan(response);
    if (request.method === 'HEAD') response.end();
    else this.#begin({ ...follower, response, wasUnsent: false });
  }

  /** Writes a comment to each stream. One that could send nothing since the comment before is closed. */
  comment(): void {
    for (const stream of this.#streams) comment(stream);
  }

  /** Ends the streams whose sessions have ended. */
  endSignedOut(): void {
    for (const stream of this.#streams) if (!stream.isSignedIn()) end(stream);
  }

  /** Ends all streams, and begins none. */
  stop(): void {
    this.#isStopping = true;
    this.endAll();
  }

  /** Ends all streams, whose pages ask for new ones. */
  endAll(): void {
    for (const stream of this.#streams) end(stream);
  }

  #acquire(holder: string): void {
    const result = this.#limit.tryAcquire(holder);
    if (result === 'full') throw tooManyUnderWay(result);
    if (result === 'over-its-share')
      throw new ThrottledError('Too many pages of this user follow changes.', {
        reason: 'USER',
        periodSeconds: 1,
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    this.#held += 1;
  }

  #release(holder: string): void {
    this.#limit.release(holder);
    this.#held -= 1;
    if (this.#held === 0) this.#options.alerts.unfollow();
  }

  /** The caller may have left meanwhile, and the process may have begun to stop. */
  #begin(stream: Stream): void {
    if (stream.response.destroyed || this.#isStopping) {
      stream.response.end();
      return;
    }
    this.#streams.add(stream);
    stream.response.once('close', () => {
      this.#streams.delete(stream);
      if (this.#streams.size === 0) this.#batches.clear();
    });
    stream.response.write(`retry: ${RECONNECT_MS}\nevent: ready\ndata: {}\n\n`);
  }

  async #sendToAll(changes: Changes): Promise<void> {
    const bytes = Buffer.from(`event: changes\ndata: ${JSON.stringify(changes)}\n\n`);
    for (const stream of [...this.#streams]) {
      if (longWork.isPauseDue()) await longWork.pause();
      write(stream, bytes);
    }
  }
}

const COMMENT = Buffer.from(':\n\n');

function comment(stream: Stream): void {
  const isUnsent = stream.response.writableLength > 0;
  if (isUnsent && stream.wasUnsent) stream.response.destroy();
  else write(stream, COMMENT);
  stream.wasUnsent = isUnsent;
}

function write({ response }: Stream, bytes: Buffer): void {
  if (response.destroyed || response.writableEnded) return;
  response.write(bytes);
  if (response.writableLength > MAX_UNSENT_BYTES) response.destroy();
}

/** An end is sent where the reader reads. */
function end({ response }: Stream): void {
  if (response.writableLength > 0) response.destroy();
  else response.end();
}
