import { expectationsOf, type Expectation, type SentAlert } from './expectations.ts';
import { keyOf, recovery, RECOVERED_MS, timedPages, type Arrival, type TimedPage } from './recovery.ts';

/** A fault of the run. All instants are in milliseconds since 1970 by the clock of the load. */
export interface FaultTimes {
  readonly beganAt: number;
  /** When its cause was removed and all that was to be started again worked. */
  readonly removedAt: number;
  /** How long the recovery may take, from the beginning of the fault. */
  readonly recoveryLimitMs: number;
}

/** A part of the run. Each begins when the one before ends. */
export interface Phase {
  readonly name: string;
  /** The bar of its pages. In the warm-up, every process does all for the first time: its times do not count. */
  readonly kind: 'warm-up' | 'no-fault' | 'fault' | 'last-pages';
  readonly beganAt: number;
  readonly endedAt: number;
  /** Undefined where the phase has no fault. */
  readonly fault: FaultTimes | undefined;
  /** Whether pages were fast before the next phase began, or the time for that was over. */
  readonly endedFast: boolean;
  /** What the ledger of the installation said afterwards; `problem` where it did not balance. Undefined where it was not read. */
  readonly ledger: { readonly problem: string | undefined } | undefined;
}

/** Everything that a run wrote down. */
export interface RunRecord {
  readonly phases: readonly Phase[];
  readonly alerts: readonly SentAlert[];
  readonly arrivals: readonly Arrival[];
  /** The requests that the installation calls successful. */
  readonly settled: ReadonlySet<string>;
  /** How often the log of an alert says that the page was sent again after an interruption, by {@link keyOf}. */
  readonly interruptions: ReadonlyMap<string, number>;
  /** Whether the run has waited for all pages and requests: what is outstanding then is missing. */
  readonly hasEnded: boolean;
}

/** A page that came more than once. */
interface Repeat {
  readonly what: string;
  /** How often it came beyond the first time. */
  readonly times: number;
  /** How many of these no log explains by an interruption. */
  readonly unexplained: number;
}

/** A page that came later than the bar of its phase allows. */
interface SlowPage {
  readonly what: string;
  readonly excessMs: number;
}

/** The result of one phase. A page belongs to the phase in which it is due, an alert to the phase in which it was accepted. */
export interface PhaseBalance {
  readonly phase: Phase;
  /** Whether what has not come is missing. Before the end of the run it is pending. */
  readonly isFinal: boolean;
  readonly accepted: number;
  /** Requests that were refused or had no answer within the phase. */
  readonly refusals: number;
  /** The creates, acknowledgements and closes, first sent in the phase, that no request brought in. */
  readonly notAccepted: readonly string[];
  readonly unsettled: readonly string[];
  /** Wanted pages. */
  readonly pages: number;
  readonly missing: readonly string[];
  readonly wrong: readonly string[];
  readonly twice: readonly Repeat[];
  readonly slow: readonly SlowPage[];
  /**
   * The longest time from the instant at which a page was due until a sink accepted it, in milliseconds. A page that came before the
   * fault does not count.
   */
  readonly worstMs: number;
  readonly medianMs: number;
  /** {@link recovery} from the fault; 0 where there is no fault, undefined where there is no end. */
  readonly recoveryMs: number | undefined;
  /** Pages that took longer than {@link PROMISED_MS}, or did not come. */
  readonly late: number;
}

/** The objective `handed-over` of charts/tocsin/files/rules/objectives.yaml. */
const PROMISED_MS = 10_000;
/** The share of that objective, and the time that it has. */
export const PROMISED_SHARE = 0.9999;
const MONTH_MS = 30 * 86_400_000;

/** Every phase of the run, with what the sinks and the installation say. */
export function balanced(run: RunRecord): readonly PhaseBalance[] {
  const arrived = Map.groupBy(run.arrivals, keyOf);
  const expectations = new Map(run.alerts.flatMap(expectationsOf).map((each) => [keyOf(each), each]));
  const known = new Map(run.alerts.map((alert) => [alert.alias, alert]));
  const wrong = run.arrivals.filter((arrival) => isWrong(arrival, expectations, known));
  return run.phases.map((phase, index) => {
    const isWithin = spanOf(run, index);
    const own = [...expectations.values()].filter(({ dueAt }) => isWithin(dueAt));
    const wanted = own.filter((each) => each.wanted === 'yes');
    return {
      phase,
      isFinal: run.hasEnded,
      ...balanceOfRequests(run, isWithin),
      wrong: wrong.filter(({ at }) => isWithin(at)).map(keyOf),
      twice: own.flatMap((each) => repeatOf(keyOf(each), arrived, run.interruptions)),
      ...balanceOfPages(timedPages(wanted, arrived), phase),
    };
  });
}

/** Whether an instant is of a phase. Once the run has ended, the first and the last have what was before and after them. */
function spanOf({ hasEnded, phases }: RunRecord, index: number): (at: number | undefined) => boolean {
  const { beganAt = 0, endedAt = 0 } = phases[index] ?? {};
  const from = index === 0 ? -Infinity : beganAt;
  const until = hasEnded && index === phases.length - 1 ? Infinity : endedAt;
  return (at) => at !== undefined && at >= from && at < until;
}

function balanceOfRequests({ alerts, settled }: RunRecord, isWithin: (at: number | undefined) => boolean) {
  const accepted = alerts.filter((alert) => isWithin(alert.accepted?.at));
  const creates = alerts.filter((alert) => alert.accepted === undefined && isWithin(alert.firstSentAt));
  const stops = alerts.filter((alert) => alert.stopped === undefined && isWithin(alert.stopSentAt));
  const aliases = (of: readonly SentAlert[]): readonly string[] => of.map(({ alias }) => alias);
  return {
    accepted: accepted.length,
    refusals: alerts.flatMap(({ refusedAt }) => refusedAt).filter(isWithin).length,
    notAccepted: [...aliases(creates), ...aliases(stops).map((alias) => `acknowledgement or close of ${alias}`)],
    unsettled: aliases(accepted.filter((alert) => !isSettled(alert, settled))),
  };
}

function balanceOfPages(pages: readonly TimedPage[], phase: Phase) {
  const { fault } = phase;
  const took = pages.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
  const affected = pages.filter(({ dueAt, tookMs }) => fault === undefined || dueAt + tookMs >= fault.beganAt);
  const recoveryMs = fault === undefined ? 0 : recovery(pages, fault.beganAt);
  return {
    pages: pages.length,
    missing: pages.filter(({ tookMs }) => tookMs === Infinity).map(({ what }) => what),
    slow: pages.flatMap((page) => slowPage(page, barOf(page, phase, recoveryMs))),
    worstMs: Math.max(0, ...affected.map(({ tookMs }) => tookMs).filter(Number.isFinite)),
    medianMs: took[Math.floor(took.length / 2)] ?? 0,
    recoveryMs,
    late: took.filter((ms) => ms > PROMISED_MS).length,
  };
}

function isWrong(
  arrival: Arrival,
  expectations: ReadonlyMap<string, Expectation>,
  known: ReadonlyMap<string, SentAlert>,
): boolean {
  const expected = expectations.get(keyOf(arrival));
  if (expected !== undefined) return expected.wanted === 'no' || arrival.at < expected.earliestAt;
  // An alert whose answers were all lost may be there all the same.
  const alert = known.get(arrival.alias);
  return alert === undefined || alert.accepted !== undefined || ![alert.first, alert.second].includes(arrival.to);
}

const isSettled = ({ accepted, stopped }: SentAlert, settled: ReadonlySet<string>): boolean =>
  [accepted, stopped].every((request) => request === undefined || settled.has(request.requestId));

function repeatOf(
  what: string,
  arrived: ReadonlyMap<string, readonly Arrival[]>,
  interruptions: ReadonlyMap<string, number>,
): readonly Repeat[] {
  const times = (arrived.get(what)?.length ?? 0) - 1;
  return times > 0 ? [{ what, times, unexplained: Math.max(0, times - (interruptions.get(what) ?? 0)) }] : [];
}

/** The instant by which a page should come. A page that is due before the end of the recovery has to come soon after that end. */
function barOf({ dueAt }: TimedPage, { fault, kind }: Phase, recoveryMs: number | undefined): number {
  if (kind === 'warm-up') return Infinity;
  if (kind === 'no-fault') return dueAt + RECOVERED_MS;
  // Without an end of the recovery, that is the problem.
  const recoveredAt = fault === undefined ? -Infinity : fault.beganAt + (recoveryMs ?? Infinity);
  return dueAt < recoveredAt ? recoveredAt + RECOVERED_MS : dueAt + PROMISED_MS;
}

function slowPage({ dueAt, tookMs, what }: TimedPage, bar: number): readonly SlowPage[] {
  const excessMs = dueAt + tookMs - bar;
  return Number.isFinite(tookMs) && excessMs > 0 ? [{ what, excessMs }] : [];
}

/** What a month costs in which each fault of a run happens once, at an even rate of alerts. */
export interface MonthShare {
  /** The time of a month in which pages take longer than promised, in milliseconds. */
  readonly lateMs: number;
  /** The same as the objective allows it. */
  readonly allowedMs: number;
  /** The share of pages within the promised time, from 0 to 1. */
  readonly share: number;
}

/** The objective over a month: the late pages of each fault, as the time in which so many are due. */
export function monthShare(balances: readonly PhaseBalance[]): MonthShare {
  const lateMs = balances
    .filter(({ pages, phase }) => pages > 0 && phase.kind === 'fault')
    .reduce((sum, { late, pages, phase }) => sum + (late / pages) * (phase.endedAt - phase.beganAt), 0);
  return { lateMs, allowedMs: MONTH_MS * (1 - PROMISED_SHARE), share: 1 - lateMs / MONTH_MS };
}
