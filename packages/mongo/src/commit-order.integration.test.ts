import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startReplicaSet, type OwnReplicaSet } from '@tocsin/testkit';
import { mongo } from 'mongoose';
import { collectionOf, connectMongo, migrate, type Connection } from './index.ts';
import { committedVersions, THINGS_INDEX, versionsOf, writeVersions, type Change } from './testing/versions.ts';

/** The row that a transaction adds for one version of a thing. The server fills `seq`. */
interface Row extends Change {
  readonly _id: mongo.ObjectId;
  readonly seq: mongo.Timestamp;
}

const PROCESSES = 3;
const WRITERS_PER_PROCESS = 2;
/** Committed before each fault, and after the last one. */
const COMMITS_PER_FAULT = 30;
const MEMBER_AHEAD = 2;
const HOUR_S = 3_600;
const FILLED_BY_THE_SERVER = new mongo.Timestamp({ t: 0, i: 0 });

let set: OwnReplicaSet;
let connections: Connection[];

beforeAll(async () => {
  set = await startReplicaSet({ members: 3, clocksAheadMs: [0, 0, HOUR_S * 1_000] });
  await set.stepUp(0);
  const connect = () => connectMongo({ uri: set.uri, database: 'test' });
  connections = await Promise.all(Array.from({ length: PROCESSES }, connect));
  await migrate(first(connections), [THINGS_INDEX, { collection: 'rows', keys: { seq: 1 }, serves: 'this test' }]);
}, 120_000);

afterAll(async () => {
  await Promise.all(connections.map((connection) => connection.close()));
  await set.stop();
}, 60_000);

function first<T>(values: readonly T[]): T {
  const [value] = values;
  if (value === undefined) throw new Error('The list is empty.');
  return value;
}

/** Writers and one reader, until the run is over: how many transactions were committed, and which rows the reader saw. */
class Run {
  commits = 0;
  /** How many looks succeeded before the run was over. */
  looks = 0;
  isOver = false;
  /** The rows in the order in which looks of all committed rows first showed them. */
  readonly seen: Row[] = [];
  readonly #known = new Set<string>();

  async write(connection: Connection, isRowFirst: boolean): Promise<void> {
    const rows = collectionOf<Row>(connection, 'rows');
    await writeVersions({
      connection,
      add: (session, change) =>
        rows.insertMany([{ ...change, _id: new mongo.ObjectId(), seq: FILLED_BY_THE_SERVER }], { session }),
      isRowFirst,
      isOver: () => this.isOver,
      onCommit: () => (this.commits += 1),
    });
  }

  async look(connection: Connection): Promise<void> {
    const rows = collectionOf<Row>(connection, 'rows');
    const found = await rows.find({}, { sort: { seq: 1 }, readConcern: { level: 'snapshot' } }).toArray();
    for (const row of found) {
      const id = row._id.toHexString();
      if (this.#known.has(id)) continue;
      this.#known.add(id);
      this.seen.push(row);
    }
  }

  async lookRepeatedly(connection: Connection): Promise<void> {
    while (!this.isOver) {
      // A look fails during an election.
      await this.look(connection).then(
        () => (this.looks += 1),
        () => undefined,
      );
      await pause(10);
    }
  }

  async committed(more: number): Promise<void> {
    const until = this.commits + more;
    while (this.commits < until) await pause(10);
  }
}

describe('Rows with a timestamp that the server fills at the insert', () => {
  it('are in commit order for each entity, across elections and with a primary whose clock is an hour ahead', async () => {
    const run = new Run();
    const writers = connections.flatMap((connection) =>
      Array.from({ length: WRITERS_PER_PROCESS }, (_, index) => run.write(connection, index === 0)),
    );
    const looks = run.lookRepeatedly(first(connections));
    const kill = async () => {
      const member = set.members[(await set.primary()) ?? 0];
      await member?.kill();
      await member?.restart();
    };
    const faults = [
      () => set.stepDown(),
      () => set.stepUp(MEMBER_AHEAD),
      kill,
      () => set.stepUp(0),
      () => set.stepDown(),
    ];
    for (const fault of faults) {
      await run.committed(COMMITS_PER_FAULT);
      await fault();
    }
    await run.committed(COMMITS_PER_FAULT);
    run.isOver = true;
    await Promise.all([...writers, looks]);
    await run.look(first(connections));

    const rows = await collectionOf<Row>(first(connections), 'rows')
      .find({}, { sort: { seq: 1 } })
      .toArray();
    const inOrder = await committedVersions(first(connections));
    expect(versionsOf(rows)).toEqual(inOrder);
    expect(versionsOf(run.seen)).toEqual(inOrder);
    expect(run.looks).toBeGreaterThan(faults.length);
    // The member whose clock is ahead was the primary for a while.
    const seconds = rows.map(({ seq }) => seq.t);
    expect((seconds.at(-1) ?? 0) - (seconds[0] ?? 0)).toBeGreaterThan(HOUR_S / 2);
  }, 400_000);
});
