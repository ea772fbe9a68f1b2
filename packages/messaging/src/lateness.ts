import type { IHeaders, RecordMetadata } from 'kafkajs';

const HEADER = 'until';

/** Appended longer than this after its deadline, a message is late: more than clocks differ by and an answer takes. */
const GRACE_MS = 60_000;

/**
 * Marks messages that are worth nothing once their caller was told that they were not taken, with the last instant at which
 * they may be appended: in the time of the brokers, so that a wrong clock here makes nothing late. Until the brokers have told
 * their time, and on topics that do not stamp what is appended, nothing is marked.
 */
export class Lateness {
  #aheadMs: number | undefined;

  /** Hears the brokers' time from an answer of theirs that came at `nowMs`. */
  heard(answer: readonly Pick<RecordMetadata, 'logAppendTime'>[], nowMs: number): void {
    const stamps = answer.map(({ logAppendTime = '-1' }) => Number(logAppendTime)).filter((stamp) => stamp > 0);
    if (stamps.length > 0) this.#aheadMs = Math.max(...stamps) - nowMs;
  }

  /** The headers of a message whose caller waits until `deadlineAtMs` by the clock of this process. */
  headers(deadlineAtMs: number | undefined): IHeaders {
    if (deadlineAtMs === undefined || this.#aheadMs === undefined) return {};
    return { [HEADER]: String(Math.round(deadlineAtMs + this.#aheadMs + GRACE_MS)) };
  }
}

/** Whether a record was appended later than its headers allow. */
export function isLate(headers: IHeaders | undefined, appendedAtMs: number): boolean {
  const until = headers?.[HEADER];
  return until !== undefined && appendedAtMs > Number(until);
}
