import type { AlertEvent, AlertFact, AlertState, Responder } from '@tocsin/contracts';
import type { Run } from './run.ts';

/**
 * Whether an alert can have a run. Responders are never removed, so an alert without any never had one. Most alerts of a busy
 * installation have none.
 */
export const mayRun = ({ state }: AlertEvent): boolean => state.responders.length > 0;

/** A request of a caller: to add a responder, or to fire an escalation's next rule now (A9). */
export type Asked = AlertFact & {
  readonly kind: 'responder-added' | 'escalated';
  readonly responder: Responder;
  /** The version of the event, and the alert at that version. */
  readonly version: number;
  readonly while: Pick<AlertState, 'acknowledged' | 'snoozed'>;
};

/** The requests by hand in an event. */
export const askedBy = ({ facts, state, version }: AlertEvent): readonly Asked[] =>
  facts.filter(isAsked).map((fact) => ({ ...fact, version, while: state }));

const isAsked = (fact: AlertFact): fact is Omit<Asked, 'version' | 'while'> =>
  (fact.kind === 'responder-added' || fact.kind === 'escalated') && fact.responder !== undefined;

/** How a cycle begins. */
export interface Beginning {
  /** The version of the alert with which it began. */
  readonly version: number;
  /** The responders with which it began. */
  readonly responders: readonly Responder[];
  /**
   * `pages` them; or it is over already, and is only caught up with, so that an escalation that is asked for by hand has its
   * next rule: one that paged `has-paged` by its first rules, and one that `never-paged`, fired none.
   */
  readonly how: 'pages' | 'has-paged' | 'never-paged';
}

/** What an event changes about the run of its alert. */
export type Observation =
  | { readonly kind: 'stale' }
  | {
      readonly kind: 'noted';
      /** The run with the new state and facts. */
      readonly run: Run;
      /** Set when the cycle begins, which comes before all else. */
      readonly begins: Beginning | undefined;
      readonly asked: readonly Asked[];
      /** The ids of orders that were carried out. */
      readonly done: ReadonlySet<string>;
    };

export type Noted = Extract<Observation, { kind: 'noted' }>;

/** How many handled facts a run remembers. */
const MOST_ASKED = 200;

/**
 * Applies an event to a run. The outcome is the same in whatever order the events of an alert come, and however often: the
 * newest state counts; the first event to come begins the cycle, once; each fact is handled once, unless the flow was restarted
 * or stopped after it; a stop ends what was opened before it.
 *
 * An acknowledgement stops nothing, because rules that ask for "not closed" go on (A4); a close, a delete, a snooze, a hold and
 * a suppression do.
 */
export function observe(known: Run | undefined, event: AlertEvent): Observation {
  const before = known ?? unheard(event);
  if (event.state.cycle < before.cycle) return { kind: 'stale' };
  const seen = upToDate(before, event);
  const asked = askedBy(event).filter((fact) => isHeeded(seen, event, fact));
  const begins = beginning(seen, event, asked);
  const done = new Set(event.facts.filter(({ kind }) => kind === 'reset').map(({ factId }) => factId));
  const awaited = seen.branches.some(({ awaits }) => awaits !== undefined && done.has(awaits));
  const isNew =
    known === undefined || seen.alertVersion > known.alertVersion || seen.stoppedVersion > known.stoppedVersion;
  if (!isNew && begins === undefined && asked.length === 0 && !awaited) return { kind: 'stale' };
  const run: Run = {
    ...seen,
    ...(begins && { begun: true, acceptedAt: event.acceptedAt }),
    asked: [...seen.asked, ...asked.map(({ factId }) => factId)].slice(-MOST_ASKED),
  };
  return { kind: 'noted', run, begins, asked, done };
}

const NOTHING_OPENED: Pick<Run, 'branches' | 'fired' | 'asked' | 'lookUps'> = {
  ...{ branches: [], fired: [], asked: [], lookUps: [] },
};

function upToDate(run: Run, { acceptedAt, state, version }: AlertEvent): Run {
  const silent = state.flow?.began === false ? state.flow.version : 0;
  const stop = isWanted(state) ? silent : version;
  return {
    ...run,
    ...(state.cycle > run.cycle && { cycle: state.cycle, begun: false, acceptedAt, ...NOTHING_OPENED }),
    ...(version > run.alertVersion && { alertVersion: version, alert: state }),
    ...(state.status !== 'open' && NOTHING_OPENED),
    ...(state.status === 'deleted' && { alert: withoutContent(state), reached: [] }),
    stoppedVersion: Math.max(run.stoppedVersion, stop),
  };
}

/** What is kept of a deleted alert: only that it is deleted, so that no late event brings it back (A6). */
const withoutContent = (state: AlertState): AlertState => ({
  ...state,
  ...{ tinyId: '', alias: '', message: '', description: '', source: '', entity: '', owner: '' },
  ...{ tags: [], actions: [], details: {}, responders: [], integration: { id: '', name: '', type: '' } },
});

/** Whether the flow of an alert goes on. */
const isWanted = (state: AlertState): boolean =>
  state.status === 'open' && state.verdict.kind === 'go' && !state.snoozed;

/** Whether a request by hand has effect: also while the alert is snoozed or held (A9). */
const mayEscalate = ({ status, verdict }: AlertState): boolean => status === 'open' && verdict.kind !== 'suppressed';

function isHeeded(run: Run, { state, version }: AlertEvent, { factId, kind }: Asked): boolean {
  if (run.asked.includes(factId) || !mayEscalate(run.alert)) return false;
  return isWanted(state) ? version > run.stoppedVersion : kind === 'escalated' && mayEscalate(state);
}

function beginning(run: Run, event: AlertEvent, asked: readonly Asked[]): Beginning | undefined {
  const { flow, responders: all } = event.state;
  if (run.begun) return undefined;
  // Events of earlier releases do not say who was a responder before; then whoever is named was added.
  const version = flow?.version ?? event.version;
  const responders = flow === undefined ? all.filter((one) => !isAmong(asked, one)) : all.slice(0, flow.responders);
  if (version > run.stoppedVersion) return { version, responders, how: 'pages' };
  if (!asked.some(({ kind }) => kind === 'escalated')) return undefined;
  return { version, responders, how: flow?.began === false ? 'never-paged' : 'has-paged' };
}

const isAmong = (asked: readonly Asked[], { type, id }: Responder): boolean =>
  asked.some(({ responder }) => responder.type === type && responder.id === id);

/** The run of an alert before its first event. */
const unheard = ({ acceptedAt, alertId, state }: AlertEvent): Run => ({
  ...{ alertId, alertVersion: 0, alert: state, cycle: 0, begun: false, stoppedVersion: 0, acceptedAt },
  ...NOTHING_OPENED,
  ...{ orders: 0, reached: [] },
});
