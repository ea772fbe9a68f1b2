import {
  TOPIC_DAYS,
  type AlertCommand,
  type AlertEvent,
  type AlertFact,
  type ResponderReference,
} from '@tocsin/contracts';
import { stateOf, type Alert } from './alert.ts';
import { BroughtFiles, type FileLink, type FoundFile } from './brought-files.ts';
import { decide } from './decide.ts';
import { acceptedAt, type Decided, type Resolution } from './decided.ts';
import { AlertBatch, type AlertBatchChanges } from './alert-batch.ts';
import { entriesOf, evolve, type AlertChange } from './alert-change.ts';
import type { LogEntry, Note } from './history.ts';
import { statusOf, type RequestStatus } from './request-status.ts';
import { RESOLVE_TIMER, retryDelayMs } from './responders.ts';
import { isTooOld } from './retention.ts';
import { snoozeTimerId } from './transitions.ts';

/** What the commands of one batch read, as it is stored before them. */
export interface StoredState {
  /** Request ids that have settled already; buried ones have not. */
  readonly settled: ReadonlySet<string>;
  /** Request ids of commands that were appended long after their callers had been told that they were not accepted. */
  readonly late?: ReadonlySet<string>;
  /** Request ids of dead letters, which somebody has redriven. */
  readonly buried?: ReadonlySet<string>;
  /** Mails that are in the log of an alert: they have settled, even if their status has been removed (P10). */
  readonly logged?: ReadonlySet<string>;
  /** The alerts that the commands name, and the open ones of the aliases that they create. */
  readonly alerts: readonly Alert[];
  /** The files that creates name, and those that the alerts have by then, where any names one. */
  readonly files?: readonly FoundFile[];
}

/** What settling needs besides the commands and the stored state. It is gathered before the transaction. */
export interface SettleContext {
  readonly resolve: (reference: ResponderReference) => Resolution;
  /** The first of as many free numbers as the batch has creates. */
  readonly firstTinyId: number;
  readonly processedAt: Date;
}

/** A timer that is to publish the command `timer:<timerId>:<fence>` at `dueAt`. */
export interface TimerRow {
  readonly timerId: string;
  readonly fence: number;
  readonly dueAt: Date;
  readonly alertId: string;
}

/** What a timer carries. */
export type TimerPayload = Pick<TimerRow, 'alertId'>;

/** Everything that one transaction writes. */
export interface Changes extends AlertBatchChanges {
  readonly logs: readonly LogEntry[];
  readonly notes: readonly Note[];
  readonly statuses: readonly RequestStatus[];
  readonly timers: readonly TimerRow[];
  readonly links: readonly FileLink[];
  /** When all of it came to be. */
  readonly settledAt: Date;
  /** In the order of the commands; per alert with growing versions. */
  readonly events: readonly AlertEvent[];
}

/**
 * Settles commands one after the other. Pure: the same commands on the same stored state give the same changes, and a request
 * id that has settled before, or earlier in `commands`, changes nothing.
 */
export function settleCommands(
  commands: readonly AlertCommand[],
  stored: StoredState,
  context: SettleContext,
): Changes {
  const alerts = new AlertBatch(stored.alerts);
  const settled = new Set(stored.settled);
  const logs: LogEntry[] = [];
  const notes: Note[] = [];
  const statuses: RequestStatus[] = [];
  const timers: TimerRow[] = [];
  const events: AlertEvent[] = [];
  const files = new BroughtFiles(stored.files ?? []);
  let tinyId = context.firstTinyId;

  const broughtTo = (decided: Decided, command: AlertCommand, before: Alert | undefined): Decided =>
    decided.kind === 'changed' ? files.brought(decided, command, before) : decided;

  for (const command of commands) {
    if (settled.has(command.requestId)) continue;
    settled.add(command.requestId);
    const before = alerts.find(command);
    const decided =
      refusedUnread(command, stored, context.processedAt) ??
      decide(before, command, { resolve: context.resolve, tinyId });
    if (command.kind === 'create') tinyId += 1;
    const outcome = outcomeOf(before, broughtTo(decided, command, before));
    const alert = outcome?.alert ?? before;
    statuses.push(statusOf(command, decided, { alert, processedAt: context.processedAt }));
    if (outcome === undefined) continue;
    if (outcome.removed) alerts.remove(outcome.alert);
    else alerts.put(outcome.alert);
    logs.push(...outcome.logs);
    notes.push(...outcome.notes);
    timers.push(...outcome.timers);
    events.push(...eventsOf(command, outcome));
  }
  const lasting = ({ alertId }: { readonly alertId: string }): boolean => !alerts.isRemoved(alertId);
  return {
    ...alerts.changes(),
    settledAt: context.processedAt,
    logs: logs.filter(lasting),
    notes: notes.filter(lasting),
    statuses,
    timers: timers.filter(lasting),
    events,
    links: files.links.filter(lasting),
  };
}

/** Its alias may belong to another alert by now. */
const SETTLED_BEFORE: Decided = { kind: 'dropped', status: 'Mail that was processed before' };
/** Its status may have been removed, so it may have settled before; and its alias may belong to another alert by now. */
const TOO_OLD: Decided = {
  kind: 'refused',
  status: `Too old: it was accepted more than ${String(TOPIC_DAYS)} days ago`,
};

/** Its caller has sent it again, or done otherwise. */
const TOO_LATE: Decided = {
  kind: 'refused',
  status: 'Too late: its caller was told long before that it was not accepted',
};

/** The outcome of a command that must not be carried out, whatever it says; undefined for all others. */
function refusedUnread(command: AlertCommand, { logged, late, buried }: StoredState, now: Date): Decided | undefined {
  if (logged?.has(command.requestId) === true) return SETTLED_BEFORE;
  if (late?.has(command.requestId) === true) return TOO_LATE;
  return isTooOld(acceptedAt(command), now) && buried?.has(command.requestId) !== true ? TOO_OLD : undefined;
}

interface Outcome {
  /** As it is now; where it is gone, as it was last, one version later. */
  readonly alert: Alert;
  readonly removed: boolean;
  /** Whether it is an event for others. */
  readonly told: boolean;
  readonly fact: AlertFact | undefined;
  readonly logs: readonly LogEntry[];
  readonly notes: readonly Note[];
  readonly timers: readonly TimerRow[];
}

function outcomeOf(before: Alert | undefined, decided: Decided): Outcome | undefined {
  if (decided.kind !== 'changed') return undefined;
  const { change, fact } = decided;
  const next = evolve(before, change);
  const alert = next ?? (before && { ...before, version: before.version + 1 });
  if (alert === undefined) return undefined;
  const entries = entriesOf(alert.id, before?.lastPosition, change);
  const told = change.kind !== 'repeated';
  return { alert, removed: next === undefined, told, fact, ...entries, timers: timersOf(alert, change) };
}

function timersOf({ id: alertId, version, unresolved }: Alert, change: AlertChange): readonly TimerRow[] {
  if (change.kind === 'snoozed')
    return [{ timerId: snoozeTimerId(alertId), fence: version, dueAt: change.until, alertId }];
  if (unresolved?.fence !== version) return [];
  const dueAt = new Date(change.at.getTime() + retryDelayMs(unresolved.attempt));
  return [{ timerId: RESOLVE_TIMER + alertId, fence: version, dueAt, alertId }];
}

/**
 * One, but none of a repeat, because others know of no count; and none while the alert has no responders (F4). Responders are
 * added and never removed, so nobody can have been paged yet, and the first event with responders says how the cycle began.
 */
function eventsOf(command: AlertCommand, { alert, removed, told, fact }: Outcome): readonly AlertEvent[] {
  if (!told || alert.responders.length === 0) return [];
  const state = removed ? { ...stateOf(alert), status: 'deleted' as const } : stateOf(alert);
  const facts = fact === undefined ? [] : [fact];
  return [{ alertId: alert.id, version: alert.version, state, facts, acceptedAt: command.acceptedAt }];
}
