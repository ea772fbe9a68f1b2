import { expectationsOf, type Expectation, type SentAlert } from './expectations.ts';

/** A message that a sink took: a mail or a text message. Milliseconds since 1970 by the clock of the load. */
export interface Arrival {
  readonly at: number;
  /** A mail address, or `+` and digits. */
  readonly to: string;
  readonly alias: string;
}

/** A part of the run, with one fault. Each begins when the one before ends. */
export interface Phase {
  readonly name: string;
  readonly beganAt: number;
  readonly endedAt: number;
  /** When the fault began; undefined where the phase has none. */
  readonly faultAt: number | undefined;
  /** When its cause was removed. */
  readonly healedAt: number | undefined;
  /** Whether its times count: they do not in the first phase, in which every process does all for the first time. */
  readonly isTimed: boolean;
  /** What the ledger of the installation said afterwards, where it did not balance. */
  readonly ledgerProblem: string | undefined;
}

/** Everything that a run wrote down. */
export interface RunRecord {
  readonly phases: readonly Phase[];
  readonly alerts: readonly SentAlert[];
  readonly arrivals: readonly Arrival[];
  /** The requests that the installation calls successful. */
  readonly settled: ReadonlySet<string>;
  /** The aliases of which the log says that a send was interrupted and may have arrived. */
  readonly interrupted: ReadonlySet<string>;
}

/** A message that came more than once. */
interface Repeat {
  readonly what: string;
  /** How often it came beyond the first time. */
  readonly times: number;
  /** Whether the log of the alert says that the send was interrupted. */
  readonly isExplained: boolean;
}

/** The result of one phase. A message belongs to the phase in which it is due, an alert to the phase in which it was accepted. */
export interface PhaseBalance {
  readonly phase: Phase;
  readonly accepted: number;
  /** Tries that were refused or had no answer, of alerts that were first tried in the phase. */
  readonly refusals: number;
  /** Aliases that no try brought in. */
  readonly notAccepted: readonly string[];
  readonly unsettled: readonly string[];
  /** Wanted messages. */
  readonly pages: number;
  readonly missing: readonly string[];
  readonly wrong: readonly string[];
  readonly twice: readonly Repeat[];
  /** The longest time from the instant at which a message was due until a sink had it, in milliseconds. */
  readonly worstMs: number;
  readonly medianMs: number;
  /** From the fault to the first page from which on all take less than {@link RECOVERED_MS}; undefined where there is none. */
  readonly recoveryMs: number | undefined;
  /** Messages that took longer than {@link PROMISED_MS}, or did not come. */
  readonly late: number;
}

/** A page that takes less shows that the installation works as without a fault. */
export const RECOVERED_MS = 2_000;
/** The objective `handed-over` of charts/tocsin/files/rules/objectives.yaml. */
const PROMISED_MS = 10_000;
/** The share of that objective, and the time that it has. */
export const PROMISED_SHARE = 0.9999;
const MONTH_MS = 30 * 86_400_000;

const keyOf = ({ alias, to }: { readonly alias: string; readonly to: string }): string => `${alias} to ${to}`;

/** How long a wanted message took; infinite where it did not come. */
export interface TimedPage {
  readonly what: string;
  readonly dueAt: number;
  readonly tookMs: number;
}

/** Every phase of the run, with what the sinks and the installation say. */
export function balanced(run: RunRecord): readonly PhaseBalance[] {
  const arrived = Map.groupBy(run.arrivals, keyOf);
  const expectations = new Map(run.alerts.flatMap(expectationsOf).map((each) => [keyOf(each), each]));
  const known = new Map(run.alerts.map((alert) => [alert.alias, alert]));
  const wrong = run.arrivals.filter((arrival) => isWrong(arrival, expectations, known));
  return run.phases.map((phase) => {
    const own = [...expectations.values()].filter(({ dueAt }) => isWithin(phase, dueAt));
    const pages = own.filter(({ wanted }) => wanted === 'yes').map((each) => timed(each, arrived));
    const accepted = run.alerts.filter(({ accepted }) => accepted !== undefined && isWithin(phase, accepted.at));
    const tried = run.alerts.filter(({ firstTriedAt }) => isWithin(phase, firstTriedAt));
    const took = pages.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
    return {
      phase,
      accepted: accepted.length,
      refusals: tried.reduce((sum, { refusals }) => sum + refusals, 0),
      notAccepted: tried.filter(({ accepted }) => accepted === undefined).map(({ alias }) => alias),
      unsettled: accepted.filter((alert) => !isSettled(alert, run.settled)).map(({ alias }) => alias),
      pages: pages.length,
      missing: pages.filter(({ tookMs }) => tookMs === Infinity).map(({ what }) => what),
      wrong: wrong.filter(({ at }) => isWithin(phase, at)).map(keyOf),
      twice: own.flatMap((each) => repeatOf(each, arrived, run.interrupted)),
      worstMs: Math.max(0, ...took.filter(Number.isFinite)),
      medianMs: took[Math.floor(took.length / 2)] ?? 0,
      recoveryMs: phase.faultAt === undefined ? 0 : recovery(pages, phase.faultAt),
      late: took.filter((ms) => ms > PROMISED_MS).length,
    };
  });
}

const isWithin = ({ beganAt, endedAt }: Phase, at: number): boolean => at >= beganAt && at < endedAt;

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

function timed(expectation: Expectation, arrived: ReadonlyMap<string, readonly Arrival[]>): TimedPage {
  const { dueAt } = expectation;
  const what = keyOf(expectation);
  const first = Math.min(...(arrived.get(what) ?? []).map(({ at }) => at));
  return { what, dueAt, tookMs: Math.max(0, first - dueAt) };
}

const isSettled = ({ accepted, stopped }: SentAlert, settled: ReadonlySet<string>): boolean =>
  [accepted, stopped].every((request) => request === undefined || settled.has(request.requestId));

function repeatOf(
  expectation: Expectation,
  arrived: ReadonlyMap<string, readonly Arrival[]>,
  interrupted: ReadonlySet<string>,
): readonly Repeat[] {
  const what = keyOf(expectation);
  const times = (arrived.get(what)?.length ?? 0) - 1;
  return times > 0 ? [{ what, times, isExplained: interrupted.has(expectation.alias) }] : [];
}

/**
 * From the fault to the instant at which the first page was due from which on all take less than {@link RECOVERED_MS}, in
 * milliseconds: 0 where the fault slows no page. Undefined where the last page is slow, or there is none.
 */
export function recovery(pages: readonly TimedPage[], faultAt: number): number | undefined {
  const isSlow = ({ tookMs }: TimedPage): boolean => tookMs >= RECOVERED_MS;
  const lastSlowAt = Math.max(...pages.filter(isSlow).map(({ dueAt }) => dueAt));
  const later = pages.filter(({ dueAt }) => dueAt > Math.max(lastSlowAt, faultAt)).map(({ dueAt }) => dueAt);
  if (later.length === 0) return undefined;
  return lastSlowAt === -Infinity ? 0 : Math.max(0, Math.min(...later) - faultAt);
}

/** A sentence for everything that misses the bar; none where all is as promised. */
export function problems(balances: readonly PhaseBalance[]): readonly string[] {
  return balances.flatMap((balance) => {
    const { missing, notAccepted, phase, twice, unsettled, wrong } = balance;
    const unexplained = twice.filter(({ isExplained }) => !isExplained).map(({ what }) => what);
    const found = [
      ...listed(unsettled, 'accepted alerts are not settled'),
      ...listed(missing, 'messages did not come'),
      ...listed(wrong, 'messages should not have come'),
      ...listed(unexplained, 'messages came twice although no send was interrupted'),
      ...listed(notAccepted, 'alerts were refused until the end'),
      ...(balance.accepted === 0 && phase.faultAt !== undefined ? ['no alert was accepted, so nothing is shown'] : []),
      ...(phase.isTimed ? timeProblems(balance) : []),
      ...(phase.ledgerProblem === undefined ? [] : [`the ledger does not balance: ${phase.ledgerProblem}`]),
    ];
    return found.map((what) => `${phase.name}: ${what}`);
  });
}

function timeProblems({ phase, recoveryMs, worstMs }: PhaseBalance): readonly string[] {
  if (phase.faultAt === undefined)
    return worstMs < RECOVERED_MS ? [] : [`the worst page took ${seconds(worstMs)}, without a fault`];
  if (recoveryMs === undefined) return ['pages did not become fast again'];
  const excess = worstMs - recoveryMs - RECOVERED_MS;
  return excess <= 0
    ? []
    : [`the worst page took ${seconds(worstMs)}, ${seconds(excess)} more than the recovery and 2 s`];
}

const SHOWN = 5;

function listed(items: readonly string[], what: string): readonly string[] {
  if (items.length === 0) return [];
  const more = items.length > SHOWN ? ', …' : '';
  return [`${items.length} ${what}: ${items.slice(0, SHOWN).join(', ')}${more}`];
}

/** Milliseconds as seconds with one digit. */
export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

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
    .filter(({ pages, phase }) => pages > 0 && phase.faultAt !== undefined)
    .reduce((sum, { late, pages, phase }) => sum + (late / pages) * (phase.endedAt - phase.beganAt), 0);
  return { lateMs, allowedMs: MONTH_MS * (1 - PROMISED_SHARE), share: 1 - lateMs / MONTH_MS };
}
