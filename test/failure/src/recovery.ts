import { expectationsOf, type Expectation, type SentAlert } from './expectations.ts';

/** A page that a sink accepted: a mail or a text message. Milliseconds since 1970 by the clock of the load. */
export interface Arrival {
  readonly at: number;
  /** A mail address, or `+` and digits. */
  readonly to: string;
  readonly alias: string;
}

/** How long a wanted page took; infinite while it has not come. */
export interface TimedPage {
  /** The alert and the address, as {@link keyOf} has them. */
  readonly what: string;
  readonly dueAt: number;
  readonly tookMs: number;
}

/** A page that takes less shows that the installation works as without a fault. */
export const RECOVERED_MS = 2_000;
/** For so long no page may be slow after a fault. */
const FAST_FOR_MS = 8_000;
/** Where no page is due for longer, alerts are refused, and nothing shows that pages are fast. */
const MAX_GAP_MS = FAST_FOR_MS / 2;
/** A page that has not come by then is missing. The next fault does not wait for it any longer. */
export const OUTSTANDING_LIMIT_MS = 60_000;

/** What names a page in reports: the alert and the address. */
export const keyOf = ({ alias, to }: { readonly alias: string; readonly to: string }): string => `${alias} to ${to}`;

/** The pages of these alerts that are wanted. */
export const wantedPages = (alerts: readonly SentAlert[], arrivals: readonly Arrival[]): readonly TimedPage[] =>
  timedPages(
    alerts.flatMap(expectationsOf).filter(({ wanted }) => wanted === 'yes'),
    Map.groupBy(arrivals, keyOf),
  );

/** `arrived` has the arrivals by {@link keyOf}. */
export function timedPages(
  expectations: readonly Expectation[],
  arrived: ReadonlyMap<string, readonly Arrival[]>,
): readonly TimedPage[] {
  return expectations.map((expectation) => {
    const { dueAt } = expectation;
    const what = keyOf(expectation);
    const first = Math.min(...(arrived.get(what) ?? []).map(({ at }) => at));
    return { what, dueAt, tookMs: Math.max(0, first - dueAt) };
  });
}

const isSlow = ({ tookMs }: TimedPage): boolean => tookMs >= RECOVERED_MS;

/**
 * From the fault to the beginning of the first {@link FAST_FOR_MS} in which pages are due and none is slow, in milliseconds: 0 where the
 * fault slows no page that is due after it. Undefined where there is no such time.
 */
export function recovery(pages: readonly TimedPage[], faultAt: number): number | undefined {
  const later = pages.filter(({ dueAt }) => dueAt >= faultAt).sort((one, other) => one.dueAt - other.dueAt);
  let fastFrom: number | undefined = faultAt;
  let previousAt = faultAt;
  for (const page of later) {
    const { dueAt } = page;
    if (fastFrom === undefined || dueAt - previousAt > MAX_GAP_MS) fastFrom = dueAt;
    if (dueAt - fastFrom >= FAST_FOR_MS) return fastFrom - faultAt;
    if (isSlow(page)) fastFrom = undefined;
    previousAt = dueAt;
  }
  return undefined;
}

/**
 * Whether all pages that were due in the last {@link FAST_FOR_MS} were fast, which is known {@link RECOVERED_MS} later, and each page
 * that was due before has come or is older than {@link OUTSTANDING_LIMIT_MS}. These seconds begin after `since`.
 */
export function areFast(pages: readonly TimedPage[], since: number, now: number): boolean {
  const until = now - RECOVERED_MS;
  const from = until - FAST_FOR_MS;
  const due = pages.filter(({ dueAt }) => dueAt < until);
  const last = due.filter(({ dueAt }) => dueAt >= from);
  const outstanding = due.filter(({ dueAt, tookMs }) => tookMs === Infinity && dueAt >= now - OUTSTANDING_LIMIT_MS);
  return from >= since && last.length > 0 && !last.some(isSlow) && outstanding.length === 0;
}
