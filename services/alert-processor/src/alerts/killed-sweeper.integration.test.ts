import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Connection } from '@tocsin/mongo';
import { deathOf, testMongo, type PointOfDeath } from '@tocsin/testkit';
import { byAlias, byId, close, create, order } from '../testing/commands-samples.ts';
import { KEPT } from './retention.ts';
import type { KilledSweeper } from '../testing/killed-sweeper.ts';
import { mongoStorage, openDatabase } from '../testing/mongo-fixture.ts';
import { openWith } from '../testing/open-storage.ts';
import { removeAll } from '../testing/retention-samples.ts';

const SWEEPER = fileURLToPath(new URL('../testing/killed-sweeper.ts', import.meta.url));
const NOW = new Date('2027-06-01T00:00:00.000Z');
const RELATED = ['alert_logs', 'alert_notes'];
const opened: Connection[] = [];

afterAll(async () => {
  for (const connection of opened) {
    await connection.dropDatabase();
    await connection.close();
  }
});

/** Five alerts: three are closed, one is open, one is deleted. All have a note. */
async function open() {
  const connection = await openDatabase();
  opened.push(connection);
  const storage = await openWith(() => Promise.resolve(mongoStorage(connection)));
  const creates = ['a', 'b', 'c', 'open', 'deleted'].map((alias) => create(alias, { note: 'n' }));
  await storage.apply(...creates, ...['a', 'b', 'c'].map((alias) => close(byAlias(alias))));
  await storage.apply(order(byId(creates.at(-1)?.alert.alertId ?? ''), { kind: 'delete' }));
  return { ...storage, connection };
}

async function sweepUntilDeath(connection: Connection, dieAt: PointOfDeath): Promise<unknown> {
  const { uri: mongoUri } = await testMongo();
  const options: KilledSweeper = { mongoUri, database: connection.name, until: NOW.toISOString(), dieAt };
  const sweeper = spawn(process.execPath, ['--conditions=source', SWEEPER, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return (await deathOf(sweeper, connection)).signal;
}

const idsIn = async (connection: Connection, collection: string, field: string): Promise<readonly unknown[]> =>
  connection.collection(collection).distinct(field);

describe('a sweep that is killed', () => {
  it.each<readonly [string, PointOfDeath]>([
    ['it has found due work', { when: 'after', command: 'find', collection: 'alerts' }],
    ['the logs are gone', { when: 'after', command: 'delete', collection: 'alert_logs' }],
    ['the notes are gone', { when: 'after', command: 'delete', collection: 'alert_notes' }],
    ['its transaction has deleted the alerts', { when: 'after', command: 'delete', collection: 'alerts' }],
    ['their ids are written', { when: 'after', command: 'update', collection: 'removed_alerts' }],
    ['all is ready to be committed', { when: 'before', command: 'commitTransaction' }],
    ['the alerts are gone', { when: 'after', command: 'commitTransaction' }],
    ['statuses are gone', { when: 'after', command: 'delete', collection: 'request_statuses' }],
    ['removals are forgotten', { when: 'after', command: 'delete', collection: 'removed_alerts' }],
  ])('once %s leaves no row without its alert, and the next sweep finishes it', async (_, dieAt) => {
    const { connection, retained, reader } = await open();
    expect(await sweepUntilDeath(connection, dieAt)).toBe('SIGKILL');
    const alerts = new Set(await idsIn(connection, 'alerts', '_id'));
    for (const collection of RELATED)
      for (const id of await idsIn(connection, collection, 'alertId')) expect(alerts).toContain(id);

    for (const kind of KEPT) await removeAll(retained, kind, NOW);
    const { id } = (await reader.find(byAlias('open'))) ?? {};
    expect(await idsIn(connection, 'alerts', '_id')).toEqual([id]);
    for (const collection of RELATED) expect(await idsIn(connection, collection, 'alertId')).toEqual([id]);
    for (const collection of ['request_statuses', 'removed_alerts'])
      expect(await idsIn(connection, collection, '_id')).toEqual([]);
  });
});
