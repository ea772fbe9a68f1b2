import type { CreateAlert, Notifications } from '@tocsin/events';
import type { ChangeKind, FlowSettings } from './alert-change.ts';
import { eachOnce } from './content.ts';
import { flowStart, type Alert, type Hold } from './alert.ts';
import { acceptedAt, actionMatched, factOf, via, type Decided } from './decided.ts';
import { type DecisionContext, named, sortedOut, type SortedOut, suppressionText, triedAgain } from './responders.ts';
import { countedFrom } from './due.ts';
import { counted } from '../policies/effects.ts';
import type { HoldPlan } from '../policies/policy-result.ts';
import { SYSTEM, type DecisionRecord, type Writing } from '../alert-log/entry.ts';

export const CREATED = 'Created alert';

/** How many repeats of an alert its log keeps; the count has no ceiling (A2). */
const LOGGED_REPEATS = 100;

/**
 * Makes a new alert, because none is open under the alias. Its flow starts at once unless it is suppressed or held (A1,
 * A3, P6, P11).
 */
export function created(command: CreateAlert, context: DecisionContext): Decided {
  const { policyResult, resolve, tinyId } = context;
  const responders = sortedOut(command.alert.responders, resolve);
  const visibleTo = sortedOut(command.alert.visibleTo, resolve);
  const alert: Alert = {
    ...newAlert(command, tinyId, responders, visibleTo),
    ...flowSettings(command, context),
    flow: flowStart({ responders: responders.known }),
  };
  const { note, actor: owner } = command;
  return {
    kind: 'changed',
    status: CREATED,
    change: {
      kind: 'created',
      alert,
      at: acceptedAt(command),
      requestId: command.requestId,
      logs: firstEntries(command, policyResult.entry, responders, visibleTo),
      note: note === undefined ? undefined : { note, owner },
    },
    fact: factOf(command, 'created'),
  };
}

/** What the policies say of the flow of the alert that `command` creates. A suppression wins over a hold. */
export function flowSettings(
  command: CreateAlert,
  { policyResult, processedAt }: Pick<DecisionContext, 'policyResult' | 'processedAt'>,
): FlowSettings {
  const { alert } = command;
  const plan = policyResult.flow;
  const at = acceptedAt(command);
  const from = countedFrom(at, processedAt);
  const reason = alert.suppressed ?? plan.suppressed;
  const hold = reason === undefined && plan.hold !== undefined ? heldBy(plan.hold, at) : undefined;
  const notifications = reason === undefined ? notificationsOf(hold) : ({ kind: 'suppressed', reason } as const);
  const { autoClose, autoRestart } = plan;
  return {
    notifications,
    hold,
    autoClose: autoClose && { policy: autoClose.policy, dueAt: new Date(from.getTime() + autoClose.afterMs) },
    autoRestart: autoRestart && { ...autoRestart, done: 0, since: from },
  };
}

export const notificationsOf = (hold: Hold | undefined): Notifications =>
  hold === undefined
    ? { kind: 'active' }
    : { kind: 'delayed', ...(hold.kind === 'delay' && { until: hold.until.toISOString() }) };

function newAlert(
  command: CreateAlert,
  tinyId: number,
  responders: SortedOut,
  visibleTo: SortedOut,
): Omit<Alert, keyof FlowSettings | 'flow'> {
  const { alert, integration, source } = command;
  const at = acceptedAt(command);
  const { alertId: id, message, description, actions, tags, details, entity, priority } = alert;
  const unreachable = responders.unreachable.length + visibleTo.unreachable.length > 0;
  return {
    id,
    tinyId,
    message,
    description,
    actions,
    tags: eachOnce(tags),
    details,
    entity,
    priority,
    source,
    alias: aliasOf(command),
    status: 'open',
    acknowledged: false,
    seen: false,
    snoozed: false,
    snoozedUntil: undefined,
    count: 1,
    owner: '',
    report: undefined,
    responders: responders.known,
    visibleTo: visibleTo.known,
    unresolved: unreachable
      ? { responders: responders.unreachable, visibleTo: visibleTo.unreachable, ...triedAgain(1, at) }
      : undefined,
    ownerTeamId: integration.ownerTeamId,
    integration: { id: integration.id, name: integration.name, type: integration.type },
    createdAt: at,
    updatedAt: at,
    lastOccurredAt: at,
    cycle: 1,
    flowStartedAt: at,
    version: 1,
    lastPosition: undefined,
  };
}

/** The alias under which a create counts: its own, else the id of the alert that it would make (A1). */
export function aliasOf({ alert }: CreateAlert): string {
  return alert.alias === '' ? alert.alertId : alert.alias;
}

function firstEntries(
  command: CreateAlert,
  policyEntry: DecisionContext['policyResult']['entry'],
  responders: SortedOut,
  visibleTo: SortedOut,
): Writing['logs'] {
  const unknown = [...responders.unknown, ...visibleTo.unknown];
  const unreachable = [...responders.unreachable, ...visibleTo.unreachable];
  const said = [...(command.alert.remarks ?? []), ...missingResponders({ unknown, unreachable })];
  // Part of the first entry and not an entry of its own: most alerts of a busy installation have no responders.
  const noUser =
    responders.known.length + responders.unreachable.length === 0 ? '; it has no responders: no user is paged' : '';
  return [
    { log: `Alert created ${via(command, 'Create Alert')}${noUser}`, ...originOf(command) },
    ...(policyEntry === undefined ? [] : [policyEntry]),
    ...(command.alert.suppressed === undefined ? [] : [suppressedEntry(command, command.alert.suppressed)]),
    ...said.map((log) => ({ log, type: 'system', owner: SYSTEM }) as const),
  ];
}

/** For the log: which responders did not join. */
export const missingResponders = ({
  unknown,
  unreachable,
}: Pick<SortedOut, 'unknown' | 'unreachable'>): readonly string[] => [
  ...(unknown.length === 0 ? [] : [`Unknown responders, left out: ${named(unknown)}`]),
  ...(unreachable.length === 0 ? [] : [`Could not look up, will be tried again: ${named(unreachable)}`]),
];

/** The integration that made or repeated the alert, and its matching action. */
function originOf(command: CreateAlert): Pick<Writing['logs'][number], 'type' | 'owner' | 'decision'> {
  const decision = actionMatched(command);
  return { type: 'alertAction', owner: command.actor, ...(decision && { decision }) };
}

function suppressedEntry({ requestId }: CreateAlert, reason: string): Writing['logs'][number] {
  const decision: DecisionRecord = {
    decisionId: `suppressed:${requestId}`,
    stage: 'process',
    subject: 'flow',
    outcome: 'suppressed',
  };
  return { log: suppressionText(reason), type: 'system', owner: SYSTEM, decision };
}

/** A create for an open alias only counts (A2). The occurrence that ends a hold also starts the flow, once (P6). */
export function repeated(alert: Alert, command: CreateAlert): Decided {
  const at = acceptedAt(command);
  const hold = afterOccurrence(alert, at);
  const reached = hold !== alert.hold && hold?.isOver === true;
  const releases = reached && !alert.acknowledged;
  return {
    kind: 'changed',
    status: CREATED,
    change: {
      ...(releases ? RELEASED : countedOnly(alert, hold)),
      at,
      requestId: command.requestId,
      logs: [...repeatEntries(alert, command), ...(reached ? [enoughEntry(hold, releases)] : [])],
    },
    fact: releases ? factOf(command, 'released') : undefined,
  };
}

const RELEASED = { kind: 'released', occurred: true } as const;

const countedOnly = (alert: Alert, hold: Hold | undefined): ChangeKind =>
  hold === undefined || hold === alert.hold ? { kind: 'repeated' } : { kind: 'repeated', hold };

export function repeatEntries({ count }: Pick<Alert, 'count'>, command: CreateAlert): Writing['logs'] {
  if (count > LOGGED_REPEATS) return [];
  const log = `Alert repeated, count ${String(count + 1)}, ${via(command, 'Create Alert')}`;
  return [{ log, ...originOf(command) }];
}

function enoughEntry({ policy }: Hold, releases: boolean): Writing['logs'][number] {
  const starts = releases ? STARTS : `${STARTS} once the alert is unacknowledged`;
  return { log: `It has occurred as often as policy ${policy} asks: ${starts}`, type: 'system', owner: SYSTEM };
}

const STARTS = 'the notification flow starts';

/** The hold that `plan` puts on an alert whose first occurrence was accepted at `at`. */
export function heldBy(plan: HoldPlan, at: Date): Hold {
  if (plan.kind === 'delay') return { ...plan, isOver: false };
  const { withinMs, ...same } = plan;
  return { ...same, isOver: false, ...(withinMs !== undefined && { withinMs, occurrences: [at] }) };
}

/**
 * The hold of an alert after one more occurrence, accepted at `at`. The hold is over with the `count`-th occurrence, or
 * with the `count`-th of those accepted within `withinMs` of each other, in whatever order they come (P6).
 */
export function afterOccurrence({ count: occurred, hold }: Pick<Alert, 'count' | 'hold'>, at: Date): Hold | undefined {
  if (hold?.kind !== 'deduplication' || hold.isOver) return hold;
  const { count, occurrences = [], withinMs } = hold;
  if (withinMs === undefined) return occurred + 1 < count ? hold : { ...hold, isOver: true };
  const { kept, reached } = counted(occurrences, { count, withinMs }, at);
  return { ...hold, occurrences: kept, isOver: reached };
}
