import { ManualClock } from '@tocsin/core';
import {
  AlertCommands,
  type AlertEvent,
  type BatchResult,
  type ConsumedBatch,
  Decisions,
  type FailedRecord,
  Pages,
  type TeamState,
  type UserState,
} from '@tocsin/events';
import { MemoryReplica, StagedProcessor } from '@tocsin/kafka';
import { CheckpointTransactions, type Connection, DueWork, Outbox, type OutboxOptions } from '@tocsin/mongo';
import { Snapshots } from '../configuration/snapshot-operations.ts';
import type { Escalation } from '../escalations/escalation.ts';
import { alertEvents } from '../paging/consumer.ts';
import type { DueEscalations } from '../paging/due-operations.ts';
import { EscalationEngine, type EscalationEngineOptions } from '../paging/operations.ts';
import { type EscalationStateDocument, EscalationStateStore, escalationWorkOptions } from '../paging/store.ts';
import { OUTBOX_AT_ONCE, silent } from './killed-process.ts';
import { SampleConfiguration } from './sample-configuration.ts';
import { escalationOf, rotationOf, ruleFor, scheduleOf, teamOf, userOf } from './on-call-samples.ts';

/** When alerts start here. */
export const start = new Date('2026-01-01T00:00:00Z');

/** The input of an engine besides the escalation states. */
export interface ConfigurationSample {
  readonly clock: ManualClock;
  readonly configuration: SampleConfiguration;
  readonly teams: MemoryReplica<TeamState>;
  readonly users: MemoryReplica<UserState>;
}

/** Team `ops` routes to escalation `e1`: who is on call in schedule `s1`, and after 5 minutes grace. `escalation` changes that. */
export function configurationSample(escalation: Partial<Escalation> = {}): ConfigurationSample {
  const clock = new ManualClock(start);
  const configuration = new SampleConfiguration();
  configuration.change({
    schedules: { put: [scheduleOf('s1', [rotationOf([{ type: 'user', id: 'ada' }])])] },
    escalations: {
      put: [
        escalationOf(
          'e1',
          [ruleFor({ type: 'schedule', id: 's1' }), ruleFor({ type: 'user', id: 'grace' }, { delayMinutes: 5 })],
          escalation,
        ),
      ],
    },
  });
  const users = new MemoryReplica<UserState>({});
  const teams = new MemoryReplica<TeamState>({});
  for (const id of ['ada', 'grace']) users.put(id, userOf(id));
  teams.put('ops', teamOf('ops', { ada: 'user' }, { type: 'escalation', id: 'e1' }));
  return { clock, configuration, teams, users };
}

/** The parts of an engine. */
export interface EngineParts {
  readonly connection: Connection;
  readonly publisher: OutboxOptions['publisher'];
  readonly configured: ConfigurationSample;
  readonly options?: Partial<Omit<EscalationEngineOptions, 'findStates'>>;
}

export interface OpenEngine {
  readonly receiveEvents: (...batches: readonly ConsumedBatch<AlertEvent>[]) => Promise<BatchResult>;
  readonly deadLetter: (record: FailedRecord<AlertEvent | undefined>, reason: string) => Promise<BatchResult>;
  readonly engine: EscalationEngine;
  readonly outbox: Outbox;
  readonly store: EscalationStateStore;
  readonly dueWork: DueWork<EscalationStateDocument, DueEscalations>;
  /** Does the due work now. */
  readonly processDue: () => Promise<void>;
}

/** The parts of the service that run escalations, without their tasks. */
export function openEngine({ connection, publisher, configured, options }: EngineParts): OpenEngine {
  const { clock, configuration, teams, users } = configured;
  const topics = [Pages, AlertCommands, Decisions];
  const outbox = new Outbox({ connection, publisher, topics, logger: silent, ...OUTBOX_AT_ONCE });
  const dueWork: DueWork<EscalationStateDocument, DueEscalations> = new DueWork<
    EscalationStateDocument,
    DueEscalations
  >({
    connection,
    clock,
    logger: silent,
    wake: () => undefined,
    ...escalationWorkOptions(() => ({ engine, store })),
  });
  const store = new EscalationStateStore({ connection, outbox, dueWork });
  const engine: EscalationEngine = new EscalationEngine({
    clock,
    findStates: (alertIds) => store.find(alertIds),
    snapshots: new Snapshots({ store: configuration, users, teams }),
    random: () => 0,
    onRouted: () => undefined,
    onNoRecipient: () => undefined,
    onExhausted: () => undefined,
    ...options,
  });
  const processDue = async (): Promise<void> => {
    await dueWork.activate(new AbortController().signal);
  };
  const events = new StagedProcessor(alertEvents(engine, store), new CheckpointTransactions({ connection }));
  return {
    dueWork,
    engine,
    outbox,
    processDue,
    store,
    deadLetter: (record, reason) => events.deadLetter(record, reason),
    receiveEvents: (...batches) => events.process(batches),
  };
}
