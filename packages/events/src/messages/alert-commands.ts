import { z } from 'zod';
import { id, Priority } from '../primitives.ts';
import { defineTopic, type Traced } from '../topics.ts';
import { at, IntegrationReference, ResponderReference } from './shared.ts';

/** How the caller named the alert. For a create: its alias, else the id of the new alert, or the key of its mail. */
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
  /** For the alert's log, one sentence each: what was cut (E8), what could not be evaluated (P3, P4). */
  remarks: z.array(z.string()).optional(),
  /** Why no user is ever paged for it, one clause: it keeps its responders, and its flow does not run (P11). */
  suppressed: z.string().optional(),
  /** Files that alert-processor keeps already and that belong to the alert from now on, by their ids (P13). */
  attachments: z.array(z.string()).optional(),
  /** How many files alert-processor did not store, because the files of mails use all the space that they may (P13). */
  attachmentsLeftOut: z.int().optional(),
});
export type NewAlert = z.infer<typeof NewAlert>;

/** The same for each delivery of one mail to an integration; other mails have another key (P10). */
export const MailIdentity = z.object({ key: z.string(), hasMessageId: z.boolean() });
export type MailIdentity = z.infer<typeof MailIdentity>;

/** The request of a tool that a command comes from. */
export const HookOrigin = z.object({
  /** The name of the preset that read it. */
  preset: z.string(),
});
export type HookOrigin = z.infer<typeof HookOrigin>;

const common = {
  /** The request that carried it: settled once, whatever is delivered again. */
  requestId: id,
  identifier: AlertIdentifier,
  integration: IntegrationReference.extend({ ownerTeamId: id.optional() }),
  /** The actor: `user` of the body, otherwise `Alert API` (A3). */
  actor: z.string(),
  source: z.string(),
  note: z.string().optional(),
  /** The action of the integration that made this of a create (P1); absent where no action was asked. */
  matchedAction: z.string().optional(),
  /** When it was accepted; for an order of a run, when that was due. */
  acceptedAt: at,
  /** Present if a mail made the command. */
  mail: MailIdentity.optional(),
  /** Present if an item of the request of a tool made the command (Q1). */
  hook: HookOrigin.optional(),
};

/**
 * Opens an alert, or counts a repeat where one of its alias is open (A2), which it may raise (Q9); `dropped` names the rule that lets it come to
 * nothing (A8).
 */
export const CreateAlert = z.object({
  kind: z.literal('create'),
  ...common,
  alert: NewAlert,
  dropped: z.string().optional(),
  /** A heartbeat is missing: no maintenance of the integration drops this (H5). */
  ofHeartbeat: z.literal(true).optional(),
  /** A recovery mail that no action turned into a close: it does not count as a repeat (P10). */
  recovery: z.literal(true).optional(),
});
/** Says that a user works on it (A4). */
export const AcknowledgeAlert = z.object({ kind: z.literal('acknowledge'), ...common });
/** Ends an alert (A6). One that names a cycle is about that start of the flow alone, and has no effect after another (S9). */
export const CloseAlert = z.object({ kind: z.literal('close'), ...common, cycle: z.int().optional() });
/**
 * An escalation repeats: what was acknowledged or seen before is undone (S9). The flow goes on; it does not start anew, and an
 * acknowledgement accepted later than this stays. Has no effect in another cycle.
 */
export const ResetRecipientStates = z.object({ kind: z.literal('reset-recipient-states'), ...common, cycle: z.int() });
/** Adds a note to an alert; nothing else of it changes. */
export const AddNote = z.object({ kind: z.literal('add-note'), ...common, note: z.string() });
/** Takes an acknowledgement back: the flow starts again from its beginning (A5). */
export const UnacknowledgeAlert = z.object({ kind: z.literal('unacknowledge'), ...common });
/** Stops the flow until `endTime`, when it starts again with the users who are on call then (A5). */
export const SnoozeAlert = z.object({ kind: z.literal('snooze'), ...common, endTime: at });
/** Removes an alert with its notes and its log (A6). */
export const DeleteAlert = z.object({ kind: z.literal('delete'), ...common });
/** Sets the owner (A9). */
export const AssignAlert = z.object({ kind: z.literal('assign'), ...common, owner: ResponderReference });
/** Adds a responder, who is paged while the alert is open (A9). */
export const AddResponder = z.object({
  kind: z.enum(['add-responder', 'add-team']),
  ...common,
  responder: ResponderReference,
});
/** Runs the next rule of an escalation now (A9). */
export const EscalateAlert = z.object({ kind: z.literal('escalate'), ...common, escalation: ResponderReference });

/** Whether an addition that does not fit keeps what does, instead of failing (E8). */
const keepWhatFits = z.boolean().optional();
export const AddTags = z.object({ kind: z.literal('add-tags'), ...common, tags: z.array(z.string()), keepWhatFits });
export const RemoveTags = z.object({ kind: z.literal('remove-tags'), ...common, tags: z.array(z.string()) });
export const AddDetails = z.object({
  kind: z.literal('add-details'),
  ...common,
  details: z.record(z.string(), z.string()),
  keepWhatFits,
});
export const RemoveDetails = z.object({ kind: z.literal('remove-details'), ...common, keys: z.array(z.string()) });
/** Does something that the alert lists among its actions: it is logged and published (A9). */
export const ExecuteAction = z.object({ kind: z.literal('execute-action'), ...common, action: z.string() });
export const UpdateMessage = z.object({ kind: z.literal('update-message'), ...common, message: z.string() });
export const UpdateDescription = z.object({
  kind: z.literal('update-description'),
  ...common,
  description: z.string(),
});
export const UpdatePriority = z.object({ kind: z.literal('update-priority'), ...common, priority: Priority });
export type UnacknowledgeAlert = z.infer<typeof UnacknowledgeAlert>;
export type SnoozeAlert = z.infer<typeof SnoozeAlert>;
export type DeleteAlert = z.infer<typeof DeleteAlert>;
export type AssignAlert = z.infer<typeof AssignAlert>;
export type AddResponder = z.infer<typeof AddResponder>;
export type EscalateAlert = z.infer<typeof EscalateAlert>;
export type AddTags = z.infer<typeof AddTags>;
export type RemoveTags = z.infer<typeof RemoveTags>;
export type AddDetails = z.infer<typeof AddDetails>;
export type RemoveDetails = z.infer<typeof RemoveDetails>;
export type ExecuteAction = z.infer<typeof ExecuteAction>;
export type UpdateMessage = z.infer<typeof UpdateMessage>;
export type UpdateDescription = z.infer<typeof UpdateDescription>;
export type UpdatePriority = z.infer<typeof UpdatePriority>;

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
  UnacknowledgeAlert,
  SnoozeAlert,
  DeleteAlert,
  AssignAlert,
  AddResponder,
  EscalateAlert,
  AddTags,
  RemoveTags,
  AddDetails,
  RemoveDetails,
  ExecuteAction,
  UpdateMessage,
  UpdateDescription,
  UpdatePriority,
]);
export type AlertCommand = z.infer<typeof AlertCommand> & Traced;

/** Commands of one key settle in order. */
const keyOf = ({ identifier }: AlertCommand): string => identifier.value;

/** Keyed by the identifier that the caller used, so that writes through one identifier settle in order (A14). */
export const AlertCommands = defineTopic<AlertCommand>({
  name: 'alert-commands.v1',
  version: 2,
  kind: 'commands',
  schema: AlertCommand,
  key: keyOf,
});

/**
 * A command of an API key that floods, or of a record key of which a command waits here: it was moved from `alert-commands.v1`.
 * `late`: the record there was late, which its append here does not show.
 */
export const BulkAlertCommand = AlertCommand.and(z.object({ late: z.literal(true).optional() }));
export type BulkAlertCommand = AlertCommand & Pick<z.infer<typeof BulkAlertCommand>, 'late'>;

/** Only alert-processor writes and reads it. Its keys are those of `alert-commands.v1`, so that their order holds (0091). */
export const AlertCommandsBulk = defineTopic<BulkAlertCommand>({
  name: 'alert-commands-bulk.v1',
  version: 2,
  kind: 'commands',
  schema: BulkAlertCommand,
  key: keyOf,
});
