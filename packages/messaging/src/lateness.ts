import type { IHeaders, RecordMetadata } from 'kafkajs';

const HEADER = 'until';

/** Appended longer than this after its deadline, a message is late: more than clocks differ by and an answer takes. */
const GRACE_MS = 60_000;

/** An answer that took longer tells nothing: what was appended before an outage is answered after it, with the stamp of then. */
const LONGEST_ANSWER_MS = 10_000;
/** Clocks that moved apart by more were set, or the machine slept. */
const SMALLEST_STEP_MS = 1_000;

/** A moment by the two clocks of this process: one that somebody may set, and one that only runs. */
export interface Moment {
  readonly dayMs: number;
  readonly runMs: number;
}

export const moment = (): Moment => ({ dayMs: Date.now(), runMs: performance.now() });

/**
 * Marks messages that are worth nothing once their caller was told that they were not taken, with the last instant at which
 * they may be appended: in the time of the brokers, so that a wrong clock here makes nothing late. Nothing is marked until the
 * brokers have told their time, after the clock here was set until they tell it again, and on topics that do not stamp what is
 * appended.
 */
export class Lateness {
  #known: { readonly aheadMs: number; readonly at: Moment } | undefined;

  /** Hears the brokers' time from their answer to what was sent then. */
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
