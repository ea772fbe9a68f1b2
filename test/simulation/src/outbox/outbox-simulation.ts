import { collectionOf, type Connection, inTransaction, migrate, Outbox, persistenceIndexes } from '@tocsin/mongo';
import type { SimulatedProcess } from '../scheduler/scheduler.ts';
import { brokerOf, FAULTS_UNTIL_MS, SILENT, type Simulation, World } from '../world.ts';
import { acknowledgementFaults, type EntityVersion, versionFaults, VERSIONS } from './entity-versions.ts';

const ENTITIES = ['e1', 'e2', 'e3'];
const WRITES_DURING_FAULTS = 4;
const MAX_PAUSE_MS = 500;

interface Entity {
  readonly _id: string;
  /** The tries that made its versions. */
  readonly made: readonly string[];
}

/**
 * Several processes write versions of a few entities, each in a transaction with a message in the outbox. Afterwards each write that was
 * acknowledged is stored, the topic has each committed version, and nothing else, and the versions of an entity first appear in their
 * order. Each process commits a write that it began after the faults.
 */
export const simulateOutbox: Simulation = async (choices) => {
  const world = new World(choices);
  const { scheduler } = world;
  const topic: EntityVersion[] = [];
  /** The versions of which a writer knows that they are committed. */
  const acknowledged: EntityVersion[] = [];
  /** The processes that have not committed a write that they began after the faults. */
  const unfinished = new Set<SimulatedProcess>();

  const write = async (process: SimulatedProcess, connection: Connection, outbox: Outbox): Promise<void> => {
    const entities = collectionOf<Entity>(connection, 'entities');
    let tries = 0;
    for (let writes = 0; unfinished.has(process); writes += 1) {
      await process.sleep(scheduler.choose('pause', MAX_PAUSE_MS));
      if (writes >= WRITES_DURING_FAULTS) await process.sleep(FAULTS_UNTIL_MS - scheduler.elapsedMs);
      const isAfterFaults = !world.hasFaults;
      const id = ENTITIES[scheduler.choose('entity', ENTITIES.length)] ?? '';
      try {
        const version = await inTransaction(connection, async (session) => {
          const options = { session, upsert: true, returnDocument: 'after' } as const;
          const by = `try ${(tries += 1)} of ${process.name}`;
          const made = { $concatArrays: [{ $ifNull: ['$made', []] }, [by]] };
          const stored = await entities.findOneAndUpdate({ _id: id }, [{ $set: { made } }], options);
          const written = { id, version: stored?.made.length ?? 0, by };
          await outbox.add(session, VERSIONS, [written]);
          return written;
        });
        acknowledged.push(version);
        if (isAfterFaults) unfinished.delete(process);
      } catch (error) {
        scheduler.log(process.name, `could not write ${id}: ${String(error)}`);
      }
    }
  };

  return world.run({
    prepare: (connection) =>
      migrate(connection, [
        ...persistenceIndexes,
        { collection: 'entities', keys: { _id: 1 }, serves: 'the entities' },
      ]),
    start: (process, connection) => {
      const publisher = brokerOf(world, process, topic);
      const outbox = new Outbox({ connection, publisher, topics: [VERSIONS], logger: SILENT });
      outbox.start();
      unfinished.add(process);
      void write(process, connection, outbox);
    },
    violations: async (connection) => {
      const stored = await collectionOf<Entity>(connection, 'entities').find({}).toArray();
      const late = [...unfinished].filter(({ isKilled }) => !isKilled);
      const committed = new Map(stored.map(({ _id, made }) => [_id, made]));
      return [
        ...(acknowledged.length === 0 ? ['No write was acknowledged.'] : []),
        ...late.map(({ name }) => `${name} has committed no write that it began after the faults.`),
        ...acknowledgementFaults(acknowledged, committed),
        ...versionFaults(ENTITIES, committed, topic),
      ];
    },
    done: () => topic.length,
  });
};
