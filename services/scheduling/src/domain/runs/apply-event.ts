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
  /** How the alert was then. */
  readonly while: Pick<AlertState, 'acknowledged' | 'snoozed'>;
};

/** The manual requests in an event. */
export const manualRequestsOf = ({ facts, state: { acknowledged, snoozed } }: AlertEvent): readonly ManualRequest[] =>
  facts.filter(isManualRequest).map((fact) => ({ ...fact, while: { acknowledged, snoozed } }));

const isManualRequest = (fact: AlertFact): fact is Omit<ManualRequest, 'while'> =>
  (fact.kind === 'responder-added' || fact.kind === 'escalated') && fact.responder !== undefined;

/** The start of a cycle. */
export interface CycleStart {
  /** The responders that the alert had at the start. */
  readonly responders: readonly Responder[];
  /**
   * `pages`: the responders are paged. The other two page no responder. They open the branches all the same, so that an escalate
   * request finds their next rule. With `superseded`, because a later cycle pages the responders, the first rules count as fired.
   * With `stopped`, of an alert that was held when its cycle began, none does.
   */
  readonly how: 'pages' | 'superseded' | 'stopped';
}

/** What an event changes about the run of its alert. */
export interface AppliedEvent {
  /** The run with the new state of the alert. */
  readonly run: Run;
  /** Set when the cycle starts; it is handled first. */
  readonly cycleStart: CycleStart | undefined;
  /** The ids of orders that alert-processor has carried out, and for which branches of the run wait. */
  readonly done: ReadonlySet<string>;
  /** Those that have effect. */
  readonly requests: readonly ManualRequest[];
  /** What people are told of. */
  readonly news: readonly News[];
}

/**
 * Applies an event to a run. The events of an alert first come in the order of their versions, so one whose version is not later than
 * that of the run is a repeat: undefined. Events may be missing: each has the whole state of the alert, and the first one of a cycle
 * that comes starts the cycle with the responders that it had at its start.
 *
 * An acknowledgement stops nothing, because rules that ask for "not closed" go on (A4). A snooze, a hold and a suppression stop what is
 * open; a close and a delete remove it.
 *
 * `isSuperseded`: a later cycle of the alert is settled in the same batch. This cycle then pages by escalate requests alone, because
 * the later cycle pages the responders.
 */
export function applyEvent(before: Run | undefined, event: AlertEvent, isSuperseded = false): AppliedEvent | undefined {
  const { state, version } = event;
  if (before !== undefined && version <= before.alertVersion) return undefined;
  const isNewCycle = state.cycle !== before?.alert.cycle;
  const known = isNewCycle ? inNewCycle(before, event) : before;
  const seen = withState(goesOn(state) ? known : stopped(known, state), event);
  const requests = manualRequestsOf(event).filter(({ kind }) => hasEffect(kind, state, isSuperseded));
  const cycleStart = cycleStartOf(seen, { isNewCycle, isSuperseded, requests });
  const causes = { cycleStart, done: awaitedOf(seen, event), requests };
  return { run: pagedBy(seen, event, causes), ...causes, news: newsOf(event) };
}

/** Returns whether `events` has an event of a later cycle of the same alert. */
export function supersededAmong(events: readonly AlertEvent[]): (event: AlertEvent) => boolean {
  const latest = new Map<string, number>();
  for (const { alertId, state } of events) latest.set(alertId, Math.max(state.cycle, latest.get(alertId) ?? 0));
  return ({ alertId, state }) => state.cycle < (latest.get(alertId) ?? 0);
}

const NOTHING_OPENED: Pick<
  Run,
  'branches' | 'fired' | 'skipped' | 'lookUps' | 'pagedMeanwhile' | 'exhaustedDueAt' | 'isExhausted'
> = {
  branches: [],
  fired: [],
  skipped: [],
  lookUps: [],
  pagedMeanwhile: [],
  exhaustedDueAt: undefined,
  isExhausted: false,
};

/** The run of an alert before its first event. */
export const newRun = ({ acceptedAt, alertId, state }: AlertEvent): Run => ({
  alertId,
  alertVersion: 0,
  alert: state,
  begun: false,
  acceptedAt,
  ...NOTHING_OPENED,
  orders: 0,
  reached: [],
  noteMinutes: [],
});

const inNewCycle = (before: Run | undefined, event: AlertEvent): Run => ({
  ...(before ?? newRun(event)),
  begun: false,
  acceptedAt: event.acceptedAt,
  trace: event.trace,
  ...NOTHING_OPENED,
});

/** What is open stays for escalate requests, and nothing of it is due. What such a request waits for goes on until a snooze. */
function stopped(run: Run, { snoozed, status }: AlertState): Run {
  if (status !== 'open') return { ...run, ...NOTHING_OPENED };
  return {
    ...run,
    branches: run.branches.map((branch) => ({ ...branch, isStopped: true })),
    lookUps: run.lookUps.filter(
      ({ requestedWhile }) => requestedWhile !== undefined && (requestedWhile.snoozed || !snoozed),
    ),
    exhaustedDueAt: undefined,
  };
}

/** The ids of the orders in an event for which branches wait. */
function awaitedOf({ branches }: Run, { facts }: AlertEvent): ReadonlySet<string> {
  const awaited = new Set(branches.map(({ awaits }) => awaits));
  return new Set(facts.flatMap(({ factId, kind }) => (kind === 'reset' && awaited.has(factId) ? [factId] : [])));
}

const withState = (run: Run, { state, version }: AlertEvent): Run => ({
  ...run,
  alertVersion: version,
  ...(state.status === 'deleted' ? { alert: withoutContent(state), reached: [], noteMinutes: [] } : { alert: state }),
});

/** What is kept of a deleted alert: only that it is deleted, so that no repeated event brings it back (A6). */
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

/** Whether a request has effect: an escalate also while the alert is snoozed or held (A9), and in a cycle that is superseded. */
function hasEffect(kind: ManualRequest['kind'], state: AlertState, isSuperseded: boolean): boolean {
  if (kind === 'escalated') return state.status === 'open' && state.verdict.kind !== 'suppressed';
  return goesOn(state) && !isSuperseded;
}

function cycleStartOf(
  { alert, begun }: Run,
  { isNewCycle, isSuperseded, requests }: Circumstances,
): CycleStart | undefined {
  const responders = alert.responders.slice(0, alert.flow.responders);
  if (isNewCycle && goesOn(alert)) return { responders, how: isSuperseded ? 'superseded' : 'pages' };
  const isEscalated = requests.some(({ kind }) => kind === 'escalated');
  return begun || !isEscalated ? undefined : { responders, how: 'stopped' };
}

/** Pages have the trace of what caused them last, and the acceptance of what started the cycle. */
function pagedBy(
  run: Run,
  { acceptedAt, trace }: AlertEvent,
  { cycleStart, done, requests }: Pick<AppliedEvent, 'cycleStart' | 'done' | 'requests'>,
): Run {
  if (cycleStart === undefined && done.size + requests.length === 0) return run;
  return { ...run, ...(cycleStart && { begun: true, acceptedAt }), trace: trace ?? run.trace };
}

interface Circumstances {
  readonly isNewCycle: boolean;
  readonly isSuperseded: boolean;
  readonly requests: readonly ManualRequest[];
}
