/** How far the clock of the server is ahead of that of this device, in milliseconds. */
let aheadMs = 0;

/** An answer, of which the server wrote the `Date` between two instants on the clock of this device. */
interface Dated {
  /** To the second: parts of a second are cut off. */
  readonly date: string | null;
  readonly requestedAt: number;
  readonly answeredAt: number;
}

const DATE_STEP_MS = 999;

/** How far the server is ahead after an answer: as before where the answer allows it, so that no clock of the page jumps. */
export function aheadAfter(before: number, { answeredAt, date, requestedAt }: Dated): number {
  const at = Date.parse(date ?? '');
  if (Number.isNaN(at)) return before;
  return Math.min(Math.max(before, at - answeredAt), at + DATE_STEP_MS - requestedAt);
}

/** Learns the clock of the server from an answer. */
export function noteDate(dated: Dated): void {
  aheadMs = aheadAfter(aheadMs, dated);
}

/** An instant on the clock of this device as it is on that of the server, about to the second. Until the first answer they are the same. */
export const serverTime = (deviceTime: number): number => deviceTime + aheadMs;

/** The present instant on the clock of the server. */
export const serverNow = (): number => serverTime(Date.now());
