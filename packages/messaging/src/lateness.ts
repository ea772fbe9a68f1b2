import type { IHeaders, RecordMetadata } from 'kafkajs';

const HEADER = 'until';

/** A message that is appended this long after its deadline is late. Longer than an answer takes plus what clocks differ by. */
const GRACE_MS = 60_000;

/** The brokers' time is not learned from a slower answer: it may be about records that were appended before an outage. */
const LONGEST_ANSWER_MS = 10_000;
/** Clocks that moved apart by more were set, or the machine slept. */
const SMALLEST_STEP_MS = 1_000;

/** A moment on the two clocks of this process: the wall clock, which may be set, and the monotonic one. */
export interface Moment {
  readonly dayMs: number;
  readonly runMs: number;
}

export const moment = (): Moment => ({ dayMs: Date.now(), runMs: performance.now() });

/**
 * Marks messages with the latest instant at which they may be appended. After it their caller was told of an error, and nobody
 * wants them any more. The instant is in the brokers' time, so a wrong clock of this machine makes nothing late. Messages are
 * not marked while the brokers' time is unknown: until their first answer, and until the next answer after the clock of this
 * machine was set. On topics without `LogAppendTime` it is never known.
 */
export class Lateness {
  #known: { readonly aheadMs: number; readonly at: Moment } | undefined;

  /** Learns the brokers' time from their answer to a request. */
  heard(answer: readonly Pick<RecordMetadata, 'logAppendTime'>[], sent: Moment, now: Moment): void {
    const stamps = answer.map(({ logAppendTime = '-1' }) => Number(logAppendTime)).filter((stamp) => stamp > 0);
    if (stamps.length === 0 || isStep(sent, now) || now.runMs - sent.runMs > LONGEST_ANSWER_MS) return;
    this.#known = { aheadMs: Math.max(...stamps) - now.dayMs, at: now };
  }

  /** The headers of a message whose caller waits until `deadlineAtMs` by the clock of this process. */
  headers(deadlineAtMs: number | undefined, now: Moment): IHeaders {
    if (deadlineAtMs === undefined || this.#known === undefined || isStep(this.#known.at, now)) return {};
    return { [HEADER]: String(Math.round(deadlineAtMs + this.#known.aheadMs + GRACE_MS)) };
  }
}

/** Whether the clocks moved apart in between. */
const isStep = (one: Moment, other: Moment): boolean =>
  Math.abs(other.dayMs - one.dayMs - (other.runMs - one.runMs)) > SMALLEST_STEP_MS;

/** Whether a record was appended later than its headers allow. */
export function isLate(headers: IHeaders | undefined, appendedAtMs: number): boolean {
  const until = headers?.[HEADER];
  return until !== undefined && appendedAtMs > Number(until);
}
