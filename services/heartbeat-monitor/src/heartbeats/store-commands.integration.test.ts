import { describe, expect, it } from '@jest/globals';
import { collectionOf, type Connection } from '@tocsin/mongo';
import { sentCommands } from '@tocsin/testkit';
import { applyExpiry, applyPing, type Heartbeat } from './heartbeat.ts';
import { at, heartbeatOf } from '../testing/heartbeat-samples.ts';
import { openMonitor } from '../testing/killed-monitor.ts';
import { useDatabase, waitingCommands } from '../testing/mongo-fixture.ts';
import { HEARTBEATS } from './heartbeat-document.ts';

const database = useDatabase();

const publisher = { publish: () => Promise.resolve() };
const openStore = (connection: Connection) => openMonitor(connection, at(0), publisher).store;

const stages = (plan: object): readonly string[] =>
  [...JSON.stringify(plan).matchAll(/"stage":"(\w+)"/g)].map(([, stage]) => stage ?? '');

async function planOf(connection: Connection, filter: object, sort: Record<string, 1> = {}) {
  const explained = await collectionOf(connection, HEARTBEATS).find(filter).sort(sort).explain('queryPlanner');
  return stages((explained['queryPlanner'] as { winningPlan: object }).winningPlan);
}

describe('the commands of the store', () => {
  it('writes a ping as one command, which the majority has', async () => {
    const connection = await database();
    const store = openStore(connection);
    await store.insert(applyPing(heartbeatOf(), at(0)));
    const commands = sentCommands(connection.getClient());
    const concerns: unknown[] = [];
    connection.getClient().on('commandStarted', ({ command }) => concerns.push(command['writeConcern']));
    expect(await store.pingInTime('backup', at(1), undefined)).toBe(true);
    expect(commands).toEqual([`update ${HEARTBEATS}`]);
    expect(concerns).toEqual([{ w: 'majority' }]);
  });

  it('writes pings that come together as one command, and what one of them cannot reach with one transaction', async () => {
    const connection = await database();
    const store = openStore(connection);
    const names = ['a', 'b', 'c'];
    for (const name of names) await store.insert(applyPing(heartbeatOf({ id: name, name }), at(0)));
    const commands = sentCommands(connection.getClient());
    const ping = (name: string) => store.pingInTime(name, at(1), undefined);
    expect(await Promise.all(names.map(ping))).toEqual([true, true, true]);
    expect(commands).toEqual([`update ${HEARTBEATS}`]);
    expect(await Promise.all(['a', 'unknown', 'c'].map(ping))).toEqual([true, false, true]);
    expect(commands.slice(1)).toEqual([`update ${HEARTBEATS}`, `find ${HEARTBEATS}`, 'commitTransaction']);
    for (const name of names) expect(await store.find(name)).toMatchObject({ lastPingAt: at(1), expiresAt: at(11) });
  });

  it('writes pings that come together of heartbeats that are due in one transaction, with the commands that close their alerts', async () => {
    const connection = await database();
    const store = openStore(connection);
    const present = Array.from({ length: 40 }, (_, index) => {
      const waiting = applyPing(heartbeatOf({ id: String(index), name: String(index) }), at(0));
      return index < 20 ? waiting : applyExpiry(waiting, at(10), []);
    });
    for (const heartbeat of present) await store.insert(heartbeat);
    const sent = sentCommands(connection.getClient());
    const ping = ({ name }: Heartbeat) => store.pingInTime(name, at(20), 'ops');
    expect(await Promise.all(present.map(ping))).toEqual(present.map(() => true));
    const changed = [`find ${HEARTBEATS}`, `update ${HEARTBEATS}`, 'insert outbox', 'commitTransaction'];
    expect(sent).toEqual([`update ${HEARTBEATS}`, ...changed]);
    for (const before of present) expect(await store.find(before.name)).toEqual(applyPing(before, at(20)));
    const closes = await waitingCommands(connection);
    expect(closes.map(({ kind }) => kind)).toEqual(present.slice(20).map(() => 'close'));
  });

  it('leaves only those alone of pings that come together which a transaction holds', async () => {
    const connection = await database();
    const store = openStore(connection);
    const present = Array.from({ length: 64 }, (_, index) =>
      applyPing(heartbeatOf({ id: String(index), name: String(index) }), at(0)),
    );
    for (const heartbeat of present) await store.insert(heartbeat);
    const session = await connection.startSession();
    session.startTransaction();
    await collectionOf(connection, HEARTBEATS).updateOne({ name: '0' }, { $inc: { step: 1 } }, { session });
    const written = await Promise.all(present.map(({ name }) => store.pingInTime(name, at(20), undefined)));
    await session.abortTransaction();
    await session.endSession();
    expect(written.filter((isWritten) => !isWritten).length).toBeLessThanOrEqual(16);
    expect(written.slice(16)).toEqual(present.slice(16).map(() => true));
    expect(await store.find('63')).toMatchObject({ lastPingAt: at(20) });
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
    await store.insert(applyPing(heartbeatOf(), at(0)));
    await store.insert(heartbeatOf({ id: 'open', name: 'open', step: 1 }));
    const commands = sentCommands(connection.getClient());
    await store.change('backup', (present) => applyPing(present, at(20)));
    expect(commands.splice(0)).toEqual([`find ${HEARTBEATS}`, `update ${HEARTBEATS}`]);
    await store.change('open', (present) => applyPing(present, at(20)));
    expect(commands).toEqual([`find ${HEARTBEATS}`, `update ${HEARTBEATS}`, 'insert outbox', 'commitTransaction']);
  });

  it('writes a ping in time while a transaction holds heartbeats that are due', async () => {
    const connection = await database();
    const store = openStore(connection);
    await store.insert(applyPing(heartbeatOf(), at(-10)));
    await store.insert(applyPing(heartbeatOf({ id: 'other', name: 'other' }), at(0)));
    const session = await connection.startSession();
    session.startTransaction();
    await collectionOf(connection, HEARTBEATS).updateOne({ name: 'backup' }, { $inc: { step: 1 } }, { session });
    const ping = (name: string) => store.pingInTime(name, at(1), undefined);
    expect(await Promise.all(['backup', 'other'].map(ping))).toEqual([false, true]);
    expect(await store.find('other')).toMatchObject({ lastPingAt: at(1) });
    const late = store.change('backup', (present) => applyPing(present, at(1)));
    await session.abortTransaction();
    await session.endSession();
    expect(await late).toMatchObject({ lastPingAt: at(1), step: 0 });
  });

  it('answers the other pings of a batch where one meets the transaction of a monitor that stands still', async () => {
    const connection = await database();
    const store = openStore(connection);
    await store.insert(applyPing(heartbeatOf(), at(0)));
    await store.insert(applyPing(heartbeatOf({ id: 'other', name: 'other' }), at(0)));
    const session = await connection.startSession();
    session.startTransaction();
    await collectionOf(connection, HEARTBEATS).updateOne({ name: 'backup' }, { $inc: { step: 1 } }, { session });
    const answered: string[] = [];
    const ping = async (name: string) => {
      const isWritten = await store.pingInTime(name, at(1), undefined);
      answered.push(name);
      return isWritten;
    };
    const [met, other] = [ping('backup'), ping('other')];
    expect(await other).toBe(true);
    expect(answered).toEqual(['other']);
    await session.abortTransaction();
    await session.endSession();
    expect(await met).toBe(true);
    for (const name of ['backup', 'other'])
      expect(await store.find(name)).toMatchObject({ lastPingAt: at(1), expiresAt: at(11), step: 0 });
  });

  it('reads every heartbeat that a run or a request needs by an index', async () => {
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
