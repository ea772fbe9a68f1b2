import { ManualClock } from '@tocsin/clock';
import type {
  AlertEvent,
  AlertFact,
  AlertState,
  ConsumedBatch,
  Settlement,
  TeamState,
  UserState,
} from '@tocsin/contracts';
import { MemoryReplica } from '@tocsin/messaging';
import type { Escalation } from '../domain/escalation.ts';
import { escalationOf, rotationOf, ruleFor, scheduleOf, teamOf, userOf } from './on-call-samples.ts';
import { startedBy } from './run-samples.ts';
import { MemoryConfigurationStore } from './memory-configuration-store.ts';
import { MemoryRunStore } from './memory-run-store.ts';
import type { BeginLater } from '../application/runs/firing-traces.ts';
import { Snapshots } from '../application/loaded-snapshot.ts';
import { RunEngine } from '../application/runs/run-engine.ts';

/** When alerts start here. */
export const start = new Date('2026-01-01T00:00:00Z');

/** The engine on memory adapters, and what surrounds it. */
export interface EngineFixture {
  readonly clock: ManualClock;
  readonly configuration: MemoryConfigurationStore;
  readonly engine: RunEngine;
  /** The latencies of the starts, in seconds. */
  readonly routed: readonly number[];
  readonly store: MemoryRunStore;
  readonly teams: MemoryReplica<TeamState>;
  readonly users: MemoryReplica<UserState>;
  /** Settles the event of a version of the alert. */
  readonly settle: (version: number, change?: Partial<AlertState>, facts?: readonly AlertFact[]) => Promise<Settlement>;
  /** How many rules found no recipient. */
  readonly nobody: () => number;
  /** How many flows are exhausted. */
  readonly exhausted: () => number;
  /** Lets minutes pass, and does what is due then. */
  readonly advance: (minutes: number) => Promise<void>;
  /** The ids of the users who were paged, in order. */
  readonly paged: () => readonly string[];
}

/**
 * An alert for team `ops`, which routes to escalation `e1`: who is on call in schedule `s1`, and after 5 minutes grace.
 * `escalation` changes that.
 */
export async function engineFixture(
  escalation: Partial<Escalation> = {},
  beginLater?: BeginLater,
): Promise<EngineFixture> {
  const clock = new ManualClock(start);
  const configuration = new MemoryConfigurationStore();
  await configuration.change(() => ({
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
    answer: undefined,
  }));
  const users = new MemoryReplica<UserState>({});
  const teams = new MemoryReplica<TeamState>({});
  for (const id of ['ada', 'grace']) users.put(id, userOf(id));
  teams.put('ops', teamOf('ops', { ada: 'user' }, { type: 'escalation', id: 'e1' }));
  const store = new MemoryRunStore();
  const routed: number[] = [];
  let nobody = 0;
  let exhausted = 0;
  const engine = new RunEngine({
    store,
    snapshots: new Snapshots({ store: configuration, users, teams }),
    clock,
    random: () => 0,
    beginLater,
    onRouted: (seconds) => routed.push(seconds),
    onNobody: (count) => (nobody += count),
    onExhausted: (count) => (exhausted += count),
  });
  let offset = 0;
  const settle = (version: number, change: Partial<AlertState> = {}, facts: readonly AlertFact[] = []) =>
    engine.settleEvents(batchOf(offset++, { version, facts: [...facts] }, change));
  return {
    clock,
    configuration,
    engine,
    routed,
    settle,
    store,
    teams,
    users,
    nobody: () => nobody,
    exhausted: () => exhausted,
    advance: async (minutes: number) => {
      clock.advance(minutes * 60_000);
      await store.processDue(engine, clock.now());
    },
    paged: () => store.pages.map(({ userId }) => userId),
  };
}

/** Records of several batches, as one batch. */
export function batchOfRecords(records: ConsumedBatch<AlertEvent>['records']): ConsumedBatch<AlertEvent> {
  return { topic: 'alert-events.v1', partition: 0, clusterId: 'c1', records };
}

/** One event of the alert, as a batch of its own. */
export function batchOf(
  offset: number,
  { facts, trace, version }: Pick<AlertEvent, 'version' | 'facts' | 'trace'>,
  change: Partial<AlertState> = {},
): ConsumedBatch<AlertEvent> {
  const value = {
    alertId: 'a1',
    version,
    state: startedBy(version, change),
    facts,
    acceptedAt: start.toISOString(),
    ...(trace !== undefined && { trace }),
  };
  return batchOfRecords([{ offset, key: 'a1', timestampMs: 0, value }]);
}
