import { z } from 'zod';
import { id } from '../primitives.ts';
import { defineTopic, type Traced } from '../topics.ts';
import { AlertContent, at, IntegrationReference, Responder } from './shared.ts';

/** Whether the notification flow of the present cycle runs. */
export const Notifications = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('active') }),
  z.object({ kind: z.literal('delayed'), until: at.optional() }),
  z.object({ kind: z.literal('suppressed'), reason: z.string() }),
]);
export type Notifications = z.infer<typeof Notifications>;

/** How the present cycle began, in every event of it: the first one that comes says whom its flow reaches first. */
export const FlowStart = z.object({
  /** How many of the alert's responders, counted from the first, it began with; the others joined it later, each by a fact. */
  responders: z.int(),
});
export type FlowStart = z.infer<typeof FlowStart>;

/** The alert as everybody but its owner knows it; acted on only when `version` is newer than the one seen. */
export const AlertState = z.object({
  status: z.enum(['open', 'closed', 'deleted']),
  acknowledged: z.boolean(),
  snoozed: z.boolean(),
  /** +1 at each start of the flow (go, release of a hold, unacknowledge, end of a snooze, auto-restart, raise). 1 at first. */
  cycle: z.int(),
  notifications: Notifications,
  /** The instant from which the delays of this cycle count. */
  flowStartedAt: at,
  flow: FlowStart,
  ...AlertContent.shape,
  responders: z.array(Responder),
  integration: IntegrationReference,
});
export type AlertState = z.infer<typeof AlertState>;

/** Something that happened once, with the change that led to the version of its event. */
export const AlertFact = z.object({
  factId: z.string(),
  kind: z.enum([
    'created',
    'acknowledged',
    'unacknowledged',
    'snoozed',
    'snooze-ended',
    // The hold of the flow has ended: it starts (P6).
    'released',
    // The flow starts again by itself (P7), or because a tool sent the alert with a higher priority (Q9).
    'restarted',
    'closed',
    'deleted',
    'noted',
    'reset',
    'assigned',
    'responder-added',
    'escalated',
    'tags-added',
    'tags-removed',
    'details-added',
    'details-removed',
    'action-executed',
    'updated',
  ]),
  actor: z.string(),
  at,
  note: z.string().optional(),
  /** The added responder, the new owner, or the escalation that is to continue. */
  responder: Responder.optional(),
  /** The custom action that was executed. */
  action: z.string().optional(),
});
export type AlertFact = z.infer<typeof AlertFact>;

/**
 * One change of an alert that has responders, a new owner, or the deletion of an alert with an owner (F4): the whole state after
 * it, and what happened. A repeat is skipped by its version, and after a gap a consumer goes on with the next event.
 */
export const AlertEvent = z.object({
  alertId: id,
  /** 1 when the alert was made; grows with every change of the state, and in between. */
  version: z.int(),
  state: AlertState,
  facts: z.array(AlertFact),
  /** Acceptance of the command that led here: what latency is measured from. */
  acceptedAt: at,
});
export type AlertEvent = z.infer<typeof AlertEvent> & Traced;

/** Keyed by alert, so that the versions of one alert come in order. */
export const AlertEvents = defineTopic<AlertEvent>({
  name: 'alert-events.v1',
  version: 2,
  kind: 'events',
  schema: AlertEvent,
  key: (event) => event.alertId,
});
