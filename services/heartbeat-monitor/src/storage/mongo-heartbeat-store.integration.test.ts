import { describe, expect, it } from '@jest/globals';
import type { AlertCommand } from '@tocsin/contracts';
import { collectionOf, type Connection } from '@tocsin/persistence';
import { sentCommands } from '@tocsin/testing';
import { pinged, type Heartbeat } from '../domain/heartbeat.ts';
import { at, heartbeatOf } from '../testing/heartbeat-samples.ts';
import { openMonitor } from '../testing/killed-watch.ts';
import { useDatabase } from '../testing/mongo-fixture.ts';
import { BEATS, HEARTBEATS, type BeatDocument } from './heartbeat-documents.ts';
import { describeHeartbeatStore } from './heartbeat-store.contract.ts';

const database = useDatabase();

const publisher = { publish: () => Promise.resolve() };
const openStore = (connection: Connection) => openMonitor(connection, at(0), publisher).store;

/** Of the outbox, in the order in which it is relayed. */
async function waitingCommands(connection: Connection): Promise<readonly AlertCommand[]> {
  const rows = collectionOf<{ readonly messages: string }>(connection, 'outbox').find({}).sort({ seq: 1 });
  return (await rows.toArray()).flatMap(({ messages }) => JSON.parse(messages) as AlertCommand[]);
}

describeHeartbeatStore('MongoHeartbeatStore', async () => {
  const connection = await database();
  return {
    store: openStore(connection),
    commands: () => waitingCommands(connection),
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
    const store = openStore(connection);
    await store.insert(pinged(heartbeatOf(), at(0)));
    const commands = sentCommands(connection.getClient());
    const concerns: unknown[] = [];
    connection.getClient().on('commandStarted', ({ command }) => concerns.push(command['writeConcern']));
    expect(await store.pingInTime('backup', at(1), undefined)).toBe(true);
    expect(commands).toEqual([`update ${HEARTBEATS}`]);
    expect(concerns).toEqual([{ w: 'majority' }]);
  });

  it('writes pings that come together as one command, and says of none that it is written where any finds no heartbeat', async () => {
    const connection = await database();
    const store = openStore(connection);
    const names = ['a', 'b', 'c'];
    for (const name of names) await store.insert(pinged(heartbeatOf({ id: name, name }), at(0)));
    const commands = sentCommands(connection.getClient());
    const ping = (name: string) => store.pingInTime(name, at(1), undefined);
    expect(await Promise.all(names.map(ping))).toEqual([true, true, true]);
    expect(commands).toEqual([`update ${HEARTBEATS}`]);
    expect(await Promise.all(['a', 'unknown', 'c'].map(ping))).toEqual([false, false, false]);
    expect(commands).toHaveLength(2);
    for (const name of names) expect(await store.find(name)).toMatchObject({ lastPingAt: at(1), expiresAt: at(11) });
  });

  it('writes changes of one heartbeat that come together one after the other, each in one read and one write', async () => {
    const connection = await database();
    const store = openStore(connection);
    await store.insert(heartbeatOf());
    const commands = sentCommands(connection.getClient());
    const counted = (present: Heartbeat) => ({ ...present, interval: present.interval + 1 });
    await Promise.all(Array.from({ length: 20 }, () => store.change('backup', counted)));
    expect((await store.find('backup'))?.interval).toBe(heartbeatOf().interval + 20);
    expect(commands).toHaveLength(2 * 20 + 1);
  });

  it('writes a change that closes no alert without a transaction, and one that does with its command', async () => {
    const connection = await database();
    const store = openStore(connection);
    await store.insert(pinged(heartbeatOf(), at(0)));
    await store.insert(heartbeatOf({ id: 'open', name: 'open', step: 1 }));
    const commands = sentCommands(connection.getClient());
    await store.change('backup', (present) => pinged(present, at(20)));
    expect(commands.splice(0)).toEqual([`find ${HEARTBEATS}`, `update ${HEARTBEATS}`]);
    await store.change('open', (present) => pinged(present, at(20)));
    expect(commands).toEqual([`find ${HEARTBEATS}`, `update ${HEARTBEATS}`, 'insert outbox', 'commitTransaction']);
  });

  it('writes a ping in time while a transaction holds heartbeats that are due', async () => {
    const connection = await database();
    const store = openStore(connection);
    await store.insert(pinged(heartbeatOf(), at(-10)));
    await store.insert(pinged(heartbeatOf({ id: 'other', name: 'other' }), at(0)));
    const session = await connection.startSession();
    session.startTransaction();
    await collectionOf(connection, HEARTBEATS).updateOne({ name: 'backup' }, { $inc: { step: 1 } }, { session });
    const ping = (name: string) => store.pingInTime(name, at(1), undefined);
    expect(await Promise.all(['backup', 'other'].map(ping))).toEqual([false, false]);
    expect(await store.find('other')).toMatchObject({ lastPingAt: at(1) });
    const late = store.change('backup', (present) => pinged(present, at(1)));
    await session.abortTransaction();
    await session.endSession();
    expect(await late).toMatchObject({ lastPingAt: at(1), step: 0 });
  });

  it('reads every heartbeat that a turn or a request asks for by an index', async () => {
    const connection = await database();
    const questions: [object, Record<string, 1>?][] = [
      [{ name: 'backup' }],
      [{ name: 'backup', nextDueAt: { $gt: at(1) } }],
      [{}, { createdAt: 1, _id: 1 }],
      [{ ownerTeamId: 'ops' }, { createdAt: 1, _id: 1 }],
      [{ nextDueAt: { $lte: at(1) } }],
      [{ nextDueAt: { $lte: at(1) }, name: { $in: ['backup'] } }],
    ];
    for (const [filter, sort] of questions) {
      const plan = await planOf(connection, filter, sort);
      expect(plan).toContain('IXSCAN');
      expect(plan).not.toContain('SORT');
    }
  });
});
