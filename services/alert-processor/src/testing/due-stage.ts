import { ManualClock } from '@tocsin/clock';
import { AlertCommands, AlertEvents, WebhookCommands, type AlertCommand, type Settlement } from '@tocsin/contracts';
import type { LogBounds } from '@tocsin/messaging';
import { DueWork, MongoCheckpoints, Outbox, type Connection, type OutboxOptions } from '@tocsin/persistence';
import { CommandProgress } from '../application/command-progress.ts';
import { CurrentRules } from '../application/current-rules.ts';
import { DueAlerts, type PreparedDue } from '../application/due-alerts.ts';
import { SettledUntil } from '../application/settled-until.ts';
import { AT_ONCE, type FlowPlan } from '../domain/policies/judgement.ts';
import { settleCommands } from '../domain/settle.ts';
import { alertDueWork } from '../storage/alert-due-work.ts';
import type { AlertDocument } from '../storage/alert-document.ts';
import { MongoAlertLedger } from '../storage/mongo-alert-ledger.ts';
import { batchOf } from './batch-samples.ts';
import { MemoryConfigurationStore } from './memory-configuration-store.ts';
import { context } from './open-storage.ts';

const silent = { warn: () => undefined, error: () => undefined };

export interface DueStageOptions {
  readonly connection: Connection;
  readonly publisher: OutboxOptions['publisher'];
  readonly now: Date;
  /** What Kafka has of the one partition of commands; by default nothing. */
  readonly log?: () => LogBounds;
}

export interface DueStage {
  readonly clock: ManualClock;
  readonly outbox: Outbox;
  readonly dueWork: DueWork<AlertDocument, PreparedDue>;
  /** One run of the task. */
  readonly activate: () => Promise<void>;
  /** Settles commands from `offset` on; new alerts get the plan `plan`. */
  readonly settle: (offset: number, commands: readonly AlertCommand[], plan?: Partial<FlowPlan>) => Promise<Settlement>;
}

/** A process that settles commands and does what alerts do by themselves, as the service does, when it is asked to. */
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
  const settledUntil = new SettledUntil({ progress, clock, nowMs: () => performance.now(), onStuck: () => undefined });
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
    dueUntil: (earliest) => settledUntil.reach(earliest),
  });
  const ledger = new MongoAlertLedger({ connection, outbox, dueWork });
  const dueAlerts = new DueAlerts({
    rules: new CurrentRules(new MemoryConfigurationStore(), 'UTC'),
    directory: {
      known: (reference) => context.resolve(reference),
      resolve: (reference) => Promise.resolve(context.resolve(reference)),
      nameOf: (_, id) => id,
      everyone: () => [],
    },
    clock,
  });
  return {
    clock,
    outbox,
    dueWork,
    activate: async () => {
      await dueWork.activate(new AbortController().signal);
    },
    settle: (offset, commands, plan = {}) => {
      const flow = { flow: { ...AT_ONCE, ...plan }, entry: undefined };
      const judged = new Map(commands.map(({ requestId }) => [requestId, flow]));
      return ledger.settle([batchOf(commands, offset)], (given, stored) =>
        settleCommands(given, stored, { ...context, processedAt: clock.now(), firstTinyId: offset + 1, judged }),
      );
    },
  };
}

const EMPTY: LogBounds = { start: 0, end: 0 };
