import { FollowingClock } from '@tocsin/core';
import {
  collectionOf,
  type Connection,
  dueIndex,
  DueWork,
  migrate,
  Outbox,
  persistenceIndexes,
  type Session,
  serverTime,
} from '@tocsin/mongo';
import { type EntityVersion, versionFaults, VERSIONS } from '../outbox/entity-versions.ts';
import type { Scheduler, SimulatedProcess } from '../scheduler/scheduler.ts';
import { brokerOf, SILENT, type Simulation, World } from '../world.ts';

const STEPS = 'steps';
const ENTITIES = ['d1', 'd2', 'd3', 'd4', 'd5', 'd6'];
const STEPS_PER_ENTITY = 4;
const MAX_INTERVAL_MS = 3_000;
const RETRY_MS = 1_000;

interface Stepping {
  readonly _id: string;
  /** The number of the last step that is done. */
  readonly version: number;
  /** The tries of transactions that did its steps, in their order. */
  readonly made: readonly string[];
  readonly everyMs: number;
  readonly nextDueAt?: Date;
}

/**
 * Several processes do the due steps of a few entities, each with a message in the outbox. The clock of each process follows that of
 * MongoDB. Afterwards each step is done once and published in its order, as the committed try made it, and none was done before it was
 * due.
 */
export const simulateDueWork: Simulation = async (choices) => {
  const world = new World(choices);
  const { scheduler } = world;
  const topic: EntityVersion[] = [];
  const early = new Set<string>();

  const start = (process: SimulatedProcess, connection: Connection): void => {
    const outbox = new Outbox({
      connection,
      publisher: brokerOf(world, process, topic),
      topics: [VERSIONS],
      logger: SILENT,
    });
    outbox.start();
    const clock = new MeasuredClock(scheduler, connection);
    let tries = 0;
    const dueWork = new DueWork<Stepping>({
      connection,
      collection: STEPS,
      clock,
      logger: SILENT,
      wake: () => undefined,
      prepare: () => Promise.resolve(undefined),
      process: async (session, due) => {
        for (const { _id, nextDueAt } of due)
          if (nextDueAt !== undefined && Number(nextDueAt) > scheduler.nowMs + clock.maxErrorMs) early.add(_id);
        const by = `try ${(tries += 1)} of ${process.name}`;
        await doSteps(session, due, { by, connection, outbox });
      },
    });
    const { signal } = new AbortController();
    const activate = async (): Promise<void> => {
      while (!clock.isSet) await clock.readMongo().catch(() => process.sleep(RETRY_MS));
      for (;;) {
        const { pauseMs } = await dueWork.activate(signal).catch(() => ({ pauseMs: RETRY_MS }));
        await process.sleep(pauseMs);
      }
    };
    void activate();
  };

  return world.run({
    prepare: async (connection) => {
      await migrate(connection, [...persistenceIndexes, dueIndex(STEPS)]);
      const documents = ENTITIES.map((_id) => ({
        _id,
        version: 0,
        made: [],
        everyMs: scheduler.choose('interval', MAX_INTERVAL_MS),
        nextDueAt: new Date(scheduler.nowMs + scheduler.choose('first', MAX_INTERVAL_MS)),
      }));
      await collectionOf<Stepping>(connection, STEPS).insertMany(documents);
    },
    start,
    violations: async (connection) => {
      const stored = await collectionOf<Stepping>(connection, STEPS).find({}).toArray();
      return [...[...early].map((id) => `${id}: a step was done before it was due.`), ...stepFaults(stored, topic)];
    },
    done: () => topic.length,
  });
};

/** Does the next step of each entity, and sets when the one after it is due. */
async function doSteps(
  session: Session,
  due: readonly Stepping[],
  { by, connection, outbox }: { readonly by: string; readonly connection: Connection; readonly outbox: Outbox },
): Promise<void> {
  const updates = due.map(({ _id, everyMs, nextDueAt, version }) => {
    const isLast = version + 1 === STEPS_PER_ENTITY;
    const next = new Date(Number(nextDueAt) + everyMs);
    const update = { $addToSet: { made: by }, $set: { version: version + 1, ...(!isLast && { nextDueAt: next }) } };
    return {
      updateOne: { filter: { _id }, update: isLast ? { ...update, $unset: { nextDueAt: true as const } } : update },
    };
  });
  await collectionOf<Stepping>(connection, STEPS).bulkWrite(updates, { session });
  const messages = due.map(({ _id, version }) => ({ id: _id, version: version + 1, by }));
  await outbox.add(session, VERSIONS, messages);
}

/** Steps that are not done, or more than once, and what the topic lacks or has too much. */
function stepFaults(stored: readonly Stepping[], topic: readonly EntityVersion[]): readonly string[] {
  const open = stored.filter(({ version }) => version < STEPS_PER_ENTITY);
  const repeated = stored.filter(({ made, version }) => made.length !== version);
  return [
    ...open.map(({ _id, version }) => `${_id}: only ${version} of ${STEPS_PER_ENTITY} steps are done.`),
    ...repeated.map(({ _id, made, version }) => `${_id}: ${made.length} tries did the steps up to ${version}.`),
    ...versionFaults(ENTITIES, new Map(stored.map(({ _id, made }) => [_id, made])), topic),
  ];
}

/** The clock of production, which follows that of MongoDB, and how far it may be from that. */
class MeasuredClock extends FollowingClock {
  readonly #scheduler: Scheduler;
  readonly #connection: Connection;
  #shortestMs = Infinity;

  constructor(scheduler: Scheduler, connection: Connection) {
    super();
    this.#scheduler = scheduler;
    this.#connection = connection;
  }

  /** Half of the shortest round trip of its readings, and of their resolution of a millisecond. */
  get maxErrorMs(): number {
    return (this.#shortestMs + 1) / 2;
  }

  /** Reads the clock of MongoDB, as a service does before it processes anything. */
  async readMongo(): Promise<void> {
    await this.follow(async () => {
      const askedAtMs = this.#scheduler.elapsedMs;
      const time = await serverTime(this.#connection);
      this.#shortestMs = Math.min(this.#shortestMs, this.#scheduler.elapsedMs - askedAtMs);
      return time;
    });
  }
}
