import type { IHeaders, RecordMetadata } from 'kafkajs';

const HEADER = 'until';

/**
 * A message is late when it is appended this long after its deadline. Longer than a slow answer plus the differences of clocks.
 */
const GRACE_MS = 60_000;

/** A measurement that is older than the newest one by more does not count: its clock may have been set right. */
const REMEMBERED_MS = 600_000;
/** A slower answer says nothing about the brokers' clock: its records may have been appended before an outage. */
const MAX_ANSWER_MS = 10_000;
/** When the two clocks of this process move apart by more, the wall clock was set or the machine slept. */
const MIN_STEP_MS = 1_000;

/** One moment on both clocks of this process. The wall clock may be set; the monotonic one may not. */
export interface Moment {
  readonly wallMs: number;
  readonly monotonicMs: number;
}

export const moment = (): Moment => ({ wallMs: Date.now(), monotonicMs: performance.now() });

/**
 * Adds a header to messages with the latest instant at which they may be appended. Later on the caller has had an error, and
 * the message is not wanted any more. The instant is by the brokers' clock, so a wrong clock of this machine makes nothing late.
 * The header is left out while the brokers' clock is unknown: before their first answer, and after the clock of this machine was
 * set, until the next answer. On topics without `LogAppendTime` it is never known.
 */
export class PublishDeadline {
  /** Partition -> how far its leader's clock is ahead of the clock here, and when that was measured. */
  readonly #clocks = new Map<number, { readonly aheadMs: number; readonly at: Moment }>();

  /** Measures the clocks of the leaders by their answer to a request. */
  answered(answer: readonly Pick<RecordMetadata, 'logAppendTime' | 'partition'>[], sent: Moment, now: Moment): void {
    if (isStep(sent, now) || now.monotonicMs - sent.monotonicMs > MAX_ANSWER_MS) return;
    for (const { logAppendTime = '-1', partition } of answer)
      if (Number(logAppendTime) > 0)
        this.#clocks.set(partition, { aheadMs: Number(logAppendTime) - now.wallMs, at: now });
  }

  /**
   * The headers of a message whose caller waits until `deadlineAtMs` by our wall clock. The instant is by the leader's clock that
   * is furthest ahead: any broker may lead the partition by then.
   */
  headers(deadlineAtMs: number | undefined, now: Moment): IHeaders {
    if (deadlineAtMs === undefined) return {};
    const measured = [...this.#clocks.values()].filter(({ at }) => !isStep(at, now));
    const newest = Math.max(...measured.map(({ at }) => at.monotonicMs));
    const ahead = measured.filter(({ at }) => newest - at.monotonicMs <= REMEMBERED_MS).map(({ aheadMs }) => aheadMs);
    if (ahead.length === 0) return {};
    return { [HEADER]: String(Math.round(deadlineAtMs + Math.max(...ahead) + GRACE_MS)) };
  }
}

/** Whether the wall clock was set in between. */
const isStep = (one: Moment, other: Moment): boolean =>
  Math.abs(other.wallMs - one.wallMs - (other.monotonicMs - one.monotonicMs)) > MIN_STEP_MS;

/** Whether a record was appended later than its headers allow. */
export function isLate(headers: IHeaders | undefined, appendedAtMs: number): boolean {
  const until = headers?.[HEADER];
  return until !== undefined && appendedAtMs > Number(until);
}
