/**
 * A process that settles one event of an alert, or does what is due of its run, and kills itself at `dieAt`. Its argument is a
 * {@link KilledRunEngine} in JSON. It writes what it publishes to its parent, one line for each batch.
 */
import { AlertCommands, Decisions, Pages, type AlertEvent, type ConsumedBatch } from '@tocsin/contracts';
import { connectMongo, DueWork, Outbox, type Connection, type OutboxOptions } from '@tocsin/persistence';
import { dieAt, monitoredUri, type PointOfDeath } from '@tocsin/testing';
import { Snapshots } from '../application/loaded-snapshot.ts';
import type { DueRuns } from '../application/runs/due-runs.ts';
import { RunEngine } from '../application/runs/run-engine.ts';
import type { Escalation } from '../domain/escalation.ts';
import { engineFixture, type EngineFixture } from './engine-fixture.ts';
import { OUTBOX_AT_ONCE, publisherToParent, silent } from './killed-process.ts';
import type { RunDocument } from '../storage/runs/documents.ts';
import { MongoRunStore } from '../storage/runs/mongo-run-store.ts';
import { runWorkOptions } from '../storage/runs/run-work.ts';

export interface KilledRunEngine {
  readonly mongoUri: string;
  readonly database: string;
  readonly escalation: Partial<Escalation>;
  /** By the clock of the service. */
  readonly now: string;
  /** Absent where it does what is due. */
  readonly event?: ConsumedBatch<AlertEvent>;
  readonly dieAt?: PointOfDeath;
}

/** What an engine is made of besides the storage of its runs. */
export interface RunEngineParts {
  readonly connection: Connection;
  readonly publisher: OutboxOptions['publisher'];
  readonly snapshot: Pick<EngineFixture, 'clock' | 'configuration' | 'teams' | 'users'>;
}

export interface OpenRunEngine {
  readonly engine: RunEngine;
  readonly outbox: Outbox;
  readonly dueWork: DueWork<RunDocument, DueRuns>;
  /** Does what is due now. */
  readonly processDue: () => Promise<void>;
}

/** What the service composes to run escalations. It does nothing until it is called. */
export function openRunEngine({ connection, publisher, snapshot }: RunEngineParts): OpenRunEngine {
  const { clock, configuration, teams, users } = snapshot;
  const topics = [Pages, AlertCommands, Decisions];
  const outbox = new Outbox({ connection, publisher, topics, logger: silent, ...OUTBOX_AT_ONCE });
  const dueWork: DueWork<RunDocument, DueRuns> = new DueWork<RunDocument, DueRuns>({
    connection,
    clock,
    logger: silent,
    wake: () => undefined,
    ...runWorkOptions(() => ({ engine, store })),
  });
  const store = new MongoRunStore({ connection, outbox, dueWork });
  const engine: RunEngine = new RunEngine({
    clock,
    store,
    snapshots: new Snapshots({ store: configuration, users, teams }),
    random: () => 0,
    onRouted: () => undefined,
    onNobody: () => undefined,
    onExhausted: () => undefined,
  });
  const processDue = async (): Promise<void> => {
    await dueWork.activate(new AbortController().signal);
  };
  return { dueWork, engine, processDue, outbox };
}

async function runUntilDeath({
  database,
  escalation,
  event,
  mongoUri,
  now,
  ...killed
}: KilledRunEngine): Promise<void> {
  const snapshot = await engineFixture(escalation);
  snapshot.clock.moveTo(new Date(now));
  const connection = await connectMongo({ uri: monitoredUri(mongoUri), database });
  if (killed.dieAt !== undefined) dieAt(connection.getClient(), killed.dieAt);
  const opened = openRunEngine({ connection, publisher: publisherToParent, snapshot });
  const { engine, outbox } = opened;
  outbox.start();
  if (event === undefined) await opened.processDue();
  else await engine.settleEvents(event);
  await outbox.stop();
  await connection.close();
}

const [, script = '', argument] = process.argv;
if (script.endsWith('killed-run-engine.ts') && argument !== undefined)
  await runUntilDeath(JSON.parse(argument) as KilledRunEngine);
