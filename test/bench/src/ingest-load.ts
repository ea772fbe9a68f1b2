import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';

/** The result of a load. */
export interface LoadResult {
  readonly sent: number;
  /** Request ids of the 202s. */
  readonly accepted: readonly string[];
  /** Milliseconds from the instant at which a request was due to the end of its 202, ascending. */
  readonly latenciesMs: Float64Array;
  /** The longest wait for another answer, in milliseconds from the instant at which it was due. */
  readonly refusedAfterMs: number;
  /** How late the load itself was at worst, in milliseconds. */
  readonly lagMs: number;
  /** Other answer or error -> how often. */
  readonly refused: ReadonlyMap<string, number>;
  /** From the first request to the last answer. */
  readonly seconds: number;
}

export interface Target {
  readonly url: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly connections: number;
}

/** The body of the request of a number, as JSON. */
export type BodyOf = (index: number) => string;

/** How often the open loop looks at the clock; requests of one look are due together. */
const TICK_MS = 2;
const DRAIN_MS = 10_000;

/** Sends requests at a fixed rate whether or not earlier ones were answered, as callers who know nothing of each other do. */
export async function openLoop(
  target: Target,
  { rate, seconds, bodyOf }: { rate: number; seconds: number; bodyOf: BodyOf },
): Promise<LoadResult> {
  const sender = new Sender(target);
  const startedAt = performance.now();
  const ticks = Math.ceil((seconds * 1_000) / TICK_MS);
  for (let tick = 0; tick < ticks; tick += 1) {
    const dueAt = startedAt + tick * TICK_MS;
    const early = dueAt - performance.now();
    if (early > 0) await pause(early);
    const until = Math.round(((tick + 1) * TICK_MS * rate) / 1_000);
    sender.lagMs = Math.max(sender.lagMs, performance.now() - dueAt);
    while (sender.sent < until) void sender.send(bodyOf(sender.sent), dueAt);
  }
  return sender.finished(startedAt);
}

/**
 * Keeps as many requests under way as there are connections: the most that the target accepts. Where `ready` is given, each
 * request waits for it.
 */
export async function closedLoop(
  target: Target,
  { seconds, bodyOf, ready }: { seconds: number; bodyOf: BodyOf; ready?: () => Promise<void> },
): Promise<LoadResult> {
  const sender = new Sender(target);
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1_000;
  const caller = async () => {
    while (performance.now() < endsAt) {
      await ready?.();
      await sender.send(bodyOf(sender.sent), performance.now());
    }
  };
  await Promise.all(Array.from({ length: target.connections }, caller));
  return sender.finished(startedAt);
}

class Sender {
  readonly #target: Target;
  readonly #pool: Pool;
  readonly #accepted: string[] = [];
  readonly #latencies: number[] = [];
  readonly #refused = new Map<string, number>();
  #underWay = 0;
  #lastEndedAt = 0;
  #isFinished = false;
  #refusedAfterMs = 0;
  sent = 0;
  lagMs = 0;

  constructor(target: Target) {
    this.#target = target;
    this.#pool = new Pool(target.url, { connections: target.connections, pipelining: 1 });
  }

  /** Resolves when the answer, whatever it is, has ended. */
  send(body: string, dueAt: number): Promise<void> {
    this.sent += 1;
    this.#underWay += 1;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    let status = 0;
    let requestId = '';
    const ended = (refusal: string | undefined) => {
      resolve(undefined);
      if (this.#isFinished) return;
      this.#underWay -= 1;
      this.#lastEndedAt = performance.now();
      if (refusal === undefined) {
        this.#accepted.push(requestId);
        this.#latencies.push(this.#lastEndedAt - dueAt);
      } else {
        this.#refusedAfterMs = Math.max(this.#refusedAfterMs, this.#lastEndedAt - dueAt);
        this.#refused.set(refusal, (this.#refused.get(refusal) ?? 0) + 1);
      }
    };
    const { path, headers } = this.#target;
    this.#pool.dispatch(
      { method: 'POST', path, headers, body },
      {
        // Without it undici takes the handler for one of its old kind.
        onRequestStart: () => undefined,
        onResponseStart: (_, statusCode, answered) => {
          status = statusCode;
          requestId = String(answered['x-request-id'] ?? '');
        },
        onResponseData: () => undefined,
        onResponseEnd: () => {
          ended(status === 202 ? undefined : String(status));
        },
        onResponseError: (_, error) => {
          ended(error.message);
        },
      },
    );
    return promise;
  }

  /** The result when every request has an answer, or after {@link DRAIN_MS}. */
  async finished(startedAt: number): Promise<LoadResult> {
    const endsAt = performance.now() + DRAIN_MS;
    while (this.#underWay > 0 && performance.now() < endsAt) await pause(10);
    this.#isFinished = true;
    if (this.#underWay > 0) this.#refused.set('no answer', this.#underWay);
    await this.#pool.destroy();
    return {
      sent: this.sent,
      accepted: this.#accepted,
      latenciesMs: Float64Array.from(this.#latencies).sort(),
      refused: this.#refused,
      refusedAfterMs: this.#refusedAfterMs,
      lagMs: this.lagMs,
      seconds: (this.#lastEndedAt - startedAt) / 1_000,
    };
  }
}
