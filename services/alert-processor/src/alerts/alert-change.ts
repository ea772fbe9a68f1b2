import type { Priority, Responder } from '@tocsin/events';
import { flows, flowStart, isHeld, isMoreUrgent, type Alert, type Hold, type UnresolvedResponders } from './alert.ts';
import { countedFrom, type ScheduledActionKind } from './due.ts';
import { entryIdOf, type LogEntry, type Note, type Position, positionAfter, type Writing } from '../alert-log/entry.ts';

type Content = Partial<Pick<Alert, 'message' | 'description' | 'priority' | 'tags' | 'details'>>;

/** What policies have decided about the flow of an alert. */
export type FlowSettings = Pick<Alert, 'notifications' | 'hold' | 'autoClose' | 'autoRestart'>;

/** The kind of a change of an alert. */
export type ChangeKind =
  | { readonly kind: 'created'; readonly alert: Alert }
  /** One more occurrence; `hold` is present if the occurrence changed the hold. */
  | { readonly kind: 'repeated'; readonly hold?: Hold }
  /** One more occurrence, of a higher priority. `flow`: what the policies say of that priority. */
  | {
      readonly kind: 'raised';
      readonly priority: Priority;
      readonly responders: readonly Responder[];
      readonly unresolved: UnresolvedResponders | undefined;
      readonly flow: FlowSettings;
      /** Whether the flow starts again. */
      readonly starts: boolean;
    }
  | { readonly kind: 'acknowledged'; readonly by: string }
  | { readonly kind: 'unacknowledged' }
  | { readonly kind: 'snoozed'; readonly until: Date }
  | { readonly kind: 'snooze-ended' }
  /** The hold ended and the flow starts; `occurred`: one more occurrence ended it. */
  | { readonly kind: 'released'; readonly occurred: boolean }
  /** A delay ended while the alert was acknowledged. */
  | { readonly kind: 'hold-over' }
  /** An auto-restart starts the flow again. */
  | { readonly kind: 'restarted' }
  | { readonly kind: 'closed'; readonly by: string }
  | { readonly kind: 'deleted' }
  /** An escalation repeats; `undone`: the alert becomes unacknowledged and unseen (S9). */
  | { readonly kind: 'reset'; readonly undone: boolean }
  | { readonly kind: 'assigned'; readonly owner: string }
  | { readonly kind: 'responder-added'; readonly responder: Responder }
  /** Responders were looked up; `unresolved` has those whose owner still could not be asked. */
  | {
      readonly kind: 'looked-up';
      readonly responders: readonly Responder[];
      readonly visibleTo: readonly Responder[];
      readonly unresolved: UnresolvedResponders | undefined;
    }
  | { readonly kind: 'content-changed'; readonly content: Content }
  /** A scheduled action that fails each time is left out. */
  | { readonly kind: 'left-out'; readonly action: ScheduledActionKind }
  /** Only the history of the alert changes. */
  | { readonly kind: 'noted' };

/** One change of one alert, with its history entries. */
export type AlertChange = ChangeKind & Writing;

/**
 * The alert after `change`, which was processed at `processedAt`; undefined if it was deleted. Replaying the changes of an
 * alert gives the stored alert.
 */
export function evolve(alert: Alert | undefined, change: AlertChange, processedAt: Date): Alert | undefined {
  if (change.kind === 'deleted') return undefined;
  if (change.kind === 'created') return { ...change.alert, lastPosition: lastPosition(undefined, change) };
  if (alert === undefined) return undefined;
  return {
    ...after(alert, change, countedFrom(change.at, processedAt)),
    // Repeats leave it as it is (A2): they are the most common write, and a change would rewrite an index key.
    updatedAt: change.kind === 'repeated' ? alert.updatedAt : later(change.at, alert.updatedAt),
    version: alert.version + 1,
    lastPosition: lastPosition(alert.lastPosition, change),
  };
}

type Update = Exclude<ChangeKind, { kind: 'created' | 'deleted' }>;
type Effects = {
  readonly [K in Update['kind']]: (alert: Alert, update: Extract<Update, { kind: K }>, moment: Moment) => Alert;
};

/** `at`: when the change was accepted. `from`: the instant from which restarts count. */
interface Moment {
  readonly at: Date;
  readonly from: Date;
}

const EFFECTS: Effects = {
  repeated: (alert, { hold = alert.hold }, { at }) => ({ ...occurredAgain(alert, at), hold }),
  raised,
  acknowledged: (alert, { by }, { at }) => ({
    ...withoutSnooze(alert),
    acknowledged: true,
    seen: true,
    owner: alert.owner === '' ? by : alert.owner,
    report: { ...alert.report, ackTimeMs: sinceCreation(alert, at), acknowledgedBy: by },
  }),
  unacknowledged: (alert, _, moment) => {
    const open: Alert = { ...alert, acknowledged: false };
    // The end of the snooze starts the flow. A new cycle before would end what a caller escalated during the snooze (A9).
    return alert.snoozed || isHeld(alert, moment.at) ? open : started(open, moment);
  },
  // A snooze replaces a hold: its end starts the flow (P16).
  snoozed: (alert, { until }) => ({ ...withoutHold(alert), snoozed: true, snoozedUntil: until }),
  'snooze-ended': (alert, _, moment) => started({ ...withoutSnooze(alert), acknowledged: false }, moment),
  released: (alert, { occurred }, moment) => started(occurred ? occurredAgain(alert, moment.at) : alert, moment),
  'hold-over': (alert) => ({ ...alert, hold: alert.hold && { ...alert.hold, isOver: true } }),
  restarted: (alert, _, moment) => {
    const { autoRestart } = alert;
    return started({ ...alert, autoRestart: autoRestart && { ...autoRestart, done: autoRestart.done + 1 } }, moment);
  },
  closed: (alert, { by }, { at }) => ({
    ...withoutSnooze(alert),
    status: 'closed',
    unresolved: undefined,
    report: { ...alert.report, closeTimeMs: sinceCreation(alert, at), closedBy: by },
  }),
  reset: (alert, { undone }, moment) => {
    if (!undone) return alert;
    const open: Alert = { ...alert, acknowledged: false, seen: false };
    if (!alert.acknowledged) return open;
    return alert.hold === undefined || isHeld(alert, moment.at)
      ? withRestartsFrom(open, moment)
      : started(open, moment);
  },
  assigned: (alert, { owner }) => ({ ...alert, owner }),
  'responder-added': (alert, { responder }, moment) => {
    const grown: Alert = { ...alert, responders: union(alert.responders, [responder]) };
    return alert.responders.length === 0 ? withRestartsFrom(grown, moment) : grown;
  },
  'looked-up': lookedUp,
  'content-changed': (alert, { content }) => ({
    ...alert,
    ...content,
    ...(content.priority !== undefined && { highestPriority: highestPriority(alert, content.priority) }),
  }),
  'left-out': (alert, { action }) => WITHOUT[action](alert),
  noted: (alert) => alert,
};

/** The alert without one of its scheduled actions. */
const WITHOUT: Readonly<Record<ScheduledActionKind, (alert: Alert) => Alert>> = {
  'auto-close': (alert) => ({ ...alert, autoClose: undefined }),
  snooze: (alert) => ({ ...alert, snoozedUntil: undefined }),
  hold: (alert) => ({ ...alert, hold: alert.hold && { ...alert.hold, isOver: true } }),
  resolve: (alert) => ({ ...alert, unresolved: undefined }),
  restart: (alert) => ({ ...alert, autoRestart: undefined }),
};

function after(alert: Alert, update: Update & Writing, from: Date): Alert {
  const effect = EFFECTS[update.kind] as (alert: Alert, update: Update, moment: Moment) => Alert;
  return effect(alert, update, { at: update.at, from });
}

/** Ends the snooze. An acknowledgement and a close do so too (A5). */
const withoutSnooze = (alert: Alert): Alert => ({ ...alert, snoozed: false, snoozedUntil: undefined });

/** Counts one more occurrence (A2). */
const occurredAgain = (alert: Alert, at: Date): Alert => ({
  ...alert,
  count: alert.count + 1,
  lastOccurredAt: later(at, alert.lastOccurredAt),
});

const highestPriority = ({ highestPriority: highest, priority: present }: Alert, priority: Priority): Priority =>
  isMoreUrgent(priority, highest ?? present) ? priority : (highest ?? present);

function raised(
  alert: Alert,
  { flow, priority, responders, starts, unresolved }: Extract<ChangeKind, { kind: 'raised' }>,
  moment: Moment,
): Alert {
  const after: Alert = {
    ...occurredAgain(alert, moment.at),
    ...flow,
    priority,
    ...(alert.highestPriority !== undefined && { highestPriority: priority }),
    responders: union(alert.responders, responders),
    unresolved,
  };
  return starts ? started(after, moment) : after;
}

/** Removes the hold. */
const withoutHold = (alert: Alert): Alert =>
  alert.hold === undefined ? alert : { ...alert, hold: undefined, notifications: { kind: 'active' } };

/** Starts the flow from its beginning, without a hold. */
function started(held: Alert, moment: Moment): Alert {
  const alert = withRestartsFrom(withoutHold(held), moment);
  return { ...alert, cycle: alert.cycle + 1, flowStartedAt: moment.at, flow: flowStart(alert) };
}

const withRestartsFrom = (alert: Alert, { from }: Moment): Alert =>
  alert.autoRestart === undefined ? alert : { ...alert, autoRestart: { ...alert.autoRestart, since: from } };

/** Responders that are found late restart a running flow, so that they are paged. */
function lookedUp(
  alert: Alert,
  { responders, visibleTo, unresolved }: Extract<ChangeKind, { kind: 'looked-up' }>,
  moment: Moment,
): Alert {
  const all = union(alert.responders, responders);
  const grown: Alert = { ...alert, responders: all, visibleTo: union(alert.visibleTo, visibleTo), unresolved };
  return all.length > alert.responders.length && flows(alert) ? started(grown, moment) : grown;
}

function union(held: readonly Responder[], added: readonly Responder[]): readonly Responder[] {
  return [...new Map([...held, ...added].map((one) => [`${one.type}:${one.id}`, one])).values()];
}

/** The later of the two, so that commands accepted out of order never move an alert's times backwards. */
function later(a: Date, b: Date): Date {
  return a > b ? a : b;
}

/** Whole milliseconds from the alert's creation, at least 0. */
export function sinceCreation(alert: Alert, at: Date): number {
  return Math.max(0, at.getTime() - alert.createdAt.getTime());
}

function lastPosition(before: Position | undefined, { at, logs, note }: AlertChange): Position | undefined {
  let position = before;
  for (let left = logs.length + (note === undefined ? 0 : 1); left > 0; left -= 1)
    position = positionAfter(position, at);
  return position;
}

/** The entries of `change`, at increasing positions after `before`. */
export function entriesOf(
  alertId: string,
  before: Position | undefined,
  { at, requestId, logs, note }: AlertChange,
): { readonly logs: readonly LogEntry[]; readonly notes: readonly Note[] } {
  let position = before;
  const next = (): Position => (position = positionAfter(position, at));
  const common = { alertId, createdAt: at };
  return {
    logs: logs.map((entry, index) => ({
      ...common,
      ...entry,
      writtenBy: requestId,
      entryId: entryIdOf(requestId, index),
      position: next(),
    })),
    notes: note === undefined ? [] : [{ ...common, ...note, noteId: `${requestId}/note`, position: next() }],
  };
}
