import type { AlertState, CancelOn, EscalationRepeat, NotifyType, Version } from '@tocsin/events';
import type { EscalationRule } from '../escalations/escalation.ts';
import type { Mention } from '../configuration/mentions.ts';
import { MINUTE_MS } from '../on-call/span.ts';
import type { NoteMinute } from './note-minutes.ts';

/**
 * An escalation that was opened for an alert, with the rules it had at that moment: a running flow keeps them (S9). `id` is the
 * route that led here, so that one escalation reached by two routes is two active escalations.
 */
export interface ActiveEscalation {
  readonly id: string;
  readonly escalationId: string;
  readonly escalationName: string;
  /**
   * Whether its rules no longer fire by themselves, because the alert was snoozed, held or suppressed when it was opened or since. A manual
   * escalation still fires its next rule (A9).
   */
  readonly isStopped: boolean;
  /** The version of the escalation when it was opened. */
  readonly version: Version;
  /** The (re)start, from which the delays of its rules count. */
  readonly startedAt: Date;
  readonly rules: readonly EscalationRule[];
  readonly repeat: EscalationRepeat | undefined;
  /** How often it has repeated. */
  readonly repeatNumber: number;
  /**
   * The order (reset or close) that this escalation sent at the end of its repeat. Until alert-processor has carried it out, no rule of the
   * escalation is due.
   */
  readonly awaitedOrderId: string | undefined;
  /** The targets that were opened on the route to it, as `type:id`; none of them is opened again (S4). */
  readonly targets: readonly string[];
}

/** The active escalation and rule that reach a user. The id of the page consists of its parts. */
export interface PageOrigin {
  readonly routeId: string;
  /** The rule's index, or `-` where the target is reached without a rule. */
  readonly rule: string;
  /** How often the rule's active escalation has repeated. */
  readonly repeatNumber: number;
  /** The changes that end the page. */
  readonly cancelOn: CancelOn;
  /** Whether an active escalation that is opened on this route starts as stopped. */
  readonly isStopped: boolean;
  /** When it fell due. Delays of the user's rules, and of an escalation opened by it, count from here. */
  readonly dueAt: Date;
  readonly why: string;
}

/** The route from a responder to a user, as far as it was followed. */
export interface Route {
  readonly origin: PageOrigin;
  readonly targets: readonly string[];
  /** How many look-ups of a user on the route have failed. */
  readonly attempt?: number;
}

/** A user or team that is looked up again. A user is the one before forwarding. */
export interface LookUp {
  readonly id: string;
  readonly target: Mention & { readonly type: 'user' | 'team' };
  /** Which members of the team the rule notifies. */
  readonly choice: NotifyType;
  readonly route: Route;
  readonly attempt: number;
  readonly dueAt: Date;
  /** When the route was followed first. A user who was paged since then is not paged again by this look-up. */
  readonly since: Date;
  /** The state of the alert at the manual request that led there (A9). */
  readonly alertAtRequest?: Pick<AlertState, 'acknowledged' | 'snoozed'> | undefined;
}

/** The state of the escalations of one alert. */
export interface EscalationState {
  readonly alertId: string;
  /** The version of the last event. One that is not later is a repeat. */
  readonly alertVersion: number;
  /** As of that event. Everything below belongs to its cycle. */
  readonly alert: AlertState;
  /** Whether the responders with which the cycle began are opened: not where the alert was held or suppressed then. */
  readonly hasStarted: boolean;
  /** When the command that started the cycle was accepted; latency counts from here. */
  readonly acceptedAt: string;
  /** The trace of the event that paged last, if sampled. Pages of that event belong to it. Rules that fire later begin a trace that is linked to it. */
  readonly trace?: string | undefined;
  readonly escalations: readonly ActiveEscalation[];
  /** The rules that have fired or were skipped, as `ruleKey` names them. */
  readonly done: readonly string[];
  /** Of these, those that were skipped, as by an acknowledgement: an escalate still fires them (A9). */
  readonly skipped: readonly string[];
  /** The look-ups that are tried again. */
  readonly lookUps: readonly LookUp[];
  /** The users who were paged while look-ups waited, and when last. */
  readonly pagedMeanwhile: readonly { readonly userId: string; readonly cancelOn: CancelOn; readonly at: Date }[];
  /** How many orders it has given; the id of each contains its number. */
  readonly orders: number;
  /** The users paged so far, in any cycle. */
  readonly reached: readonly string[];
  /** How many notes users were notified of, by the minute in which they were accepted. */
  readonly noteMinutes: readonly NoteMinute[];
  /** Whether the log says of this cycle that its flow is exhausted. */
  readonly isExhausted: boolean;
  /** When the log is to say so, if the flow is exhausted then. */
  readonly exhaustedDueAt?: Date | undefined;
}

/** Identifies a rule in the present repeat of an active escalation within its escalation state. */
export const ruleKey = ({ id, repeatNumber }: ActiveEscalation, ruleIndex: number): string =>
  repeatNumber === 0 ? `${id}#${ruleIndex}` : `${id}#${ruleIndex}~${repeatNumber}`;

/** The rule and the repeat: each repeat opens its own active escalations. */
export const ruleAndRepeat = ({ rule, repeatNumber }: PageOrigin): string =>
  repeatNumber === 0 ? rule : `${rule}~${repeatNumber}`;

/**
 * Whether a former repeat of one of `escalations` has opened the active escalation `id`, which ends with that repeat. Example:
 * `team:1/0~1>escalation:2` was opened by rule 0 in repeat 1 of `team:1`.
 */
export const isOfFormerRepeat = (escalations: readonly ActiveEscalation[], id: string): boolean =>
  escalations.some(
    (active) =>
      active.repeatNumber > 0 &&
      id.startsWith(`${active.id}/`) &&
      !id
        .slice(active.id.length + 1)
        .split(/[/>]/, 1)[0]
        ?.endsWith(`~${active.repeatNumber}`),
  );

/** When a rule of an active escalation falls due in its present repeat. */
export const dueAt = ({ startedAt }: ActiveEscalation, { delayMinutes }: EscalationRule): Date =>
  new Date(startedAt.getTime() + delayMinutes * MINUTE_MS);

/** When the repeat of an active escalation ends, after the wait behind its last rule; undefined when nothing follows it (S9). */
export function nextRepeatAt({ startedAt, rules, repeat, repeatNumber }: ActiveEscalation): Date | undefined {
  if (repeat === undefined || (repeatNumber >= repeat.count && !repeat.closeAlertAfterAll)) return undefined;
  const longest = rules.reduce((most, { delayMinutes }) => Math.max(most, delayMinutes), 0);
  return new Date(startedAt.getTime() + (longest + repeat.waitMinutes) * MINUTE_MS);
}

/** Whether a look-up is tried again: not where its flow is stopped, unless a manual request led there since. */
export const canLookUp = ({ alertAtRequest, route }: Pick<LookUp, 'alertAtRequest' | 'route'>): boolean =>
  !route.origin.isStopped || alertAtRequest !== undefined;

/** Whether the flow of an alert goes on: the alert is open, and not held, suppressed or snoozed. */
export const isFlowActive = ({ snoozed, status, notifications }: AlertState): boolean =>
  status === 'open' && notifications.kind === 'active' && !snoozed;

/** Why a due rule does not fire; undefined when it does (S9: conditions are checked when due). */
export function refusal(state: EscalationState, condition: EscalationRule['condition']): string | undefined {
  if (state.alert.status !== 'open') return 'the alert is closed';
  if (condition === 'if-not-acked' && state.alert.acknowledged) return 'the alert is acknowledged';
  return undefined;
}

/**
 * The changes that `decide` returns for `items`, in order. Each call gets the escalation state that the previous items of the alert
 * left.
 */
export function foldChanges<T, C extends { readonly state: EscalationState | undefined }>(
  items: readonly T[],
  states: ReadonlyMap<string, EscalationState>,
  alertIdOf: (item: T) => string,
  decide: (state: EscalationState | undefined, item: T) => C | undefined,
): readonly C[] {
  const latest = new Map(states);
  return items.flatMap((item) => {
    const change = decide(latest.get(alertIdOf(item)), item);
    if (change?.state !== undefined) latest.set(change.state.alertId, change.state);
    return change ?? [];
  });
}
