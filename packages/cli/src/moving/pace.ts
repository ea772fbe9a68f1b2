/** So many requests in any period of this length. */
export interface RequestLimit {
  readonly limit: number;
  readonly periodMs: number;
}

/** The share of the limits of Opsgenie that is used: its other callers need the rest. */
const USED_SHARE = 0.8;

/** The moments of requests that keep all limits, in any period, also right after the one before. */
export class Pace {
  readonly #windows: readonly { readonly count: number; readonly periodMs: number; readonly sent: number[] }[];

  /** Of each limit 80 % are used, at least one request in a period. */
  constructor(limits: readonly RequestLimit[]) {
    this.#windows = limits.map(({ limit, periodMs }) => ({
      count: Math.max(1, Math.floor(limit * USED_SHARE)),
      periodMs,
      sent: [],
    }));
  }

  /** Takes the next moment, in milliseconds of the clock of `now`: the request is to be sent then, not before. */
  take(now: number): number {
    const free = this.#windows.map(({ count, periodMs, sent }) => {
      const before = sent.length < count ? undefined : sent[0];
      return before === undefined ? now : before + periodMs;
    });
    const moment = Math.max(now, ...free);
    for (const { count, sent } of this.#windows) {
      sent.push(moment);
      if (sent.length > count) sent.shift();
    }
    return moment;
  }
}
