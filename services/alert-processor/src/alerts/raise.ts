import { ALERT_LIMITS, type CreateAlert, type Notifications, type Responder } from '@tocsin/events';
import { SYSTEM, type DecisionRecord, type Writing } from '../alert-log/entry.ts';
import type { FlowSettings } from './alert-change.ts';
import { isMoreUrgent, type Alert, type Hold, type UnresolvedResponders } from './alert.ts';
import { afterOccurrence, CREATED, flowSettings, missingResponders, notificationsOf, repeatEntries } from './create.ts';
import { acceptedAt, factOf, type Decided } from './decided.ts';
import { type DecisionContext, sortedOut, type SortedOut, suppressionText, triedAgain } from './responders.ts';

/**
 * Whether a create for the open alert raises it: it comes from a tool, and its priority is higher than each that the alert has had. So
 * it raises an alert four times at most, and not again after a user has lowered the priority (Q9).
 */
export function raises({ priority, highestPriority = priority }: Alert, { alert, hook }: CreateAlert): boolean {
  return hook !== undefined && isMoreUrgent(alert.priority, highestPriority);
}

/**
 * The alert gets the priority, and the responders that it lacks. Policies apply as to a new alert, but they never hold a flow back or
 * suppress it that has started. The flow starts again, unless the alert is acknowledged, snoozed, held or suppressed (Q9).
 */
export function raised(alert: Alert, command: CreateAlert, context: DecisionContext): Decided {
  const at = acceptedAt(command);
  const { priority } = command.alert;
  const planned = flowSettings(command, context);
  const flow = flowAfter(alert, planned, at);
  const joining = joiningResponders(alert, sortedOut(command.alert.responders, context.resolve), at);
  const outcome = outcomeOf(alert, planned, flow, alert.responders.length + joining.responders.length);
  const starts = outcome.kind === 'starts';
  const said = [...missingResponders(joining), ...leftOut(joining.excess)];
  const { entry } = context.policyResult;
  return {
    kind: 'changed',
    status: CREATED,
    change: {
      kind: 'raised',
      priority,
      responders: joining.responders,
      unresolved: joining.unresolved,
      flow,
      starts,
      at,
      requestId: command.requestId,
      logs: [
        ...repeatEntries(alert, command),
        ...(entry === undefined ? [] : [entry]),
        raiseEntry(alert, command, outcome),
        ...said.map((log) => ({ log, type: 'system', owner: SYSTEM }) as const),
      ],
    },
    // The note of a repeat is not kept, so users are not notified of it.
    fact: factOf({ ...command, note: undefined }, starts ? 'restarted' : 'updated'),
  };
}

/** The flow settings of a raised alert, of which the policies say `planned`. A snooze replaces a hold (P16). */
function flowAfter(alert: Alert, planned: FlowSettings, at: Date): FlowSettings {
  const hasStarted = alert.notifications.kind === 'active' || alert.hold?.isOver === true;
  if (hasStarted) return { ...planned, notifications: notificationsOf(undefined), hold: undefined };
  if (planned.notifications.kind === 'suppressed') return planned;
  const hold = alert.snoozed || planned.hold === undefined ? undefined : holdAfter(alert, planned.hold, at);
  return { ...planned, notifications: notificationsOf(hold), hold };
}

/** The present hold stays where the same policy holds the alert, or where its delay ends earlier; undefined where the hold is over. */
function holdAfter(alert: Alert, planned: Hold, at: Date): Hold | undefined {
  const { count, hold: present } = alert;
  if (present?.policy === planned.policy && present.kind === planned.kind) return lasting(afterOccurrence(alert, at));
  if (planned.kind === 'delay') return present?.kind === 'delay' && present.until < planned.until ? present : planned;
  // The first occurrence that a frequency counts is this one.
  return planned.withinMs === undefined ? lasting(afterOccurrence({ count, hold: planned }, at)) : planned;
}

const lasting = (hold: Hold | undefined): Hold | undefined => (hold?.isOver === true ? undefined : hold);

interface JoiningResponders extends SortedOut {
  /** Those that the alert lacks, as many as it may have. */
  readonly responders: readonly Responder[];
  readonly unresolved: UnresolvedResponders | undefined;
  /** How many it could not have. */
  readonly excess: number;
}

function joiningResponders(alert: Alert, sorted: SortedOut, at: Date): JoiningResponders {
  const waiting = alert.unresolved?.responders ?? [];
  const lacking = sorted.known.filter(
    ({ type, id }) => !alert.responders.some((one) => one.type === type && one.id === id),
  );
  const room = Math.max(0, ALERT_LIMITS.responders - alert.responders.length - waiting.length);
  const responders = lacking.slice(0, room);
  const unreachable = sorted.unreachable.slice(0, room - responders.length);
  const unresolved: UnresolvedResponders | undefined =
    unreachable.length === 0
      ? alert.unresolved
      : {
          responders: [...waiting, ...unreachable],
          visibleTo: alert.unresolved?.visibleTo ?? [],
          ...triedAgain(1, at),
        };
  const excess = lacking.length + sorted.unreachable.length - responders.length - unreachable.length;
  return { ...sorted, unreachable, responders, unresolved, excess };
}

const leftOut = (excess: number): readonly string[] =>
  excess === 0 ? [] : [`responders: ${excess} were left out, over ${ALERT_LIMITS.responders}.`];

/** What a raise does to the flow; `text`, for the log, follows a colon. */
interface RaiseOutcome {
  readonly kind: 'starts' | 'acknowledged' | 'snoozed' | 'held' | 'suppressed';
  readonly text: string;
}

/** `responders`: how many the alert has, with those that join. */
function outcomeOf(
  { acknowledged, snoozed, snoozedUntil }: Alert,
  { notifications: planned }: FlowSettings,
  { hold, notifications }: FlowSettings,
  responders: number,
): RaiseOutcome {
  if (planned.kind === 'suppressed') return suppressedOutcome(planned.reason, notifications);
  if (snoozed) {
    const until = snoozedUntil === undefined ? '' : `, ${snoozedUntil.toISOString()}`;
    return { kind: 'snoozed', text: `the notification flow starts at the end of the snooze${until}` };
  }
  if (acknowledged) return { kind: 'acknowledged', text: 'no user is paged again, because it is acknowledged' };
  if (notifications.kind !== 'active')
    return { kind: 'held', text: `policy ${hold?.policy ?? ''} holds the notification flow back` };
  const noUser = responders === 0 ? '; it has no responders: no user is paged' : '';
  return { kind: 'starts', text: `the notification flow starts again${noUser}` };
}

function suppressedOutcome(reason: string, { kind }: Notifications): RaiseOutcome {
  const isSuppressed = kind === 'suppressed';
  const text = isSuppressed ? suppressionText(reason) : `${reason}: the notification flow does not start again`;
  return { kind: 'suppressed', text };
}

function raiseEntry(
  { priority: from }: Alert,
  { alert: { priority: to }, requestId }: CreateAlert,
  { kind, text }: RaiseOutcome,
): Writing['logs'][number] {
  const decision: DecisionRecord = {
    decisionId: `raised:${requestId}`,
    stage: 'process',
    subject: 'priority',
    outcome: 'raised',
    facts: { from, to, flow: kind },
  };
  const log = `Priority raised from ${from} to ${to}, because the tool sent the alert again with ${to}: ${text}`;
  return { log, type: 'system', owner: SYSTEM, decision };
}
