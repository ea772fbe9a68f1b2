import { describe, expect, it } from '@jest/globals';
import { collectionOf, type Connection } from '@tocsin/persistence';
import { sentCommands } from '@tocsin/testing';
import { pinged, type Heartbeat } from '../domain/heartbeat.ts';
import { at, heartbeatOf, outage } from '../testing/heartbeat-samples.ts';
import { useDatabase } from '../testing/mongo-fixture.ts';
import { dueFilter } from './due-pipeline.ts';
import { BEATS, HEARTBEATS, type BeatDocument } from './heartbeat-documents.ts';
import { describeHeartbeatStore } from './heartbeat-store.contract.ts';
import { MongoHeartbeatStore } from './mongo-heartbeat-store.ts';

const database = useDatabase();

describeHeartbeatStore('MongoHeartbeatStore', async () => {
  const connection = await database();
  return {
    store: new MongoHeartbeatStore(connection),
    // The beat grows older instead: nobody moves the clock of a database.
    passMs: async (milliseconds) => {
      await collectionOf<BeatDocument>(connection, BEATS).updateMany({}, [
        { $set: { beatAt: { $subtract: ['$beatAt', milliseconds] } } },
      ]);
    },
  };
});

const stages = (plan: object): readonly string[] =>
  [...JSON.stringify(plan).matchAll(/"stage":"(\w+)"/g)].map(([, stage]) => stage ?? '');

async function planOf(connection: Connection, filter: object, sort: Record<string, 1> = {}) {
  const explained = await collectionOf(connection, HEARTBEATS).find(filter).sort(sort).explain('queryPlanner');
  return stages((explained['queryPlanner'] as { winningPlan: object }).winningPlan);
}

describe('MongoHeartbeatStore', () => {
  it('writes a ping as one command, which the majority has', async () => {
    const connection = await database();
    const store = new MongoHeartbeatStore(connection);
    await store.insert(pinged(heartbeatOf(), at(0)));
    const commands = sentCommands(connection.getClient());
    const concerns: unknown[] = [];
    connection.getClient().on('commandStarted', ({ command }) => concerns.push(command['writeConcern']));
    expect(await store.pingWaitedFor('backup', at(1), undefined)).toBe(true);
    expect(commands).toEqual([`update ${HEARTBEATS}`]);
    expect(concerns).toEqual([{ w: 'majority' }]);
  });

  it('writes pings that come together as one command, each by itself where any finds no heartbeat', async () => {
    const connection = await database();
    const store = new MongoHeartbeatStore(connection);
    const names = ['a', 'b', 'c'];
    for (const name of names) await store.insert(pinged(heartbeatOf({ id: name, name }), at(0)));
    const commands = sentCommands(connection.getClient());
    const ping = (name: string) => store.pingWaitedFor(name, at(1), undefined);
    expect(await Promise.all(names.map(ping))).toEqual([true, true, true]);
    expect(commands).toEqual([`update ${HEARTBEATS}`]);
    expect(await Promise.all(['a', 'unknown', 'c'].map(ping))).toEqual([true, false, true]);
    for (const name of names) expect(await store.find(name)).toMatchObject({ lastPingAt: at(1), expiresAt: at(11) });
  });

  it('writes changes of one heartbeat that come together one after the other, each in one read and one write', async () => {
    const connection = await database();
    const store = new MongoHeartbeatStore(connection);
    await store.insert(heartbeatOf());
    const commands = sentCommands(connection.getClient());
    const counted = (present: Heartbeat) => ({ ...present, interval: present.interval + 1 });
    await Promise.all(Array.from({ length: 20 }, () => store.change('backup', counted)));
    expect((await store.find('backup'))?.interval).toBe(heartbeatOf().interval + 20);
    expect(commands).toHaveLength(2 * 20 + 1);
  });

  it('reads what is to be told as the majority has it: nothing is published that a failover takes back', async () => {
    const connection = await database();
    const concerns: unknown[] = [];
    connection.getClient().on('commandStarted', ({ command }) => concerns.push(command['readConcern']));
    await new MongoHeartbeatStore(connection).untold(1);
    expect(concerns).toEqual([{ level: 'majority' }]);
  });

  it('reads every heartbeat that a turn or a request asks for by an index', async () => {
    const connection = await database();
    const questions: [object, Record<string, 1>?][] = [
      [{ live: true, name: 'backup' }],
      [{ live: true, name: 'backup', expiresAt: { $exists: true } }],
      [{ live: true }, { createdAt: 1, _id: 1 }],
      [{ expiresAt: { $lte: at(1) }, intervalMs: { $lte: 60_000 } }],
      [{ ...dueFilter(at(1), [outage(-2, -1)]), name: { $nin: ['backup'] } }],
      [{ untoldSince: { $exists: true } }, { untoldSince: 1 }],
    ];
    for (const [filter, sort] of questions) {
      const plan = await planOf(connection, filter, sort);
      expect(plan).toContain('IXSCAN');
      expect(plan).not.toContain('SORT');
    }
  });
});
