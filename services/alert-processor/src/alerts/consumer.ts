import type { Clock } from '@tocsin/core';
import type { AlertCommand, BulkAlertCommand, ConsumedBatch, ResponderReference } from '@tocsin/events';
import type { BatchProcessor, GroupBounds, Stages } from '@tocsin/kafka';
import type { Logger, Metrics } from '@tocsin/service';
import {
  applyPoliciesToAll,
  createPolicyContext,
  type CurrentRules,
  modifiedCommands,
} from '../policies/apply-operations.ts';
import type { PolicyResult } from '../policies/policy-result.ts';
import type { BulkPace } from '../requests/lanes/bulk-pace.ts';
import { failedStatus, type RequestStatus } from '../requests/request-status.ts';
import { lookUp, type ResponderDirectory } from '../responders/client.ts';
import { type CurrentWebhooks, webhookCommands, type WebhookSelection } from '../webhooks/operations.ts';
import {
  applyCommands,
  type Changes,
  type CommandBatch,
  type CommandContext,
  commandsOf,
  lateOf,
  type StoredState,
  type Written,
} from './apply-commands.ts';
import { acceptedAt } from './decided.ts';
import type { HookItemResult } from './hook-outcome.ts';
import type { AlertStore } from './store.ts';
import type { TinyIdStore } from './tiny-id-store.ts';

type Session = Parameters<AlertStore['read']>[1];

export interface CommandBatchesPorts {
  readonly tinyIds: TinyIdStore;
  readonly rules: Pick<CurrentRules, 'get'>;
  /** Without it, no webhook commands are written. */
  readonly webhooks?: Pick<CurrentWebhooks, 'get'>;
  readonly directory: ResponderDirectory;
  readonly clock: Clock;
  /** Called for each newly processed command, with the seconds since its acceptance. */
  readonly onProcessed: (status: RequestStatus, seconds: number) => void;
  /** Called for each newly processed command of an item of the request of a tool. */
  readonly onHookItem: (item: HookItemResult) => void;
}

/** Processes every accepted command, so that its outcome can be read (promise 1). */
export class CommandBatches {
  readonly #ports: CommandBatchesPorts;

  constructor(ports: CommandBatchesPorts) {
    this.#ports = ports;
  }

  /** Decides about the commands of `records` in their order, on the state `stored`. Pure. */
  decide(records: CommandBatch['records'], stored: StoredState, prepared: PreparedCommands): Changes {
    return applyCommands(
      modifiedCommands(commandsOf(records), prepared.policyResults),
      { ...stored, late: lateOf(records) },
      prepared,
    );
  }

  /**
   * The changes with the webhook commands that follow from them. It lets the event loop run, because filters of integrations may take
   * long (P3).
   */
  async withWebhooks(changes: Changes, prepared: PreparedCommands): Promise<Written> {
    return { ...changes, webhooks: await webhookCommands(changes.webhookEvents, prepared, this.#ports.directory) };
  }

  /** The status of a request that fails for ever: it failed, and why. */
  failed(command: AlertCommand, reason: string): RequestStatus {
    return failedStatus(command, reason, this.#ports.clock.now());
  }

  /** Reports the commands that are processed now. */
  committed(commands: readonly AlertCommand[], { hookItems, statuses }: Changes): void {
    const { clock, onHookItem, onProcessed } = this.#ports;
    const now = clock.now().getTime();
    const accepted = new Map(commands.map((command) => [command.requestId, acceptedAt(command).getTime()]));
    for (const status of statuses) onProcessed(status, (now - (accepted.get(status.requestId) ?? now)) / 1_000);
    for (const item of hookItems) onHookItem(item);
  }

  /**
   * Fetches responders and tiny ids, once for all commands, and applies the present maintenance windows and policies to creates.
   *
   * @throws UnavailableError when the database is unavailable.
   */
  prepare(commands: readonly AlertCommand[]): Promise<PreparedCommands> {
    const creates = commands.filter(({ kind }) => kind === 'create').length;
    return this.#gather(commands, creates === 0 ? 0 : this.#ports.tinyIds.reserve(creates));
  }

  /** As `prepare`, of commands that are not carried out: no tiny ids are reserved. */
  prepareTrial(commands: readonly AlertCommand[]): Promise<PreparedCommands> {
    return this.#gather(commands, 1);
  }

  async #gather(commands: readonly AlertCommand[], tinyId: number | Promise<number>): Promise<PreparedCommands> {
    const { clock, directory, webhooks } = this.#ports;
    const webhookRules = webhooks?.get();
    const references = commands.flatMap(referencesOf);
    const needsRules = webhookRules !== undefined || commands.some(({ kind }) => kind === 'create');
    const [asSent, firstTinyId, rules] = await Promise.all([
      lookUp(references, directory),
      tinyId,
      needsRules ? this.#ports.rules.get() : undefined,
    ]);
    const context = createPolicyContext(asSent, directory);
    const policyResults: PolicyResults =
      rules === undefined ? new Map() : await applyPoliciesToAll(commands, rules, context);
    const added = await lookUp(addedBy(policyResults, new Set(references)), directory);
    return {
      resolve: (reference) => {
        const resolution = asSent(reference);
        return resolution.kind === 'unreachable' ? added(reference) : resolution;
      },
      policyResults,
      firstTinyId,
      processedAt: clock.now(),
      hasWebhooks: webhookRules !== undefined,
      webhookRules,
      maintenances: rules?.maintenances ?? [],
    };
  }
}

/** The input that is fetched before the transaction. Tiny ids that a transaction does not use become gaps. */
export interface PreparedCommands extends CommandContext, WebhookSelection {
  readonly policyResults: PolicyResults;
}

type PolicyResults = ReadonlyMap<string, PolicyResult>;

/** The responders that creates name after the policies besides `known`. */
const addedBy = (policyResults: PolicyResults, known: ReadonlySet<ResponderReference>): readonly ResponderReference[] =>
  [...policyResults.values()]
    .flatMap(({ command }) => referencesOf(command))
    .filter((reference) => !known.has(reference));

/** The users and responders that a command names. */
function referencesOf(command: AlertCommand): readonly ResponderReference[] {
  if (command.kind === 'create')
    return command.dropped === undefined ? [...command.alert.responders, ...command.alert.visibleTo] : [];
  if ('owner' in command) return [command.owner];
  if ('responder' in command) return [command.responder];
  return 'escalation' in command ? [command.escalation] : [];
}

/** The changes by commands, with the input of the decision. */
export interface DecidedCommands {
  readonly changes: Changes;
  readonly stored: StoredState;
  readonly prepared: PreparedCommands;
}

/**
 * Processes every accepted command, so that its outcome can be read (promise 1). A record without a command was moved to the bulk
 * topic: only the position moves past it.
 */
export const alertCommands = (
  commands: CommandBatches,
  alerts: AlertStore,
): Stages<AlertCommand | undefined, Session, PreparedCommands, StoredState, DecidedCommands> => ({
  prepare: (records) => commands.prepare(commandsOf(records)),
  read: async (session, records, { policyResults }) => {
    const modified = modifiedCommands(commandsOf(records), policyResults);
    return modified.length === 0 ? { processed: new Set(), alerts: [] } : alerts.read(modified, session);
  },
  decide: (stored, records, prepared) => ({
    changes: commands.decide(records, stored, prepared),
    stored,
    prepared,
  }),
  write: async (session, { changes, prepared, stored }) => {
    // Each processed command has a status.
    if (changes.statuses.length === 0) return;
    await alerts.writeCommands(await commands.withWebhooks(changes, prepared), stored, session);
  },
  deadLetter: async (session, { value }, reason) => {
    if (value !== undefined) await alerts.writeFailed(commands.failed(value, reason), session);
  },
  committed: ({ changes }, records) => {
    commands.committed(commandsOf(records), changes);
  },
});

/** The most commands of the bulk topic in one transaction: all their alerts go on to the later stages at once. */
export const BULK_COMMANDS_AT_ONCE = 100;

/** One transaction at a time. */
export const BULK_GROUPS: GroupBounds = { maxRecords: BULK_COMMANDS_AT_ONCE, concurrency: 1 };

/** Processes `alert-commands-bulk.v1` in the same way, in groups of {@link BULK_GROUPS}, at the pace of `pace`. */
export const bulkCommands = (
  processor: BatchProcessor<AlertCommand | undefined>,
  pace: Pick<BulkPace, 'run'>,
): BatchProcessor<BulkAlertCommand> => ({
  process: (batches) => pace.run(() => processor.process(batches.map(asReceived))),
  deadLetter: (record, reason) => processor.deadLetter(record, reason),
});

/** A moved command is late if its original record was late. */
function asReceived(batch: ConsumedBatch<BulkAlertCommand>): ConsumedBatch<AlertCommand> {
  return { ...batch, records: batch.records.map((record) => (record.value.late ? { ...record, late: true } : record)) };
}

/** Measures and logs each processed command: how long after its acceptance, and with which outcome. */
export function reportProcessed({
  logger,
  metrics,
}: {
  readonly logger: Pick<Logger, 'debug'>;
  readonly metrics: Pick<Metrics, 'stage'>;
}): (status: RequestStatus, seconds: number) => void {
  return ({ requestId, alertId, action, success, status }, seconds) => {
    metrics.stage('processed', seconds);
    logger.debug({ requestId, alertId, action, success, status, seconds }, 'a command was processed');
  };
}
