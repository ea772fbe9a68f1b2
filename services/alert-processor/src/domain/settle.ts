import type { AlertCommand, AlertEvent, AlertFact, ResponderReference } from '@tocsin/contracts';
import { stateOf, type Alert } from './alert.ts';
import { BroughtFiles, type FileLink, type FoundFile } from './brought-files.ts';
import { decide } from './decide.ts';
import type { Circumstances, Decided, Resolution } from './decided.ts';
import { Desk, type DeskChanges } from './desk.ts';
import { entriesOf, evolve, type Happening } from './happening.ts';
import type { LogEntry, Note } from './history.ts';
import { statusOf, type RequestStatus } from './request-status.ts';
import { RESOLVE_TIMER, retryDelayMs } from './responders.ts';
import { snoozeTimerId } from './transitions.ts';

/** What the commands of one batch touch, as it stood before them. */
export interface World {
  /** Request ids that have settled already; buried ones have not. */
  readonly settled: ReadonlySet<string>;
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

  for (const command of commands) {
    if (settled.has(command.requestId)) continue;
    settled.add(command.requestId);
    const before = desk.find(command);
    const decided = decidedOnce(before, command, { logged: world.logged, resolve: means.resolve, tinyId });
    if (command.kind === 'create') tinyId += 1;
    const outcome = decided.kind === 'changed' ? happened(before, files.brought(decided, command, before)) : undefined;
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

function decidedOnce(
  before: Alert | undefined,
  command: AlertCommand,
  { logged, ...circumstances }: Circumstances & { readonly logged: World['logged'] | undefined },
): Decided {
  return logged?.has(command.requestId) === true ? SETTLED_BEFORE : decide(before, command, circumstances);
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

function happened(
  before: Alert | undefined,
  { happening, fact }: Extract<Decided, { kind: 'changed' }>,
): Outcome | undefined {
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
