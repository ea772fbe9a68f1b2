import { afterAll, describe, expect, it } from '@jest/globals';
import type { Connection } from '@tocsin/mongo';
import { addNote, byAlias, byId, close, create, order } from '../testing/commands-samples.ts';
import { RELATED } from '../database.ts';
import { logDocuments } from '../alert-log/document.ts';
import { mongoStorage, openDatabase } from '../testing/mongo-fixture.ts';
import { openWith } from '../testing/open-storage.ts';
import { lateEntries, removeAll } from '../testing/retention-samples.ts';
import { RetentionStore } from './retention-store.ts';

const NOW = new Date('2027-06-01T00:00:00.000Z');
const opened: Connection[] = [];

async function open() {
  const connection = await openDatabase();
  opened.push(connection);
  const storage = await openWith(() => Promise.resolve(mongoStorage(connection)));
  const count = (collection: string, filter: object = {}) => connection.collection(collection).countDocuments(filter);
  return { ...storage, connection, count };
}

afterAll(async () => {
  for (const connection of opened) {
    await connection.dropDatabase();
    await connection.close();
  }
});

describe('documents that MongoDB removes', () => {
  it('is removed batch by batch, also if several replicas remove it at once', async () => {
    const { connection, retained, apply, count } = await open();
    const aliases = Array.from({ length: 250 }, (_, n) => `disk-${String(n)}`);
    await apply(...aliases.map((alias) => create(alias, { note: 'n' })));
    await apply(...aliases.slice(0, 240).map((alias) => close(byAlias(alias))));
    const replicas = [retained, new RetentionStore(connection), new RetentionStore(connection)];
    const removed = await Promise.all(replicas.map((rows) => removeAll(rows, 'alerts', NOW)));
    expect(removed.reduce((sum, one) => sum + one)).toBe(240);
    expect([await count('alerts'), await count('alert_logs'), await count('alert_notes')]).toEqual([10, 10, 10]);
    expect(await count('removed_alerts')).toBe(240);
  });

  it('is removed by the next run if a process died between the history and its alert', async () => {
    const { connection, retained, apply, reader, count } = await open();
    const command = create('disk', { note: 'n' });
    await apply(command, close(byAlias('disk')));
    await connection.collection('alert_logs').deleteMany({});
    expect(await reader.find(byId(command.alert.alertId))).toMatchObject({ status: 'closed' });
    expect(await removeAll(retained, 'alerts', NOW)).toBe(1);
    expect([await count('alerts'), await count('alert_notes')]).toEqual([0, 0]);
  });

  it('removes entries that were written while their alert was being deleted', async () => {
    const { connection, retained, apply, count } = await open();
    const [deleted, kept] = [create('disk'), create('fan')];
    const { alertId } = deleted.alert;
    await apply(deleted, kept, addNote(byAlias('fan'), 'n'));
    await apply(order(byId(alertId), { kind: 'delete' }));
    const [late] = logDocuments(lateEntries(alertId));
    await connection.collection<{ _id: string }>('alert_logs').insertOne({ ...late, _id: 'late' });
    expect(await count('alert_logs', { alertId })).toBe(1);
    await removeAll(retained, 'removals', NOW);
    expect([await count('alert_logs', { alertId }), await count('removed_alerts')]).toEqual([0, 0]);
    expect(await count('alert_logs', { alertId: kept.alert.alertId })).toBe(2);
  });

  it.each(['alerts', 'removals'] as const)('deletes a very long history of %s in batches', async (kind) => {
    const { connection, retained, apply, count } = await open();
    const command = create('disk');
    const { alertId } = command.alert;
    await apply(command, kind === 'alerts' ? close(byAlias('disk')) : order(byAlias('disk'), { kind: 'delete' }));
    const history = Array.from({ length: 3_500 }, (_, row) => ({ _id: `${alertId}/${String(row)}`, alertId }));
    for (const collection of RELATED)
      await connection.collection<{ _id: string; alertId: string }>(collection).insertMany(history);
    await connection.createCollection('system.profile', { capped: true, size: 4_000_000 });
    await connection.db?.command({ profile: 2 });
    expect(await removeAll(retained, kind, NOW)).toBe(1);
    await connection.db?.command({ profile: 0 });
    const deletes = await connection.collection('system.profile').find({ op: 'remove' }).toArray();
    const batches = deletes.map(({ ndeleted }) => Number(ndeleted));
    expect(batches.reduce((sum, rows) => sum + rows, 0)).toBeGreaterThan(2 * history.length);
    expect(Math.max(...batches)).toBe(1_000);
    expect([await count('alert_logs'), await count('alert_notes')]).toEqual([0, 0]);
  });

  it("is removed by the service's clock alone, and open alerts are not in the index of closed ones", async () => {
    const { connection } = await open();
    const indexesOf = (collection: string) => connection.collection(collection).indexes();
    expect((await indexesOf('request_statuses')).filter((index) => 'expireAfterSeconds' in index)).toEqual([]);
    expect((await indexesOf('alerts')).find(({ name }) => name === 'closedAt_1')).toMatchObject({
      partialFilterExpression: { status: 'closed' },
    });
  });
});
