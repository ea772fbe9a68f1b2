import { afterAll, describe, expect, it } from '@jest/globals';
import type { AlertCommand, BatchResult } from '@tocsin/events';
import { connectMongo, type Connection } from '@tocsin/mongo';
import { emptiedDatabase, eventually, testMongo } from '@tocsin/testkit';
import { batchOf } from '../testing/batch-samples.ts';
import {
  acknowledge,
  addNote,
  byAlias,
  byId,
  close,
  create,
  order,
  pagingCreate,
} from '../testing/commands-samples.ts';
import { decisionEntries } from '../alert-log/consumer.ts';
import { applyCommands } from './apply-commands.ts';
import { RELATED } from '../database.ts';
import { listed, sorting } from './selection-store.ts';
import { context, EVERYTHING, listing, type AlertStorage } from '../testing/open-storage.ts';
import { AlertReader } from './reader-store.ts';
import { mongoStorage, openDatabase } from '../testing/mongo-fixture.ts';

let opened: Connection | undefined;

const openEmptied = emptiedDatabase(async () => (opened = await openDatabase()));

async function open(): Promise<{ storage: AlertStorage; connection: Connection }> {
  const connection = await openEmptied();
  return { storage: mongoStorage(connection), connection };
}

afterAll(async () => {
  await opened?.dropDatabase();
  await opened?.close();
});

const MAX_ATTEMPTS = 20;

/** Processes like the service: it reserves tiny ids before the transaction, and retries a batch that was not processed. */
async function processed(
  { ledger, tinyIds }: AlertStorage,
  commands: readonly AlertCommand[],
  at: { offset: number; partition: number },
): Promise<BatchResult> {
  for (let attempt = 1; ; attempt += 1) {
    const firstTinyId = await tinyIds.reserve(commands.length);
    const result = await ledger.apply([batchOf(commands, at.offset, at.partition)], (given, stored) =>
      applyCommands(given, stored, {
        resolve: ({ id }) => ({ kind: 'known', id: id ?? '', name: '' }),
        firstTinyId,
        processedAt: new Date('2026-01-05T08:00:01.000Z'),
      }),
    );
    if (result.outcome !== 'retry' || attempt === MAX_ATTEMPTS) return result;
  }
}

describe('an alert that is deleted', () => {
  it('leaves none of its content in any collection, except its alias in request statuses (A6, A8)', async () => {
    const { storage, connection } = await open();
    const secret = 'unmistakable';
    const content = {
      message: secret,
      description: secret,
      tags: [secret],
      details: { [secret]: secret },
      entity: secret,
    };
    const made = pagingCreate('disk', {
      alert: { ...content, actions: [secret] },
      note: secret,
      actor: secret,
      source: secret,
    });
    const noted = addNote(byAlias('disk'), secret, { actor: secret });
    const gone = order(byAlias('disk'), { kind: 'delete' }, { note: secret, actor: secret });
    let offset = 0;
    for (const command of [made, noted, gone])
      expect(await processed(storage, [command], { offset: offset++, partition: 0 })).toEqual({ outcome: 'done' });
    await eventually(async () => {
      expect(await storage.events()).not.toEqual([]);
      expect(await connection.collection('outbox').countDocuments()).toBe(0);
    });
    for (const collection of (await connection.db?.collections()) ?? [])
      expect([collection.collectionName, JSON.stringify(await collection.find().toArray())]).toEqual([
        collection.collectionName,
        expect.not.stringContaining(secret),
      ]);
  });
});

describe('an alert with a longer history than one transaction can remove', () => {
  const filled = async (connection: Connection, alertId: string, rows: number): Promise<void> => {
    for (const collection of RELATED)
      await connection
        .collection<{ _id: string; alertId: string }>(collection)
        .insertMany(Array.from({ length: rows }, (_, row) => ({ _id: `${alertId}/${row}`, alertId })));
  };
  const left = async (connection: Connection, alertId: string): Promise<number> => {
    const counts = RELATED.map((name) => connection.collection(name).countDocuments({ alertId }));
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  };

  it('is deleted with all its documents, and its neighbour keeps its own', async () => {
    const { storage, connection } = await open();
    const [made, neighbour] = [pagingCreate('disk'), pagingCreate('fan')];
    expect(await processed(storage, [made, neighbour], { offset: 0, partition: 0 })).toEqual({ outcome: 'done' });
    await filled(connection, made.alert.alertId, 12_000);
    await filled(connection, neighbour.alert.alertId, 10);
    const kept = await left(connection, neighbour.alert.alertId);
    const gone = order(byAlias('disk'), { kind: 'delete' });
    expect(await processed(storage, [gone], { offset: 2, partition: 0 })).toEqual({ outcome: 'done' });
    expect(await storage.reader.find(byAlias('disk'))).toBeUndefined();
    await eventually(async () => {
      expect(await left(connection, made.alert.alertId)).toBe(0);
    });
    expect(await left(connection, neighbour.alert.alertId)).toBe(kept);
  });
});

describe('Mongo storage under load', () => {
  it('processes 300 creates in one transaction, each with an alert, a status and an event', async () => {
    const { storage, connection } = await open();
    const commands = Array.from({ length: 300 }, (_, index) => pagingCreate(`disk-${String(index)}`, { note: 'n' }));
    expect(await processed(storage, commands, { offset: 0, partition: 0 })).toEqual({ outcome: 'done' });
    expect(await storage.reader.count(EVERYTHING, 1_000)).toBe(300);
    expect(await storage.statuses.find(commands.map(({ requestId }) => requestId))).toHaveLength(300);
    expect(await storage.events()).toHaveLength(300);
    const checkpoint = await connection.collection('checkpoints').findOne({});
    expect(checkpoint).toMatchObject({ offset: 300 });
  });

  it('processes a batch once if two consumers have it at the same time', async () => {
    const { storage, connection } = await open();
    const other = mongoStorage(connection);
    const commands = Array.from({ length: 20 }, () => create('disk'));
    await Promise.all([
      processed(storage, commands, { offset: 0, partition: 0 }),
      processed(other, commands, { offset: 0, partition: 0 }),
    ]);
    expect(await storage.reader.find(byAlias('disk'))).toMatchObject({ count: 20 });
    expect(await storage.reader.count(EVERYTHING, 10)).toBe(1);
  });

  it('keeps one open alert per alias when partitions race for it, and counts every create', async () => {
    const { storage } = await open();
    const partitions = [0, 1, 2, 3, 4];
    await Promise.all(
      partitions.map(async (partition) => {
        for (const offset of [0, 10]) {
          const commands = Array.from({ length: 10 }, () => pagingCreate('disk'));
          expect(await processed(storage, commands, { offset, partition })).toEqual({ outcome: 'done' });
        }
      }),
    );
    expect(await storage.reader.find(byAlias('disk'))).toMatchObject({ count: 100 });
    expect(await storage.reader.count(EVERYTHING, 10)).toBe(1);
    const facts = (await storage.events()).flatMap((event) => event.facts);
    expect(facts.map(({ kind }) => kind)).toEqual(['created']);
  });

  it('loses no concurrent write to an alert that is named by its alias and by its id', async () => {
    const { storage } = await open();
    const command = create('disk');
    const id = byId(command.alert.alertId);
    await processed(storage, [command], { offset: 0, partition: 0 });
    await Promise.all([
      processed(storage, [create('disk'), addNote(byAlias('disk'), 'by alias')], { offset: 1, partition: 0 }),
      processed(storage, [acknowledge(id), addNote(id, 'by id')], { offset: 0, partition: 1 }),
      processed(storage, [addNote({ type: 'tiny', value: '1' }, 'by tiny id')], { offset: 0, partition: 2 }),
    ]);
    expect(await storage.reader.find(id)).toMatchObject({ count: 2, acknowledged: true, version: 6 });
    const listing = { alertId: command.alert.alertId, order: 'asc', after: undefined, limit: 100 } as const;
    const [notes, logs] = [await storage.reader.notes(listing), await storage.reader.logs(listing)];
    expect(notes.map(({ note }) => note).sort()).toEqual(['by alias', 'by id', 'by tiny id']);
    const positions = [...notes, ...logs].map(({ position }) => `${String(position.ms)}_${String(position.nanos)}`);
    expect(new Set(positions).size).toBe(notes.length + logs.length);
  });

  it('processes create, note and close by alias in order, in one batch or in three', async () => {
    const { storage } = await open();
    const commands = [create('disk'), addNote(byAlias('disk'), 'n'), close(byAlias('disk'))];
    await processed(storage, commands, { offset: 0, partition: 0 });
    const again = [create('disk'), addNote(byAlias('disk'), 'n'), close(byAlias('disk'))];
    for (const [index, command] of again.entries())
      await processed(storage, [command], { offset: 3 + index, partition: 0 });
    const found = await storage.statuses.find([...commands, ...again].map(({ requestId }) => requestId));
    expect(found.map(({ success }) => success)).toEqual(Array<boolean>(6).fill(true));
  });

  it('keeps the log entry of one command or one decision in one document', async () => {
    const { storage, connection } = await open();
    const command = create('disk', { alert: { responders: [{ type: 'user', name: 'missing' }] } });
    const { alertId } = command.alert;
    await storage.ledger.apply([batchOf([command])], (given, stored) =>
      applyCommands(given, stored, { ...context, resolve: () => ({ kind: 'unknown' }) }),
    );
    const findings = ['one', 'two', 'three'].map((text) => ({ subject: 'rule', outcome: 'skipped', text }));
    const decision = { decisionId: 'd', alertId, stage: 'route', at: '2026-01-05T08:00:00.000Z' } as const;
    await storage.decisionLog.append(decisionEntries({ ...decision, findings }));
    const entries = await storage.reader.logs({ alertId, order: 'asc', after: undefined, limit: 100 });
    expect(entries).toHaveLength(5);
    expect(await connection.collection('alert_logs').countDocuments()).toBe(2);
  });

  it('refuses a batch, and changes nothing, if one of its commands always fails', async () => {
    const { storage } = await open();
    const result = await storage.ledger.apply([batchOf([create('good'), create('odd')])], () => {
      throw new TypeError('no such thing');
    });
    expect(result).toEqual({ outcome: 'refused', reason: 'TypeError: no such thing' });
    expect(await storage.reader.count(EVERYTHING, 10)).toBe(0);
    await processed(storage, [create('good')], { offset: 0, partition: 0 });
    expect(await storage.reader.count(EVERYTHING, 10)).toBe(1);
  });

  it('processes and finds alerts while slow searches use all of their connections, and refuses one more', async () => {
    const { storage, connection } = await open();
    await processed(storage, [create('disk')], { offset: 0, partition: 0 });
    const { uri } = await testMongo();
    const searches = await connectMongo({ uri, database: connection.name, pool: { connections: 2, waitMs: 200 } });
    const reader = new AlertReader(connection, searches);
    const slow = [1, 2].map(() => searches.collection('alerts').findOne({ $where: 'sleep(3000) || true' }));
    const refused = await Promise.allSettled([reader.list(listing), reader.count({ ...EVERYTHING, teamId: 'red' }, 1)]);
    expect(refused.map((one) => one.status === 'rejected' && (one.reason as Error).name)).toEqual([
      'UnavailableError',
      'UnavailableError',
    ]);
    expect(await processed(storage, [create('fan')], { offset: 1, partition: 0 })).toEqual({ outcome: 'done' });
    expect(await reader.find(byAlias('fan'))).toMatchObject({ count: 1 });
    await Promise.all(slow);
    expect(await reader.list(listing)).toHaveLength(2);
    await searches.close();
  });

  it('selects lists and look-ups by indexes', async () => {
    const { connection } = await open();
    const winning = async (filter: object, sort: Record<string, 1 | -1>) =>
      JSON.stringify(await connection.collection('alerts').find(filter).sort(sort).explain('queryPlanner'));
    const latest = sorting('createdAt', -1);
    expect(await winning(listed(EVERYTHING, 'createdAt'), latest)).not.toContain('"stage":"SORT"');
    expect(await winning(listed({ ...EVERYTHING, teamId: 'red' }, 'createdAt'), latest)).not.toContain(
      '"stage":"SORT"',
    );
    expect(await winning({ alias: 'disk', status: 'open' }, {})).toContain('open_alias_of_scope');
    const ofRed = { alias: 'disk', status: 'open', ownerTeamId: 'red' };
    expect(await winning(ofRed, {})).toContain('open_alias_of_scope');
  });
});
