import { ManualClock } from '@tocsin/core';
import { AlertCommands, AlertEvents, WebhookCommands, type AlertCommand, type BatchResult } from '@tocsin/events';
import type { LogBounds } from '@tocsin/kafka';
import {
  CheckpointTransactions,
  DueWork,
  MongoCheckpoints,
  Outbox,
  type Connection,
  type OutboxOptions,
} from '@tocsin/mongo';
import { CommandProgress } from '../requests/progress/command-progress.ts';
import { CurrentRules } from '../policies/apply-operations.ts';
import { DueAlerts, type PreparedDue } from '../alerts/due-operations.ts';
import { ProcessedUntil } from '../requests/progress/processed-until.ts';
import { AT_ONCE, type FlowPlan } from '../policies/policy-result.ts';
import { applyCommands } from '../alerts/apply-commands.ts';
import { alertDueWork } from '../alerts/due-store.ts';
import type { AlertDocument } from '../alerts/document.ts';
import { AlertStore } from '../alerts/store.ts';
import { batchOf } from './batch-samples.ts';
import { MongoConfigurationStore } from '../policies/store.ts';
import { OPEN_ALIAS } from '../database.ts';
import { context } from './open-storage.ts';
import { ledgerProcessor } from './ledger-processor.ts';
import { directoryOf } from './directory-samples.ts';

const silent = { warn: () => undefined, error: () => undefined };

export interface DueStageOptions {
  readonly connection: Connection;
  readonly publisher: OutboxOptions['publisher'];
  readonly now: Date;
  /** The bounds of the only partition of commands; by default an empty one. */
  readonly log?: () => LogBounds;
}

export interface DueStage {
  readonly clock: ManualClock;
  readonly outbox: Outbox;
  readonly dueWork: DueWork<AlertDocument, PreparedDue>;
  /** One run of the task. */
  readonly activate: () => Promise<void>;
  /** Processes commands from `offset` on; new alerts get the plan `plan`. */
  readonly apply: (offset: number, commands: readonly AlertCommand[], plan?: Partial<FlowPlan>) => Promise<BatchResult>;
}

/** A process that processes commands and does what alerts do by themselves, as the service does, when it is asked to. */
export function openDueStage({ connection, log = () => EMPTY, now, publisher }: DueStageOptions): DueStage {
  const clock = new ManualClock(now);
  const checkpoints = new MongoCheckpoints(connection);
  const progress = new CommandProgress({
    logBounds: () => Promise.resolve(new Map([[0, log()]])),
    positions: async (partitions) => {
      const found = await checkpoints.read(AlertCommands.name, partitions);
      return new Map(found.map(({ offset, partition }) => [partition, offset]));
    },
    nowMs: () => performance.now(),
    onKafka: () => undefined,
  });
  const processedUntil = new ProcessedUntil({
    progress,
    clock,
    nowMs: () => performance.now(),
    onStuck: () => undefined,
  });
  const outbox = new Outbox({
    connection,
    publisher,
    topics: [AlertEvents, WebhookCommands],
    logger: silent,
    leaseMs: 500,
    renewEveryMs: 100,
  });
  const dueWork: DueWork<AlertDocument, PreparedDue> = new DueWork<AlertDocument, PreparedDue>({
    connection,
    clock,
    logger: silent,
    wake: () => undefined,
    ...alertDueWork(() => ({ dueAlerts, ledger })),
    dueUntil: (earliest) => processedUntil.reach(earliest),
  });
  const ledger = new AlertStore({ connection, outbox, dueWork });
  const collector = ledgerProcessor(ledger, new CheckpointTransactions({ connection, racingIndexes: [OPEN_ALIAS] }));
  const dueAlerts = new DueAlerts({
    rules: new CurrentRules(new MongoConfigurationStore(connection), 'UTC'),
    directory: directoryOf(context.resolve),
    clock,
  });
  return {
    clock,
    outbox,
    dueWork,
    activate: async () => {
      await dueWork.activate(new AbortController().signal);
    },
    apply: (offset, commands, plan = {}) => {
      const flow = { flow: { ...AT_ONCE, ...plan }, entry: undefined };
      const policyResults = new Map(commands.map(({ requestId }) => [requestId, flow]));
      return collector.apply([batchOf(commands, offset)], (given, stored) =>
        applyCommands(given, stored, { ...context, processedAt: clock.now(), firstTinyId: offset + 1, policyResults }),
      );
    },
  };
}

const EMPTY: LogBounds = { start: 0, end: 0 };
