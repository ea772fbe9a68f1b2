import type { AlertEvent, AlertFact, AlertState, EscalationRepeat, Responder, Version } from '@tocsin/contracts';
import type { EscalationRule } from '../escalation.ts';

/**
 * An escalation that was opened for an alert, with the rules it had at that moment: a running flow keeps them (S9).
 * `id` is the path that led here, so that one escalation reached in two ways is two branches.
 */
export interface Branch {
  readonly id: string;
  readonly escalationId: string;
  readonly escalationName: string;
  /** Of the escalation when it was opened. */
  readonly version: Version;
  /** The (re)start: from here the delays of its rules count. */
  readonly startedAt: Date;
  readonly rules: readonly EscalationRule[];
  readonly repeat: EscalationRepeat | undefined;
  /** How often it has started again. */
  readonly round: number;
  /** The order that ends its round, once it is given: until it is carried out, nothing of the branch is due. */
  readonly awaits: string | undefined;
  /** What was opened on the way, as `type:id`: none of it is opened again (S4). */
  readonly path: readonly string[];
}

/** What scheduling knows and has done about one alert. */
export interface Run {
  readonly alertId: string;
  /** The version of the alert's state seen last; older ones change nothing. */
  readonly alertVersion: number;
  /** The cycle whose flow was started last; 0 before the first. */
  readonly cycle: number;
  /** Grows at each start and stop: a timer of another epoch does nothing. */
  readonly epoch: number;
  readonly running: boolean;
  readonly alert: AlertState;
  /** Acceptance of the command that started the cycle: what latency is measured from. */
  readonly acceptedAt: string;
  readonly branches: readonly Branch[];
  /** The rules that have had their turn in this epoch, as `ruleKey` names them. */
  readonly fired: readonly string[];
  /** How many orders it has given; each has its number in its id. */
  readonly orders: number;
  /** The users paged so far, in any cycle: whom a later page reaches again. */
  readonly reached: readonly string[];
  /** The facts of this start that asked for something by hand and were heeded, the last of them: each is heeded once. */
  readonly asked: readonly string[];
}

/** How many of them are remembered. */
const MOST_ASKED = 200;

/** Names the turn of a rule in the present round of a branch, within its run. */
export const ruleKey = ({ id, round }: Branch, ruleIndex: number): string =>
  round === 0 ? `${id}#${ruleIndex}` : `${id}#${ruleIndex}~${round}`;

const MINUTE_MS = 60_000;

/** When a rule of a branch falls due in its present round. */
export const dueAt = ({ startedAt }: Branch, { delayMinutes }: EscalationRule): Date =>
  new Date(startedAt.getTime() + delayMinutes * MINUTE_MS);

/** When the round of a branch is over: the wait after its last rule is due; undefined where nothing comes after it (S9). */
export function endOfRound({ startedAt, rules, repeat, round }: Branch): Date | undefined {
  if (repeat === undefined || (round >= repeat.count && !repeat.closeAlertAfterAll)) return undefined;
  const longest = rules.reduce((most, { delayMinutes }) => Math.max(most, delayMinutes), 0);
  return new Date(startedAt.getTime() + (longest + repeat.waitMinutes) * MINUTE_MS);
}

/**
 * Whether an alert can have a run: responders are added and never taken away, so without one there was none before. Most
 * alerts of a busy installation are like that, and cost nothing here.
 */
export const mayRun = ({ state }: AlertEvent): boolean => state.responders.length > 0;

/** What somebody asked for by hand: that a responder joins, or that an escalation goes on now (A9). */
export type Asked = AlertFact & { readonly kind: 'responder-added' | 'escalated'; readonly responder: Responder };

/** What an event asks for by hand. */
export const askedBy = ({ facts }: AlertEvent): readonly Asked[] => facts.filter(isAsked);

const isAsked = (fact: AlertFact): fact is Asked =>
  (fact.kind === 'responder-added' || fact.kind === 'escalated') && fact.responder !== undefined;

/** What an event means for the flow of its alert. */
export type Observation =
  | { readonly kind: 'stale' }
  /** The state was taken over; nothing starts or ends, but what is asked for by hand is to be done. */
  | { readonly kind: 'noted'; readonly run: Run; readonly asked: readonly Asked[] }
  /** A cycle begins: its responders are to be opened. */
  | { readonly kind: 'started'; readonly run: Run }
  /** The flow ends: what is pending of it is void. */
  | { readonly kind: 'stopped'; readonly run: Run };

/**
 * Takes over the state of an event. Repeats and late arrivals are `stale`, but for what the latter ask for; an acknowledgement
 * is `noted`, because rules that ask for "not closed" go on (A4); a close, a delete, a hold and a suppression stop the flow.
 */
export function observe(run: Run | undefined, event: AlertEvent): Observation {
  if (run !== undefined && event.version <= run.alertVersion) return late(run, event);
  const base = run ?? unstarted(event);
  const seen: Run = { ...base, alertVersion: event.version, alert: event.state };
  if (!isWanted(event.state)) return seen.running ? { kind: 'stopped', run: stopped(seen) } : noted(seen, []);
  const asked = askedBy(event);
  // Who is added to an alert that had nobody is the first of its flow: nothing else of it is to be opened.
  if (asked.length > 0 && run?.running !== true) return noted(started(seen, event), asked);
  if (event.state.cycle <= seen.cycle) return noted(seen, asked);
  return { kind: 'started', run: started(seen, event) };
}

/**
 * What the owner of the alert could not publish before it died comes after newer events: its state is old, but nobody has done
 * yet what it asks for, and no branch has heard that its order was carried out. Another start of the flow has opened everybody.
 */
function late(run: Run, { facts, state: { cycle } }: AlertEvent): Observation {
  if (!run.running || cycle !== run.cycle) return { kind: 'stale' };
  const asked = facts.filter(isAsked).filter(({ factId }) => !run.asked.includes(factId));
  const awaited = run.branches.some(({ awaits }) => facts.some(({ factId }) => factId === awaits));
  return asked.length > 0 || awaited ? noted(run, asked) : { kind: 'stale' };
}

const noted = (run: Run, asked: readonly Asked[]): Observation => ({
  kind: 'noted',
  run: { ...run, asked: [...run.asked, ...asked.map(({ factId }) => factId)].slice(-MOST_ASKED) },
  asked,
});

const isWanted = ({ status, verdict, snoozed }: AlertState): boolean =>
  status === 'open' && verdict.kind === 'go' && !snoozed;

function unstarted(event: AlertEvent): Run {
  return {
    alertId: event.alertId,
    alertVersion: event.version,
    cycle: 0,
    epoch: 0,
    running: false,
    alert: event.state,
    acceptedAt: event.acceptedAt,
    branches: [],
    fired: [],
    orders: 0,
    reached: [],
    asked: [],
  };
}

const stopped = (run: Run): Run => ({ ...run, running: false, epoch: run.epoch + 1, branches: [], fired: [] });

const started = (run: Run, event: AlertEvent): Run => ({
  ...run,
  running: true,
  cycle: event.state.cycle,
  epoch: run.epoch + 1,
  acceptedAt: event.acceptedAt,
  branches: [],
  fired: [],
  asked: [],
});

/** Why a rule whose time has come does not fire, or undefined when it does (S9: conditions are checked when due). */
export function refusal(run: Run, condition: EscalationRule['condition']): string | undefined {
  if (run.alert.status !== 'open') return 'the alert is closed';
  if (condition === 'if-not-acked' && run.alert.acknowledged) return 'the alert is acknowledged';
  return undefined;
}
