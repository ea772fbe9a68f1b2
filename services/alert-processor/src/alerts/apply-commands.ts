import {
  TOPIC_DAYS,
  type AlertCommand,
  type ConsumedBatch,
  type ResponderReference,
  type WebhookCommand,
} from '@tocsin/events';
import type { Alert } from './alert.ts';
import { AttachmentLinks, type FileLink, type FoundFile } from '../attachments/attachment-links.ts';
import { decide } from './decide.ts';
import { acceptedAt, type Decided, type Resolution } from './decided.ts';
import type { DecisionContext } from './responders.ts';
import { MailRepeats, type ProcessedMail } from '../requests/mail-repeats.ts';
import { AT_ONCE } from '../policies/policy-result.ts';
import { statusOf, type RequestStatus } from '../requests/request-status.ts';
import { isTooOld } from './retention.ts';
import { hookItemResult, type HookItemResult } from './hook-outcome.ts';
import { ChangeCollector, type CollectedChanges, type ChangeContext } from './changes.ts';

/** Records of a partition. A record without a command was moved to the bulk topic: only the position moves past it. */
export type CommandBatch = ConsumedBatch<AlertCommand | undefined>;

type CommandRecords = CommandBatch['records'];

/** The commands to process. */
export const commandsOf = (records: CommandRecords): readonly AlertCommand[] =>
  records.flatMap(({ value }) => value ?? []);

/** The request ids of the records that came late. */
export function lateOf(records: CommandRecords): ReadonlySet<string> {
  return new Set(commandsOf(records.filter(({ late = false }) => late)).map(({ requestId }) => requestId));
}

/** The writes of a batch, with the webhook commands that follow from them. */
export interface Written extends Changes {
  /** In the order of the commands. */
  readonly webhooks?: readonly WebhookCommand[];
}

/** The stored state that one batch reads, as it was before the batch. */
export interface StoredState {
  /** The request ids that have already been processed; those of dead letters have not. */
  readonly processed: ReadonlySet<string>;
  /** The request ids of commands that Kafka appended long after their callers got an error. */
  readonly late?: ReadonlySet<string>;
  /** The request ids of dead letters that were redriven. */
  readonly deadLetters?: ReadonlySet<string>;
  /** The mails of the batch's commands that have been processed (P10). */
  readonly mails?: readonly ProcessedMail[];
  /** The alerts that the commands name, those of `mails`, and the open alerts with the aliases of creates. */
  readonly alerts: readonly Alert[];
  /** The files that creates name, and those that their alerts already have; absent if no create names one. */
  readonly files?: readonly FoundFile[];
}

/** The input of processing besides the commands and the stored state, gathered before the transaction. */
export interface CommandContext extends ChangeContext {
  readonly resolve: (reference: ResponderReference) => Resolution;
  /** The first of a run of free tiny ids, one for each create of the batch. */
  readonly firstTinyId: number;
  /** The results of the policies for creates by request id. The flow of a create without one starts at once. */
  readonly policyResults?: ReadonlyMap<string, DecisionContext['policyResult']>;
}

/** Everything that the transaction of a batch writes. */
export interface Changes extends CollectedChanges {
  readonly statuses: readonly RequestStatus[];
  readonly links: readonly FileLink[];
  /** The ids of files to delete at once: their creates were dropped, or their alerts deleted. */
  readonly released: readonly string[];
  /** What the items of requests of tools came to, in the order of their commands. Not stored. */
  readonly hookItems: readonly HookItemResult[];
}

/**
 * Processes commands one after the other. Pure: the same commands on the same stored state give the same changes.
 * Idempotent: a request id that has been processed before, or earlier in `commands`, changes nothing.
 */
export function applyCommands(
  commands: readonly AlertCommand[],
  stored: StoredState,
  context: CommandContext,
): Changes {
  const collector = new ChangeCollector(stored.alerts, context);
  const { alerts } = collector;
  const processed = new Set(stored.processed);
  const statuses: RequestStatus[] = [];
  const hookItems: HookItemResult[] = [];
  const mails = new MailRepeats(stored.mails);
  const files = new AttachmentLinks(stored.files ?? []);
  let tinyId = context.firstTinyId;

  const decidedUnread = (command: AlertCommand): Decided | undefined =>
    refusedUnread(command, stored, context.processedAt) ?? mails.repeatOf(command, (id) => alerts.isOpen(id));
  const linkFiles = (decided: Decided, command: AlertCommand, before: Alert | undefined): Decided => {
    if (decided.kind === 'changed') return files.link(decided, command, before);
    files.dropped(command);
    return decided;
  };

  for (const command of commands) {
    if (processed.has(command.requestId)) continue;
    processed.add(command.requestId);
    const before = alerts.find(command);
    const decided =
      decidedUnread(command) ??
      decide(before, command, { ...context, tinyId, policyResult: policyResultOf(command, context) });
    if (command.kind === 'create') tinyId += 1;
    const linked = linkFiles(decided, command, before);
    const alert = linked.kind === 'changed' ? collector.make(before, linked, command) : before;
    const status = statusOf(command, decided, { alert, processedAt: context.processedAt });
    statuses.push(status);
    if (command.hook !== undefined) hookItems.push(hookItemResult(command, command.hook, decided, before));
    mails.apply(status);
  }
  const lasting = ({ alertId }: { readonly alertId: string }): boolean => !alerts.isRemoved(alertId);
  return {
    ...collector.changes(),
    statuses,
    links: files.links.filter(lasting),
    released: [...files.released(), ...files.links.filter((link) => !lasting(link)).map(({ fileId }) => fileId)],
    hookItems,
  };
}

const NO_POLICIES: DecisionContext['policyResult'] = { flow: AT_ONCE, entry: undefined };

const policyResultOf = (
  { requestId }: AlertCommand,
  { policyResults }: CommandContext,
): DecisionContext['policyResult'] => policyResults?.get(requestId) ?? NO_POLICIES;

/** It may have been processed before, because its status may have been removed, and its alias may belong to another alert now. */
const TOO_OLD: Decided = {
  kind: 'refused',
  status: `Too old: it was accepted more than ${String(TOPIC_DAYS)} days ago`,
};

/** Its caller got an error, and may have sent it again. */
const TOO_LATE: Decided = {
  kind: 'refused',
  status: 'Too late: its caller was answered long before that it was not accepted',
};

/** The outcome of a command that must not be carried out, whatever its content is; undefined for all others. */
function refusedUnread(command: AlertCommand, { late, deadLetters }: StoredState, now: Date): Decided | undefined {
  if (late?.has(command.requestId) === true) return TOO_LATE;
  return isTooOld(acceptedAt(command), now) && deadLetters?.has(command.requestId) !== true ? TOO_OLD : undefined;
}
