import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { mongo } from 'mongoose';
import { startReplicaSet, type OwnReplicaSet } from '@tocsin/testkit';
import { connectMongo, migrate, persistenceIndexes, type Connection } from './index.ts';
import { POINTS } from './testing/gated-process.ts';
import { committedVersions, THINGS_INDEX, versionsOf, type Change } from './testing/versions.ts';
import { Processes } from './testing/writing-processes.ts';

const PROCESSES = 3;
/** The rows that the other processes publish while one is frozen, and those that are published between two faults. */
const MESSAGES_PER_FAULT = 8;
const HOUR_MS = 3_600_000;
const AHEAD = 2;
const LEASE_MS = 1_000;

let set: OwnReplicaSet;
let connection: Connection;

beforeAll(async () => {
  set = await startReplicaSet({ members: 3, clocksAheadMs: [0, 0, HOUR_MS] });
  await set.stepUp(0);
  connection = await connectMongo({ uri: set.uri, database: 'test' });
  await migrate(connection, [...persistenceIndexes, THINGS_INDEX]);
}, 240_000);

afterAll(async () => {
  await connection.close();
  await set.stop();
}, 60_000);

/** The versions of each thing in the order in which they first appear. */
function firstAppearances(log: readonly Change[]): ReadonlyMap<number, readonly number[]> {
  return new Map([...versionsOf(log)].map(([thing, versions]) => [thing, [...new Set(versions)]]));
}

describe('An outbox that several processes share', () => {
  it('lets the versions of each entity appear first in the order of their commits, whatever is killed, frozen or elected', async () => {
    const processes = new Processes({ uri: set.uri, database: 'test' }, LEASE_MS);
    for (let count = 0; count < PROCESSES; count += 1) await processes.start();
    const elections = [() => set.stepDown(), () => set.stepUp(AHEAD), () => set.stepDown(), () => set.stepUp(0)];

    for (const [index, point] of POINTS.entries()) {
      const frozen = await processes.stoppedAt(point);
      await processes.published(MESSAGES_PER_FAULT);
      frozen.thaw();
      await processes.published(MESSAGES_PER_FAULT);
      const killed = await processes.stoppedAt(point);
      await processes.published(MESSAGES_PER_FAULT);
      await processes.replace(killed);
      await processes.published(MESSAGES_PER_FAULT);
      if (index % 2 === 0) await elections[(index / 2) % elections.length]?.();
    }
    await processes.finish();

    expect(firstAppearances(processes.log)).toEqual(await committedVersions(connection));
    // The member whose clock is ahead was the primary for a while, and the time of the cluster goes on from there.
    const { $clusterTime } = (await connection.db?.command({ hello: 1 })) as {
      $clusterTime: { clusterTime: mongo.Timestamp };
    };
    expect($clusterTime.clusterTime.t * 1_000 - Date.now()).toBeGreaterThan(HOUR_MS / 2);
    expect(processes.log.length).toBeGreaterThan(POINTS.length * 4 * MESSAGES_PER_FAULT);
  }, 400_000);
});
