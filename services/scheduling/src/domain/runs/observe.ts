import type { AlertEvent, AlertFact, AlertState, Responder } from '@tocsin/contracts';
import type { Run } from './run.ts';

/**
 * Whether an alert can have a run: responders are added and never taken away, so without one there was none before. Most
 * alerts of a busy installation are like that, and cost nothing here.
 */
export const mayRun = ({ state }: AlertEvent): boolean => state.responders.length > 0;

/** What somebody asked for by hand: that a responder joins, or that an escalation goes on now (A9). */
export type Asked = AlertFact & {
  readonly kind: 'responder-added' | 'escalated';
  readonly responder: Responder;
  /** Of the event, and how the alert was then. */
  readonly version: number;
  readonly while: Pick<AlertState, 'acknowledged' | 'snoozed'>;
};

/** What an event asks for by hand. */
export const askedBy = ({ facts, state, version }: AlertEvent): readonly Asked[] =>
  facts.filter(isAsked).map((fact) => ({ ...fact, version, while: state }));

const isAsked = (fact: AlertFact): fact is Omit<Asked, 'version' | 'while'> =>
  (fact.kind === 'responder-added' || fact.kind === 'escalated') && fact.responder !== undefined;

/** How a cycle begins. */
export interface Beginning {
  /** The version of the alert with which it began. */
  readonly version: number;
  /** With whom it began. */
  readonly responders: readonly Responder[];
  /**
   * `pages` them; or it is over already, and is only caught up with, so that an escalation that is asked for by hand has its
   * next rule: one that paged `has-paged` by its first rules, and one that `never-paged`, fired none.
   */
  readonly how: 'pages' | 'has-paged' | 'never-paged';
}

/** What an event means for the flow of its alert. */
export type Observation =
  | { readonly kind: 'stale' }
  | {
      readonly kind: 'noted';
      /** Having taken over what is new. */
      readonly run: Run;
      /** Set where the cycle is to be begun, before anything else. */
      readonly begins: Beginning | undefined;
      readonly asked: readonly Asked[];
      /** The orders of the run that are carried out. */
      readonly done: ReadonlySet<string>;
    };

export type Noted = Extract<Observation, { kind: 'noted' }>;

/** How many facts that were heeded are remembered. */
const MOST_ASKED = 200;

/**
 * Takes over what an event says, in whatever order the events of an alert come, and however often, with the same outcome as in
 * order: the newest state holds; the cycle is begun once, by its first event to come; each fact is heeded once, unless the flow
 * has started again or was stopped since; a stop ends what was opened before it.
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

/** What is left of a deleted alert: that it is, so that no late event brings it back (A6). */
const withoutContent = (state: AlertState): AlertState => ({
  ...state,
  ...{ tinyId: '', alias: '', message: '', description: '', source: '', entity: '', owner: '' },
  ...{ tags: [], actions: [], details: {}, responders: [], integration: { id: '', name: '', type: '' } },
});

/** Whether the flow of an alert goes on. */
const isWanted = (state: AlertState): boolean =>
  state.status === 'open' && state.verdict.kind === 'go' && !state.snoozed;

/** Whether somebody who asks for it by hand is heard: also while the alert is snoozed or held (A9). */
const mayEscalate = ({ status, verdict }: AlertState): boolean => status === 'open' && verdict.kind !== 'suppressed';

function isHeeded(run: Run, { state, version }: AlertEvent, { factId, kind }: Asked): boolean {
  if (run.asked.includes(factId) || !mayEscalate(run.alert)) return false;
  return isWanted(state) ? version > run.stoppedVersion : kind === 'escalated' && mayEscalate(state);
}

function beginning(run: Run, event: AlertEvent, asked: readonly Asked[]): Beginning | undefined {
  const { flow, responders: all } = event.state;
  if (run.begun) return undefined;
  // An event of an earlier version says of nobody whether they were there: who is asked for has joined.
  const version = flow?.version ?? event.version;
  const responders = flow === undefined ? all.filter((one) => !isAmong(asked, one)) : all.slice(0, flow.responders);
  if (version > run.stoppedVersion) return { version, responders, how: 'pages' };
  if (!asked.some(({ kind }) => kind === 'escalated')) return undefined;
  return { version, responders, how: flow?.began === false ? 'never-paged' : 'has-paged' };
}

const isAmong = (asked: readonly Asked[], { type, id }: Responder): boolean =>
  asked.some(({ responder }) => responder.type === type && responder.id === id);

/** The run of an alert of which nothing was heard yet. */
const unheard = ({ acceptedAt, alertId, state }: AlertEvent): Run => ({
  ...{ alertId, alertVersion: 0, alert: state, cycle: 0, begun: false, stoppedVersion: 0, acceptedAt },
  ...NOTHING_OPENED,
  ...{ orders: 0, reached: [] },
});
