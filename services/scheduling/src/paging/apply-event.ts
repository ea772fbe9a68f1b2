import type { AlertEvent, AlertFact, AlertState, Cancel, Erase, Responder } from '@tocsin/events';
import { cancelsOf } from './cancels.ts';
import { statusUpdatesOf, ownerUpdatesOf, type StatusUpdate } from './status-updates.ts';
import { isFlowActive, type EscalationState } from './escalation-state.ts';

/**
 * Whether an alert can have an escalation state. Responders are never removed, so an alert without any never had one. Most alerts of a busy
 * installation have none.
 */
export const hasResponders = ({ state }: AlertEvent): boolean => state.responders.length > 0;

/** Whether an event may lead to pages or end some. Of an alert without responders these are an event with a new owner, and the deletion. */
export const concernsPages = (event: AlertEvent): boolean =>
  hasResponders(event) || event.state.status === 'deleted' || ownerUpdatesOf(event).length > 0;

/** A caller's request to add a responder, or to fire the next rule of an escalation now (A9). */
export type ManualRequest = AlertFact & {
  readonly kind: 'responder-added' | 'escalated';
  readonly responder: Responder;
  /** The state of the alert at the request. */
  readonly alertAtRequest: Pick<AlertState, 'acknowledged' | 'snoozed'>;
};

/** The manual requests in an event. */
export const manualRequestsOf = ({ facts, state: { acknowledged, snoozed } }: AlertEvent): readonly ManualRequest[] =>
  facts.filter(isManualRequest).map((fact) => ({ ...fact, alertAtRequest: { acknowledged, snoozed } }));

const isManualRequest = (fact: AlertFact): fact is Omit<ManualRequest, 'alertAtRequest'> =>
  (fact.kind === 'responder-added' || fact.kind === 'escalated') && fact.responder !== undefined;

/** The start of a cycle. */
export interface Opening {
  /** The responders that the alert had at the start. */
  readonly responders: readonly Responder[];
  /**
   * `page`: the responders are paged. `superseded` (a later cycle of the alert pages them) and `stopped` (the alert was held when the cycle
   * began) page no responder, but open the escalations, so that a manual escalation finds their next rule. In a superseded cycle the rules
   * that are due count as fired.
   */
  readonly mode: 'page' | 'superseded' | 'stopped';
}

/** The changes by an event to the escalation state of its alert. */
export interface AppliedEvent {
  /** With the new state of the alert. */
  readonly state: EscalationState;
  /** Set when the cycle starts; it is handled first. */
  readonly opening: Opening | undefined;
  /** The ids of orders that alert-processor has carried out, and for which active escalations of the escalation state wait. */
  readonly completedOrderIds: ReadonlySet<string>;
  /** The manual requests that have an effect. */
  readonly requests: readonly ManualRequest[];
  /** The changes of which users are notified. */
  readonly updates: readonly StatusUpdate[];
  /** The cancels and erases of earlier pages. */
  readonly cancels: readonly (Cancel | Erase)[];
}

/**
 * Applies an event to an escalation state. The events of an alert come in the order of their versions, so one whose version is not later
 * than that of the state is a repeat: undefined. Events may be missing, because each has the whole state of the alert. The
 * first event of a cycle starts the cycle with the responders that the alert had at its start.
 *
 * An acknowledgement stops nothing, because rules with the condition "not closed" go on (A4). A snooze, a hold and a suppression stop
 * the active escalations; a close and a delete remove them.
 *
 * `isSuperseded`: a later cycle of the alert is in the same batch. Then only manual escalations page in this cycle, because the later
 * cycle pages the responders.
 */
export function applyEvent(
  before: EscalationState | undefined,
  event: AlertEvent,
  isSuperseded = false,
): AppliedEvent | undefined {
  const { state, version } = event;
  if (before !== undefined && version <= before.alertVersion) return undefined;
  const isNewCycle = state.cycle !== before?.alert.cycle;
  const previous = before ?? newState(event);
  const cancels = cancelsOf(previous, event);
  const inCycle = isNewCycle ? inNewCycle(previous, event) : previous;
  const current = afterEvent(isFlowActive(state) ? inCycle : stopped(inCycle, state), event);
  const requests = manualRequestsOf(event).filter(({ kind }) => hasEffect(kind, state, isSuperseded));
  const opening = openingOf(current, { isNewCycle, isSuperseded, requests });
  const trigger = { opening, completedOrderIds: completedOrders(current, event), requests };
  return { state: withTrigger(current, event, trigger), ...trigger, updates: statusUpdatesOf(event), cancels };
}

/** Returns whether `events` has an event of a later cycle of the same alert. */
export function supersededAmong(events: readonly AlertEvent[]): (event: AlertEvent) => boolean {
  const latest = new Map<string, number>();
  for (const { alertId, state } of events) latest.set(alertId, Math.max(state.cycle, latest.get(alertId) ?? 0));
  return ({ alertId, state }) => state.cycle < (latest.get(alertId) ?? 0);
}

const NOTHING_OPENED: Pick<
  EscalationState,
  'escalations' | 'done' | 'skipped' | 'lookUps' | 'pagedMeanwhile' | 'exhaustedDueAt' | 'isExhausted'
> = {
  escalations: [],
  done: [],
  skipped: [],
  lookUps: [],
  pagedMeanwhile: [],
  exhaustedDueAt: undefined,
  isExhausted: false,
};

/** The escalation state of an alert before its first event. */
export const newState = ({ acceptedAt, alertId, state }: AlertEvent): EscalationState => ({
  alertId,
  alertVersion: 0,
  alert: state,
  hasStarted: false,
  acceptedAt,
  ...NOTHING_OPENED,
  orders: 0,
  reached: [],
  noteMinutes: [],
});

const inNewCycle = (former: EscalationState, event: AlertEvent): EscalationState => ({
  ...former,
  hasStarted: false,
  acceptedAt: event.acceptedAt,
  trace: event.trace,
  ...NOTHING_OPENED,
});

/**
 * Active escalations stay, so that a manual escalation finds their next rule, but none of their rules is due. Look-ups of manual requests
 * go on until the alert is snoozed.
 */
function stopped(state: EscalationState, { snoozed, status }: AlertState): EscalationState {
  if (status !== 'open') return { ...state, ...NOTHING_OPENED };
  return {
    ...state,
    escalations: state.escalations.map((active) => ({ ...active, isStopped: true })),
    lookUps: state.lookUps.filter(
      ({ alertAtRequest }) => alertAtRequest !== undefined && (alertAtRequest.snoozed || !snoozed),
    ),
    exhaustedDueAt: undefined,
  };
}

/** The ids of the orders, for which active escalations wait, that the event reports as done. */
function completedOrders({ escalations }: EscalationState, { facts }: AlertEvent): ReadonlySet<string> {
  const awaited = new Set(escalations.map(({ awaitedOrderId }) => awaitedOrderId));
  return new Set(facts.flatMap(({ factId, kind }) => (kind === 'reset' && awaited.has(factId) ? [factId] : [])));
}

const afterEvent = (before: EscalationState, { state, version }: AlertEvent): EscalationState => ({
  ...before,
  alertVersion: version,
  ...(state.status === 'deleted' ? { alert: withoutContent(state), reached: [], noteMinutes: [] } : { alert: state }),
});

/** The stored state of a deleted alert: only that it is deleted, so that a repeated event has no effect (A6). */
const withoutContent = (state: AlertState): AlertState => ({
  ...state,
  tinyId: '',
  alias: '',
  message: '',
  description: '',
  source: '',
  entity: '',
  owner: '',
  tags: [],
  actions: [],
  details: {},
  responders: [],
  integration: { id: '', name: '', type: '' },
});

/** Whether a request has an effect: an escalate also while the alert is snoozed or held (A9), and in a cycle that is superseded. */
function hasEffect(kind: ManualRequest['kind'], state: AlertState, isSuperseded: boolean): boolean {
  if (kind === 'escalated') return state.status === 'open' && state.notifications.kind !== 'suppressed';
  return isFlowActive(state) && !isSuperseded;
}

function openingOf(
  { alert, hasStarted }: EscalationState,
  {
    isNewCycle,
    isSuperseded,
    requests,
  }: {
    readonly isNewCycle: boolean;
    readonly isSuperseded: boolean;
    readonly requests: readonly ManualRequest[];
  },
): Opening | undefined {
  const responders = alert.responders.slice(0, alert.flow.responders);
  if (isNewCycle && isFlowActive(alert)) return { responders, mode: isSuperseded ? 'superseded' : 'page' };
  const isEscalated = requests.some(({ kind }) => kind === 'escalated');
  return hasStarted || !isEscalated ? undefined : { responders, mode: 'stopped' };
}

/** The state with the trace of an event that may page, and with the acceptance of the event that started the cycle: pages have both. */
function withTrigger(
  state: EscalationState,
  { acceptedAt, trace }: AlertEvent,
  { opening, completedOrderIds, requests }: Pick<AppliedEvent, 'opening' | 'completedOrderIds' | 'requests'>,
): EscalationState {
  if (opening === undefined && completedOrderIds.size + requests.length === 0) return state;
  return { ...state, ...(opening && { hasStarted: true, acceptedAt }), trace: trace ?? state.trace };
}
