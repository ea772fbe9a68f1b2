import { z } from 'zod';
import { id, Priority } from '../primitives.ts';
import { defineTopic } from '../topics.ts';
import { at, IntegrationReference, ResponderReference } from './shared.ts';

/** Where and when a command was accepted; `seq` grows by one per `{instance, partition}`, so a gap is visible. */
export const Stamp = z.object({ instance: z.string(), partition: z.int(), seq: z.int(), acceptedAt: at });
export type Stamp = z.infer<typeof Stamp>;

/** How the caller named the alert. For a create: its alias, or its new id where there is none. */
export const AlertIdentifier = z.object({ type: z.enum(['id', 'alias', 'tiny']), value: z.string() });
export type AlertIdentifier = z.infer<typeof AlertIdentifier>;

/** The content of a new alert, after the integration's actions and within every limit of the specification. */
export const NewAlert = z.object({
  alertId: id,
  alias: z.string(),
  message: z.string(),
  description: z.string(),
  responders: z.array(ResponderReference),
  visibleTo: z.array(ResponderReference),
  actions: z.array(z.string()),
  tags: z.array(z.string()),
  details: z.record(z.string(), z.string()),
  entity: z.string(),
  priority: Priority,
  /** What `INGEST_ON_EXCESS=truncate` cut, one sentence each, for the alert's log (E8). */
  cut: z.array(z.string()).optional(),
});
export type NewAlert = z.infer<typeof NewAlert>;

const common = {
  /** The request that carried it: settled once, whatever is delivered again. */
  requestId: id,
  identifier: AlertIdentifier,
  integration: IntegrationReference.extend({ ownerTeamId: id.optional() }),
  /** Who did it: `user` of the body, else `Alert API` (A3). */
  actor: z.string(),
  source: z.string(),
  note: z.string().optional(),
  stamp: Stamp,
};

/**
 * Opens an alert, or counts a repeat where one of its alias is open (A2); `dropped` names the rule that lets it come to
 * nothing (A8).
 */
export const CreateAlert = z.object({
  kind: z.literal('create'),
  ...common,
  alert: NewAlert,
  dropped: z.string().optional(),
});
/** Says that somebody is on it (A4). */
export const AcknowledgeAlert = z.object({ kind: z.literal('acknowledge'), ...common });
/** Ends an alert (A6). One that names a cycle is about that start of the flow alone, and comes to nothing after another (S9). */
export const CloseAlert = z.object({ kind: z.literal('close'), ...common, cycle: z.int().optional() });
/**
 * An escalation repeats: what was acknowledged or seen before is undone (S9). The flow goes on; it does not start anew, and an
 * acknowledgement accepted later than this stays. Comes to nothing in another cycle.
 */
export const ResetRecipientStates = z.object({ kind: z.literal('reset-recipient-states'), ...common, cycle: z.int() });
/** Adds a note to an alert; nothing else of it changes. */
export const AddNote = z.object({ kind: z.literal('add-note'), ...common, note: z.string() });
/** A timer of alert-processor came due; `requestId` is `timer:<timerId>:<fence>`, so that it settles once. */
export const TimerFired = z.object({ kind: z.literal('timer'), ...common, timerId: z.string(), fence: z.string() });
export type TimerFired = z.infer<typeof TimerFired>;
export type CreateAlert = z.infer<typeof CreateAlert>;
export type AcknowledgeAlert = z.infer<typeof AcknowledgeAlert>;
export type CloseAlert = z.infer<typeof CloseAlert>;
export type ResetRecipientStates = z.infer<typeof ResetRecipientStates>;
export type AddNote = z.infer<typeof AddNote>;

/** An accepted order to change one alert. Every one of them reaches a settled state that can be read (promise 1). */
export const AlertCommand = z.discriminatedUnion('kind', [
  CreateAlert,
  AcknowledgeAlert,
  CloseAlert,
  AddNote,
  ResetRecipientStates,
  TimerFired,
]);
export type AlertCommand = z.infer<typeof AlertCommand>;

/** Keyed by the identifier that the caller used, so that writes through one identifier settle in order (A14). */
export const AlertCommands = defineTopic<AlertCommand>({
  name: 'alert-commands.v1',
  kind: 'commands',
  schema: AlertCommand,
  key: (command) => command.identifier.value,
});
