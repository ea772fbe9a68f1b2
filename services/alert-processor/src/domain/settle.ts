import {
  TOPIC_DAYS,
  type AlertCommand,
  type AlertEvent,
  type AlertFact,
  type ResponderReference,
} from '@tocsin/contracts';
import { alarmKindOf, timerChanges, timerRequestId, type TimerChanges, type TimerRow } from './alarms.ts';
import { stateOf, type Alert } from './alert.ts';
import { BroughtFiles, type FileLink, type FoundFile } from './brought-files.ts';
import { decide } from './decide.ts';
import { acceptedAt, type Decided, type Resolution } from './decided.ts';
import { AlertBatch, type AlertBatchChanges } from './alert-batch.ts';
import { entriesOf, evolve } from './alert-change.ts';
import type { DecisionContext } from './decision-context.ts';
import type { LogEntry, Note } from './history.ts';
import { MailRepeats, type SettledMail } from './mail-repeats.ts';
import { AT_ONCE } from './policies/judgement.ts';
import { statusOf, type RequestStatus } from './request-status.ts';
import { isTooOld } from './retention.ts';
import { happeningsOf, type Happening, type Settled } from './webhooks/happening.ts';

/** The stored state that one batch reads, as it was before the batch. */
export interface StoredState {
  /** The request ids that have already settled; those of dead letters have not. */
  readonly settled: ReadonlySet<string>;
  /** The request ids of commands that Kafka appended long after their callers were told that they were not accepted. */
  readonly late?: ReadonlySet<string>;
  /** The request ids of dead letters that were redriven. */
  readonly buried?: ReadonlySet<string>;
  /** The mails that have settled, of those that made commands of the batch (P10). */
  readonly mails?: readonly SettledMail[];
  /** The alerts that the commands name, those of `mails`, and the open alerts with the aliases of creates. */
  readonly alerts: readonly Alert[];
  /** The files that creates name, and those that their alerts already have; absent if no create names one. */
  readonly files?: readonly FoundFile[];
}

/** What settling needs besides the commands and the stored state; gathered before the transaction. */
export interface SettleContext {
  readonly resolve: (reference: ResponderReference) => Resolution;
  /** The first of a run of free tiny ids, one for each create of the batch. */
  readonly firstTinyId: number;
  /** The judgements of creates by request id. The flow of a create without one starts at once. */
  readonly judged?: ReadonlyMap<string, DecisionContext['judged']>;
  readonly processedAt: Date;
  /** Whether any integration wants webhooks. */
  readonly tellsWebhooks?: boolean;
}

/** Everything that one transaction writes. */
export interface Changes extends AlertBatchChanges, TimerChanges {
  readonly logs: readonly LogEntry[];
  readonly notes: readonly Note[];
  readonly statuses: readonly RequestStatus[];
  readonly links: readonly FileLink[];
  /** The ids of files to delete at once: their creates were dropped, or their alerts deleted. */
  readonly released: readonly string[];
  /** When the batch settled. */
  readonly settledAt: Date;
  /** In the order of the commands, so the versions of one alert grow. */
  readonly events: readonly AlertEvent[];
  /** What webhooks may want to be told of, in the order of the commands; empty if nobody wants any. */
  readonly happenings: readonly Happening[];
}

/**
 * Settles commands one after the other. Pure: the same commands on the same stored state give the same changes.
 * Idempotent: a request id that has settled before, or earlier in `commands`, changes nothing. The command of a timer of a kind
 * that only a newer release knows becomes a timer again, which this release leaves alone.
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
  const events: AlertEvent[] = [];
  const happenings: Happening[] = [];
  const mails = new MailRepeats(stored.mails);
  const files = new BroughtFiles(stored.files ?? []);
  let tinyId = context.firstTinyId;

  const decidedUnread = (command: AlertCommand): Decided | undefined =>
    refusedUnread(command, stored, context.processedAt) ?? mails.repeatOf(command, (id) => alerts.isOpen(id));
  const broughtTo = (decided: Decided, command: AlertCommand, before: Alert | undefined): Decided => {
    if (decided.kind === 'changed') return files.brought(decided, command, before);
    files.dropped(command);
    return decided;
  };

  for (const command of commands.filter(isKnown)) {
    if (settled.has(command.requestId)) continue;
    settled.add(command.requestId);
    const before = alerts.find(command);
    const decided =
      decidedUnread(command) ?? decide(before, command, { ...context, tinyId, judged: judgedOf(command, context) });
    if (command.kind === 'create') tinyId += 1;
    const outcome = outcomeOf(before, broughtTo(decided, command, before), context.processedAt);
    const alert = outcome?.alert ?? before;
    const status = statusOf(command, decided, { alert, processedAt: context.processedAt });
    statuses.push(status);
    mails.settle(status);
    if (outcome === undefined) continue;
    if (outcome.removed) alerts.remove(outcome.alert);
    else alerts.put(outcome.alert);
    logs.push(...outcome.logs);
    notes.push(...outcome.notes);
    events.push(...eventsOf(command, outcome));
    happenings.push(...toWebhooks({ command, before, outcome }, context));
  }
  const lasting = ({ alertId }: { readonly alertId: string }): boolean => !alerts.isRemoved(alertId);
  const changes = alerts.changes();
  const { cancelled, timers } = timersAfter(commands, stored.alerts, changes);
  return {
    ...changes,
    cancelled,
    timers: [...timers, ...commands.flatMap(timerOfNewerRelease)],
    settledAt: context.processedAt,
    logs: logs.filter(lasting),
    notes: notes.filter(lasting),
    statuses,
    events,
    happenings,
    links: files.links.filter(lasting),
    released: [...files.released(), ...files.links.filter((link) => !lasting(link)).map(({ fileId }) => fileId)],
  };
}

/** Whether this release can settle the command: it cannot where a newer one has set the timer that it comes from. */
const isKnown = (command: AlertCommand): boolean =>
  command.kind !== 'timer' || alarmKindOf(command.timerId) !== undefined;

/** The timer to set again for a command that is not known; none for all others. */
function timerOfNewerRelease(command: AlertCommand): readonly TimerRow[] {
  if (command.kind !== 'timer' || isKnown(command)) return [];
  const { fence, identifier, timerId } = command;
  return [{ timerId, fence: Number(fence), dueAt: acceptedAt(command), alertId: identifier.value }];
}

const NOT_JUDGED: DecisionContext['judged'] = { flow: AT_ONCE, entry: undefined };

const judgedOf = ({ requestId }: AlertCommand, { judged }: SettleContext): DecisionContext['judged'] =>
  judged?.get(requestId) ?? NOT_JUDGED;

/** The timer writes of the batch: for each alert that it changes, only the last state counts. */
function timersAfter(
  commands: readonly AlertCommand[],
  stored: readonly Alert[],
  { deleted, inserted, updated }: AlertBatchChanges,
): TimerChanges {
  const changed = new Set([...deleted, ...updated.map(({ id }) => id)]);
  const fired = new Set(commands.map(({ requestId }) => requestId));
  return timerChanges(
    stored.filter(({ id }) => changed.has(id)),
    [...inserted, ...updated],
    ({ fence, timerId }) => fired.has(timerRequestId(timerId, fence)),
  );
}

/** It may have settled before, because its status may be gone, and its alias may belong to another alert by now. */
const TOO_OLD: Decided = {
  kind: 'refused',
  status: `Too old: it was accepted more than ${String(TOPIC_DAYS)} days ago`,
};

/** Its caller was told that it failed, and may have sent it again. */
const TOO_LATE: Decided = {
  kind: 'refused',
  status: 'Too late: its caller was told long before that it was not accepted',
};

/** The outcome of a command that must not be carried out, whatever it says; undefined for all others. */
function refusedUnread(command: AlertCommand, { late, buried }: StoredState, now: Date): Decided | undefined {
  if (late?.has(command.requestId) === true) return TOO_LATE;
  return isTooOld(acceptedAt(command), now) && buried?.has(command.requestId) !== true ? TOO_OLD : undefined;
}

interface Outcome {
  /** The alert after the change; a deleted alert as it was last, one version later. */
  readonly alert: Alert;
  readonly removed: boolean;
  /** Whether others may be told: by an event or a webhook. */
  readonly told: boolean;
  readonly fact: AlertFact | undefined;
  readonly logs: readonly LogEntry[];
  readonly notes: readonly Note[];
}

function outcomeOf(before: Alert | undefined, decided: Decided, settledAt: Date): Outcome | undefined {
  if (decided.kind !== 'changed') return undefined;
  const { change, fact } = decided;
  const next = evolve(before, change, settledAt);
  const alert = next ?? (before && { ...before, version: before.version + 1 });
  if (alert === undefined) return undefined;
  const entries = entriesOf(alert.id, before?.lastPosition, change);
  const told = change.kind !== 'repeated';
  return { alert, removed: next === undefined, told, fact, ...entries };
}

/** What webhooks may want to be told of; nothing of a repeat, and nothing if no integration wants webhooks (F4). */
function toWebhooks(
  { before, command, outcome }: Pick<Settled, 'before' | 'command'> & { readonly outcome: Outcome },
  { tellsWebhooks = false }: SettleContext,
): readonly Happening[] {
  const { alert: after, fact, told } = outcome;
  return tellsWebhooks && told ? happeningsOf({ command, fact, before, after }) : [];
}

/**
 * The event of a change. A repeat has none, because others do not know the count. An alert without responders has none
 * (F4), except when a new owner must be told (A9), or when an alert with an owner is deleted: responders are never
 * removed, so nobody else can have been paged yet. The first event with responders says how the cycle began.
 */
function eventsOf(command: AlertCommand, { alert, removed, told, fact }: Outcome): readonly AlertEvent[] {
  const toOwner = removed ? alert.owner !== '' : fact?.kind === 'assigned';
  if (!told || (alert.responders.length === 0 && !toOwner)) return [];
  const state = removed ? { ...stateOf(alert), status: 'deleted' as const } : stateOf(alert);
  const facts = fact === undefined ? [] : [fact];
  const { acceptedAt, trace } = command;
  return [{ alertId: alert.id, version: alert.version, state, facts, acceptedAt, ...(trace && { trace }) }];
}
