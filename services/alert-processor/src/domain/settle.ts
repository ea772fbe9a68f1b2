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
import { Desk, type DeskChanges } from './desk.ts';
import { entriesOf, evolve, type Happening } from './happening.ts';
import type { LogEntry, Note } from './history.ts';
import { statusOf, type RequestStatus } from './request-status.ts';
import { RESOLVE_TIMER, retryDelayMs } from './responders.ts';
import { isTooOld } from './retention.ts';
import { snoozeTimerId } from './transitions.ts';

/** What the commands of one batch touch, as it stood before them. */
export interface World {
  /** Request ids that have settled already; buried ones have not. */
  readonly settled: ReadonlySet<string>;
  /** Request ids of commands that were appended long after their callers had been told that they were not accepted. */
  readonly late?: ReadonlySet<string>;
  /** Request ids of dead letters, which somebody has redriven. */
  readonly buried?: ReadonlySet<string>;
  /** Mails that are in the log of an alert: they have settled too, even where their status is kept no longer (P10). */
  readonly logged?: ReadonlySet<string>;
  /** The alerts that the commands name, and the open ones of the aliases that they create. */
  readonly alerts: readonly Alert[];
  /** The files that creates name, and those that the alerts have by then, where any names one. */
  readonly files?: readonly FoundFile[];
}

/** What settling may use besides the commands and the world: gathered before the transaction. */
export interface Means {
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
export interface Changes extends DeskChanges {
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
 * Settles commands one after the other. Pure: the same commands on the same world give the same changes, and a request id
 * that has settled, in the world or earlier in `commands`, changes nothing.
 */
export function settleCommands(commands: readonly AlertCommand[], world: World, means: Means): Changes {
  const desk = new Desk(world.alerts);
  const settled = new Set(world.settled);
  const logs: LogEntry[] = [];
  const notes: Note[] = [];
  const statuses: RequestStatus[] = [];
  const timers: TimerRow[] = [];
  const events: AlertEvent[] = [];
  const files = new BroughtFiles(world.files ?? []);
  let tinyId = means.firstTinyId;

  const broughtTo = (decided: Decided, command: AlertCommand, before: Alert | undefined): Decided =>
    decided.kind === 'changed' ? files.brought(decided, command, before) : decided;

  for (const command of commands) {
    if (settled.has(command.requestId)) continue;
    settled.add(command.requestId);
    const before = desk.find(command);
    const circumstances = { resolve: means.resolve, tinyId };
    const decided = unsettled(command, world, means.processedAt) ?? decide(before, command, circumstances);
    if (command.kind === 'create') tinyId += 1;
    const outcome = happened(before, broughtTo(decided, command, before));
    const alert = outcome?.alert ?? before;
    statuses.push(statusOf(command, decided, { alert, processedAt: means.processedAt }));
    if (outcome === undefined) continue;
    if (outcome.removed) desk.remove(outcome.alert);
    else desk.put(outcome.alert);
    logs.push(...outcome.logs);
    notes.push(...outcome.notes);
    timers.push(...outcome.timers);
    events.push(...eventsOf(command, outcome));
  }
  const lasting = ({ alertId }: { readonly alertId: string }): boolean => !desk.isRemoved(alertId);
  return {
    ...{ ...desk.changes(), settledAt: means.processedAt },
    ...{ logs: logs.filter(lasting), notes: notes.filter(lasting), statuses, timers: timers.filter(lasting), events },
    links: files.links.filter(lasting),
  };
}

/** It is about an alert of then, which need not be the one of its alias now. */
const SETTLED_BEFORE: Decided = { kind: 'dropped', status: 'Mail that was processed before' };
/** Nobody knows any more whether it has settled, and its alias may mean an alert of today. */
const TOO_OLD: Decided = {
  kind: 'refused',
  status: `Too old: it was accepted more than ${String(TOPIC_DAYS)} days ago`,
};

/** Its caller has sent it again, or done otherwise. */
const TOO_LATE: Decided = {
  kind: 'refused',
  status: 'Too late: its caller was told long before that it was not accepted',
};

/** How a command ends that is to change nothing, whatever it says. */
function unsettled(command: AlertCommand, { logged, late, buried }: World, now: Date): Decided | undefined {
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

function happened(before: Alert | undefined, decided: Decided): Outcome | undefined {
  if (decided.kind !== 'changed') return undefined;
  const { happening, fact } = decided;
  const next = evolve(before, happening);
  const alert = next ?? (before && { ...before, version: before.version + 1 });
  if (alert === undefined) return undefined;
  const entries = entriesOf(alert.id, before?.lastPosition, happening);
  const told = happening.what.kind !== 'repeated';
  return { alert, removed: next === undefined, told, fact, ...entries, timers: timersOf(alert, happening) };
}

function timersOf({ id: alertId, version, unresolved }: Alert, { what, at }: Happening): readonly TimerRow[] {
  if (what.kind === 'snoozed') return [{ timerId: snoozeTimerId(alertId), fence: version, dueAt: what.until, alertId }];
  if (unresolved?.fence !== version) return [];
  const dueAt = new Date(at.getTime() + retryDelayMs(unresolved.attempt));
  return [{ timerId: RESOLVE_TIMER + alertId, fence: version, dueAt, alertId }];
}

/** One, but none of a repeat: others know of no count, and a storm of repeats is not to reach them. */
function eventsOf(command: AlertCommand, { alert, removed, told, fact }: Outcome): readonly AlertEvent[] {
  if (!told) return [];
  const state = removed ? { ...stateOf(alert), status: 'deleted' as const } : stateOf(alert);
  const facts = fact === undefined ? [] : [fact];
  return [{ alertId: alert.id, version: alert.version, state, facts, acceptedAt: command.stamp.acceptedAt }];
}
