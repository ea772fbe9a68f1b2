import type { AlertEvent, AlertFact, AlertState, Responder } from '@tocsin/contracts';
import { newsOf, newsWithoutRun, type News } from './news.ts';
import { goesOn, type Run } from './run.ts';

/**
 * Whether an alert can have a run. Responders are never removed, so an alert without any never had one. Most alerts of a busy
 * installation have none.
 */
export const mayRun = ({ state }: AlertEvent): boolean => state.responders.length > 0;

/** Whether an event may page somebody: also one of an alert without a run that has a new owner. */
export const mayPage = (event: AlertEvent): boolean => mayRun(event) || newsWithoutRun(event).length > 0;

/** A caller's request to add a responder, or to fire the next rule of an escalation now (A9). */
export type ManualRequest = AlertFact & {
  readonly kind: 'responder-added' | 'escalated';
  readonly responder: Responder;
  /** The version of the event, and the alert at that version. */
  readonly version: number;
  readonly while: Pick<AlertState, 'acknowledged' | 'snoozed'>;
};

/** The manual requests in an event. */
export const manualRequestsOf = ({
  facts,
  state: { acknowledged, snoozed },
  version,
}: AlertEvent): readonly ManualRequest[] =>
  facts.filter(isManualRequest).map((fact) => ({ ...fact, version, while: { acknowledged, snoozed } }));

const isManualRequest = (fact: AlertFact): fact is Omit<ManualRequest, 'version' | 'while'> =>
  (fact.kind === 'responder-added' || fact.kind === 'escalated') && fact.responder !== undefined;

/** The start of a cycle. */
export interface CycleStart {
  /** The version of the alert that started it. */
  readonly version: number;
  /** The responders that the alert had at the start. */
  readonly responders: readonly Responder[];
  /**
   * `pages`: the responders are paged. The other two are for a cycle that was stopped, or followed by another cycle, before its
   * start was seen here. No responder is paged then. The branches are opened all the same, so that an escalate request finds their
   * next rule. With `has-paged` the first rules count as fired, with `never-paged` none does.
   */
  readonly how: 'pages' | 'has-paged' | 'never-paged';
}

/** What an event changes about the run of its alert. */
export type Observation =
  | { readonly kind: 'stale' }
  | {
      readonly kind: 'changed';
      /** The run with the new state and facts. */
      readonly run: Run;
      /** Set when the cycle starts; it is handled first. */
      readonly cycleStart: CycleStart | undefined;
      readonly requests: readonly ManualRequest[];
      /** The ids of orders that alert-processor has carried out. */
      readonly done: ReadonlySet<string>;
      /** What people are told of. */
      readonly news: readonly News[];
    };

export type ObservedChange = Extract<Observation, { kind: 'changed' }>;

/** How many handled manual requests a run remembers, and how many facts that were told. */
const MOST_REMEMBERED = 200;

/**
 * Applies an event to a run. The outcome does not depend on the order in which the events of an alert arrive, nor on how often:
 * the newest state counts; whichever event of a cycle arrives first starts the cycle; each fact is handled once, and not at all
 * when the flow was restarted or stopped after it; a stop ends what was opened before it. News are told whatever the state and
 * the cycle are by then, to whoever has been paged when they come.
 *
 * An acknowledgement stops nothing, because rules that ask for "not closed" go on (A4); a close, a delete, a snooze, a hold and
 * a suppression do.
 *
 * `isSuperseded`: a later cycle of the alert is settled in the same batch. This cycle then starts only where a caller escalated it,
 * and pages by that alone, because the later cycle pages the responders.
 */
export function observe(known: Run | undefined, event: AlertEvent, isSuperseded = false): Observation {
  const before = known ?? newRun(event);
  const news = untold(before, event);
  if (event.state.cycle < before.cycle) return onlyTold(before, news);
  const seen = withNewest(before, event);
  const requests = manualRequestsOf(event)
    .filter(({ kind }) => !isSuperseded || kind === 'escalated')
    .filter((request) => takesEffect(seen, event, request));
  const cycleStart = cycleStartOf(seen, event, requests, isSuperseded);
  const done = new Set(event.facts.filter(({ kind }) => kind === 'reset').map(({ factId }) => factId));
  const awaited = seen.branches.some(({ awaits }) => awaits !== undefined && done.has(awaits));
  if (!isNew(known, seen) && cycleStart === undefined && requests.length === 0 && !awaited) return onlyTold(seen, news);
  const run: Run = {
    ...seen,
    ...(cycleStart && { begun: true, acceptedAt: event.acceptedAt }),
    trace: traceAfter(seen, event, { isStart: cycleStart !== undefined, pages: awaited, requests }),
    asked: [...seen.asked, ...requests.map(({ factId }) => factId)].slice(-MOST_REMEMBERED),
  };
  return { kind: 'changed', run: withTold(run, news), cycleStart, requests, done, news };
}

/** Whether the alert was not known, or the event tells a newer state or stop of it. */
const isNew = (known: Run | undefined, seen: Run): boolean =>
  known === undefined || seen.alertVersion > known.alertVersion || seen.stoppedVersion > known.stoppedVersion;

/** Returns whether `events` has an event of a later cycle of the same alert. */
export function supersededAmong(events: readonly AlertEvent[]): (event: AlertEvent) => boolean {
  const latest = new Map<string, number>();
  for (const { alertId, state } of events) latest.set(alertId, Math.max(state.cycle, latest.get(alertId) ?? 0));
  return ({ alertId, state }) => state.cycle < (latest.get(alertId) ?? 0);
}

/** The news that were not told yet; none of an alert that is deleted. */
const untold = (run: Run, event: AlertEvent): readonly News[] =>
  run.alert.status === 'deleted' ? [] : newsOf(event).filter(({ fact }) => !run.told.includes(fact.factId));

/** For an event that changes nothing about the flow. */
const onlyTold = (run: Run, news: readonly News[]): Observation =>
  news.length === 0
    ? { kind: 'stale' }
    : { kind: 'changed', run: withTold(run, news), cycleStart: undefined, requests: [], done: new Set(), news };

const withTold = (run: Run, news: readonly News[]): Run =>
  news.length === 0 || run.alert.status === 'deleted'
    ? run
    : { ...run, told: [...run.told, ...news.map(({ fact }) => fact.factId)].slice(-MOST_REMEMBERED) };

interface Paging {
  readonly isStart: boolean;
  /** Whether a round goes on. */
  readonly pages: boolean;
  readonly requests: readonly ManualRequest[];
}

/** The trace of an event that may page, where it has one; whatever pages nobody leaves that of the run. */
function traceAfter(run: Run, { trace }: AlertEvent, { isStart, pages, requests }: Paging): string | undefined {
  if (isStart) return trace;
  return pages || requests.length > 0 ? (trace ?? run.trace) : run.trace;
}

const NOTHING_OPENED: Pick<
  Run,
  'branches' | 'fired' | 'skipped' | 'asked' | 'lookUps' | 'pagedMeanwhile' | 'exhaustedDueAt'
> = {
  branches: [],
  fired: [],
  skipped: [],
  asked: [],
  lookUps: [],
  pagedMeanwhile: [],
  exhaustedDueAt: undefined,
};

function withNewest(run: Run, { acceptedAt, state, trace, version }: AlertEvent): Run {
  const silent = state.flow.began ? 0 : state.flow.version;
  const stop = goesOn(state) ? silent : version;
  return {
    ...run,
    ...(state.cycle > run.cycle && { cycle: state.cycle, begun: false, acceptedAt, trace, ...NOTHING_OPENED }),
    ...(version > run.alertVersion && { alertVersion: version, alert: state }),
    ...(state.status !== 'open' && NOTHING_OPENED),
    ...(state.status === 'deleted' && { alert: withoutContent(state), reached: [], told: [], noteMinutes: [] }),
    stoppedVersion: Math.max(run.stoppedVersion, stop),
  };
}

/** What is kept of a deleted alert: only that it is deleted, so that no late event brings it back (A6). */
const withoutContent = (state: AlertState): AlertState => ({
  ...state,
  tinyId: '',
  alias: '',
  message: '',
  description: '',
  source: '',
  entity: '',
  owner: '',
  tags: [],
  actions: [],
  details: {},
  responders: [],
  integration: { id: '', name: '', type: '' },
});

/** Whether a request by hand has effect: also while the alert is snoozed or held (A9). */
const mayEscalate = ({ status, verdict }: AlertState): boolean => status === 'open' && verdict.kind !== 'suppressed';

function takesEffect(run: Run, { state, version }: AlertEvent, { factId, kind }: ManualRequest): boolean {
  if (run.asked.includes(factId) || !mayEscalate(run.alert)) return false;
  return goesOn(state) ? version > run.stoppedVersion : kind === 'escalated' && mayEscalate(state);
}

function cycleStartOf(
  run: Run,
  event: AlertEvent,
  requests: readonly ManualRequest[],
  isSuperseded: boolean,
): CycleStart | undefined {
  const { flow, responders: all } = event.state;
  if (run.begun) return undefined;
  const { version } = flow;
  const responders = all.slice(0, flow.responders);
  if (version > run.stoppedVersion && !isSuperseded) return { version, responders, how: 'pages' };
  if (!requests.some(({ kind }) => kind === 'escalated')) return undefined;
  return { version, responders, how: flow.began ? 'has-paged' : 'never-paged' };
}

/** The run of an alert before its first event. */
export const newRun = ({ acceptedAt, alertId, state }: AlertEvent): Run => ({
  alertId,
  alertVersion: 0,
  alert: state,
  cycle: 0,
  begun: false,
  stoppedVersion: 0,
  acceptedAt,
  ...NOTHING_OPENED,
  orders: 0,
  reached: [],
  told: [],
  noteMinutes: [],
  exhaustedCycle: 0,
});
