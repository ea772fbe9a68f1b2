import { BUSY } from './caller.ts';

/** One request of the load, and how it ended. */
export interface Call {
  /** Name of the phase in which it was sent. */
  readonly phase: string;
  /** Milliseconds since 1970. */
  readonly sentAt: number;
  readonly tookMs: number;
  /** The result of the request, other than a 2xx. */
  readonly refusal: string | undefined;
}

/** An alert that a caller sent; the alias stands in the subject of its pages. */
export interface SentAlert extends Call {
  readonly alias: string;
  /** The addresses that are to be paged, each once. */
  readonly recipients: readonly string[];
  /** Of the 202; undefined where there was none. */
  readonly requestId: string | undefined;
}

/** A page that arrived: when, in milliseconds since 1970 by the clock of the load, and to whom. */
export interface ArrivedPage {
  readonly at: number;
  readonly to: string;
  readonly subject: string;
}

/** The changes of the cluster during a part of the load. */
export interface Phase {
  readonly name: string;
  /** Whether the disturbance was announced to the cluster: then no caller may be refused, but for want of processor time. */
  readonly isOrderly: boolean;
  readonly seconds: number;
  /** Starts of containers that are none of a new pod. */
  readonly restarts: number;
  /** Restarts that the phase itself brings about. */
  readonly wantedRestarts: number;
}

/** Everything that one run wrote down. */
export interface Ledger {
  readonly phases: readonly Phase[];
  readonly alerts: readonly SentAlert[];
  readonly reads: readonly Call[];
  /** The requests of which the installation says that they succeeded. */
  readonly settled: ReadonlySet<string>;
  readonly pages: readonly ArrivedPage[];
}

/** The result of one phase. */
export interface PhaseBalance {
  readonly phase: Phase;
  readonly alerts: number;
  readonly accepted: number;
  /** Refusal -> how often. */
  readonly refused: ReadonlyMap<string, number>;
  readonly reads: number;
  readonly refusedReads: ReadonlyMap<string, number>;
  /** The longest that a caller waited for any answer, in milliseconds. */
  readonly slowestMs: number;
  readonly unsettled: readonly SentAlert[];
  /** Pages of accepted alerts that arrived, each counted once. */
  readonly paged: number;
  /** `alias to address` of each that did not. */
  readonly missing: readonly string[];
  /** Pages beyond the first to the same address about the same alert. */
  readonly duplicates: number;
}

/** Every phase of the ledger, settled against what the installation and the mailbox say. */
export function balanced(ledger: Ledger): readonly PhaseBalance[] {
  const arrived = pagesByAlias(ledger.pages);
  return ledger.phases.map((phase) => {
    const alerts = ledger.alerts.filter((alert) => alert.phase === phase.name);
    const reads = ledger.reads.filter((read) => read.phase === phase.name);
    const accepted = alerts.filter(({ requestId }) => requestId !== undefined);
    const wanted = accepted.flatMap(({ alias, recipients }) => recipients.map((to) => ({ alias, to })));
    const counts = wanted.map(({ alias, to }) => arrived.get(alias)?.get(to) ?? 0);
    return {
      phase,
      alerts: alerts.length,
      accepted: accepted.length,
      refused: refusals(alerts),
      reads: reads.length,
      refusedReads: refusals(reads),
      slowestMs: Math.max(0, ...alerts.map(({ tookMs }) => tookMs), ...reads.map(({ tookMs }) => tookMs)),
      unsettled: accepted.filter(({ requestId }) => !ledger.settled.has(requestId ?? '')),
      paged: counts.filter((count) => count > 0).length,
      missing: wanted.flatMap(({ alias, to }, index) => (counts[index] === 0 ? [`${alias} to ${to}`] : [])),
      duplicates: counts.reduce((sum, count) => sum + Math.max(0, count - 1), 0),
    };
  });
}

/** A sentence for everything that a phase should not have come to; none where it is as promised. */
export function problems(balances: readonly PhaseBalance[]): readonly string[] {
  return balances.flatMap((balance) => {
    const { accepted, missing, phase, refused, refusedReads, unsettled } = balance;
    const turnedAway = [refused, refusedReads].reduce(
      (sum, counts) => sum + total(counts) - (counts.get(BUSY) ?? 0),
      0,
    );
    const said: string[] = [];
    if (accepted === 0) said.push('no alert was accepted, so nothing is shown');
    if (unsettled.length > 0) said.push(`${unsettled.length} accepted alerts are not settled: ${listed(unsettled)}`);
    if (missing.length > 0) said.push(`${missing.length} pages did not arrive: ${missing.slice(0, 5).join(', ')}`);
    if (phase.isOrderly && turnedAway > 0) said.push(`${turnedAway} callers were refused`);
    if (phase.restarts > phase.wantedRestarts)
      said.push(`${phase.restarts - phase.wantedRestarts} containers ended by themselves`);
    if (phase.restarts < phase.wantedRestarts) said.push('the container that was killed was not started again');
    return said.map((what) => `${phase.name}: ${what}`);
  });
}

/** The sum of all counts. */
export const total = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((a, b) => a + b, 0);

const listed = (alerts: readonly SentAlert[]): string =>
  alerts
    .slice(0, 5)
    .map(({ alias, requestId }) => `${alias} (${requestId ?? ''})`)
    .join(', ');

function refusals(calls: readonly Call[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { refusal } of calls) {
    if (refusal !== undefined) counts.set(refusal, (counts.get(refusal) ?? 0) + 1);
  }
  return counts;
}

/** Alias -> address -> how many mails; a subject names its alias as one of its words. */
function pagesByAlias(pages: readonly ArrivedPage[]): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const byAlias = new Map<string, Map<string, number>>();
  for (const { subject, to } of pages) {
    for (const word of subject.split(' ')) {
      const counts = byAlias.get(word) ?? new Map<string, number>();
      counts.set(to, (counts.get(to) ?? 0) + 1);
      byAlias.set(word, counts);
    }
  }
  return byAlias;
}
