import type { IHeaders, RecordMetadata } from 'kafkajs';

const HEADER = 'until';

/** A message appended this long after its deadline is late. More than clocks differ by and an answer takes, in milliseconds. */
const GRACE_MS = 60_000;

/**
 * A slower answer does not tell the brokers' time: what was appended before an outage may be answered after it, with the old
 * timestamp.
 */
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
 * Marks messages with the latest instant at which they may be appended. After it their caller has an error as the answer, and
 * nobody wants them any more. The instant is in the brokers' time, so a wrong clock of this machine makes nothing late.
 * Messages go unmarked while the brokers' time is unknown: before their first answer, and after this machine's clock was set until
 * the next one. On topics without `LogAppendTime` it is never known.
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
