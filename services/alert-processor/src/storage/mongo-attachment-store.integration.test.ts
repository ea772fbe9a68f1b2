import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/errors';
import type { Connection } from '@tocsin/persistence';
import { eventually, testMongo } from '@tocsin/testing';
import { byAlias, create, order } from '../testing/commands-samples.ts';
import { at, describeAttachmentStore, entry, file, inPieces, type FileStorage } from './attachment-store.contract.ts';
import { MongoAttachmentStore } from './mongo-attachment-store.ts';
import { mongoStorage, openDatabase } from '../testing/mongo-fixture.ts';
import { openWith } from '../testing/open-storage.ts';

const KILLED = fileURLToPath(new URL('../testing/killed-keeper.ts', import.meta.url));
const opened: Connection[] = [];

async function open(): Promise<FileStorage & { readonly connection: Connection }> {
  const connection = await openDatabase();
  opened.push(connection);
  return { ...mongoStorage(connection), files: new MongoAttachmentStore(connection), connection };
}

afterAll(async () => {
  for (const connection of opened) {
    await connection.dropDatabase();
    await connection.close();
  }
});

describeAttachmentStore('MongoAttachmentStore', open);

/** The numbers of rows, files and chunks. */
async function counted(connection: Connection): Promise<readonly number[]> {
  const names = ['attachments', 'attachment_bytes.files', 'attachment_bytes.chunks'];
  return Promise.all(names.map((name) => connection.collection(name).countDocuments()));
}

describe('files in MongoDB', () => {
  it('leave nothing of a file that broke off, was swept, or was deleted with its alert', async () => {
    const { files, connection, ...storage } = await open();
    const { settle } = await openWith(() => Promise.resolve({ ...storage, files }));
    const command = create('disk');
    await settle(command);
    async function* broken(): AsyncGenerator<Uint8Array, void> {
      yield* inPieces(randomBytes(2_500_000));
      throw new UnavailableError('The caller left.');
    }
    await expect(files.keep({ name: 'a', type: 'b', bytes: broken() }, at(9))).rejects.toThrow('left');
    expect(await counted(connection)).toEqual([0, 0, 0]);
    const [id] = [await files.keep(file(randomBytes(2_500_000)), at(9)), await files.keep(file(randomBytes(9)), at(9))];
    await files.attach(id, entry('added', id, command.alert.alertId), 100);
    expect(await counted(connection)).toEqual([2, 2, 4]);
    await settle(order(byAlias('disk'), { kind: 'delete' }));
    expect(await files.sweep(at(9), 100)).toBe(2);
    expect(await counted(connection)).toEqual([0, 0, 0]);
  });

  it('give a file to one alert if several want it, and no alert more than its limit', async () => {
    const { files, ...storage } = await open();
    const { settle } = await openWith(() => Promise.resolve({ ...storage, files }));
    const commands = [create('one'), create('two')];
    await settle(...commands);
    const [one = '', two = ''] = commands.map(({ alert }) => alert.alertId);
    const id = await files.keep(file(Buffer.of(1)), at(9));
    const outcomes = await Promise.all([
      files.attach(id, entry('added', id, one), 100),
      files.attach(id, entry('added', id, two), 100),
    ]);
    expect(outcomes.sort()).toEqual(['attached', 'gone']);
    const ids = await Promise.all(Array.from({ length: 12 }, () => files.keep(file(Buffer.of(1)), at(9))));
    await Promise.all(ids.map((each) => files.attach(each, entry('added', each, one), 5)));
    expect(await files.listOf(one)).toHaveLength(5);
  });

  it('are attached completely or not at all if the alert is deleted at the same time', async () => {
    const { files, connection, ...storage } = await open();
    const { settle } = await openWith(() => Promise.resolve({ ...storage, files }));
    for (let round = 0; round < 10; round += 1) {
      const command = create(`disk-${String(round)}`);
      await settle(command);
      const { alertId } = command.alert;
      const id = await files.keep(file(Buffer.of(1)), at(9));
      const [outcome] = await Promise.all([
        files.attach(id, entry('added', id, alertId), 100),
        settle(order({ type: 'id', value: alertId }, { kind: 'delete' })),
      ]);
      expect(['attached', 'no-alert']).toContain(outcome);
      expect([await files.find(id), await connection.collection('alert_logs').countDocuments({ alertId })]).toEqual([
        undefined,
        0,
      ]);
    }
    await files.sweep(at(9), 100);
    expect(await counted(connection)).toEqual([0, 0, 0]);
  });

  it('are attached or swept, and never both', async () => {
    const { files, connection, ...storage } = await open();
    const { settle } = await openWith(() => Promise.resolve({ ...storage, files }));
    for (let round = 0; round < 10; round += 1) {
      const id = await files.keep(file(Buffer.of(1)), at(9));
      const command = create(`disk-${String(round)}`, { alert: { attachments: [String(id)] } });
      const sweeping = [files.sweep(at(9), 100), files.sweep(at(9), 100)];
      await Promise.all([...sweeping, settle(command)]);
      const listed = await files.listOf(command.alert.alertId);
      const bytes = await connection
        .collection<{ files_id: number }>('attachment_bytes.chunks')
        .countDocuments({ files_id: id });
      expect(listed.length).toBe(bytes);
    }
  });

  it('are released by the batch that drops their create, once it is committed', async () => {
    const { files, connection, ...storage } = await open();
    const { settleAt } = await openWith(() => Promise.resolve({ ...storage, files }));
    const id = await files.keep(file(Buffer.of(1)), at(9));
    const commands = [create('disk', { dropped: 'ignored', alert: { attachments: [String(id)] } })];
    const statusesAre = (validator: object) =>
      connection.db?.command({ collMod: 'request_statuses', validator, validationLevel: 'strict' });
    await statusesAre({ _id: 'none' });
    expect((await settleAt(0, commands)).outcome).not.toBe('done');
    expect(await files.due(at(8))).toBe(0);
    await statusesAre({});
    for (let times = 0; times < 2; times += 1)
      expect([(await settleAt(0, commands)).outcome, await files.due(at(8))]).toEqual(['done', 1]);
    expect([await files.sweep(at(8), 10), await counted(connection)]).toEqual([1, [0, 0, 0]]);
  });

  it('whose bytes are complete, but not marked as such, can not be attached', async () => {
    const { files, connection, ...storage } = await open();
    const { settle } = await openWith(() => Promise.resolve({ ...storage, files }));
    const id = await files.keep(file(randomBytes(2_500_000)), at(9));
    // A process that dies after the last byte leaves them like this.
    await connection.collection('attachments').updateOne({}, { $set: { state: 'arriving', length: 0 } });
    const command = create('disk', { alert: { attachments: [String(id)] } });
    await settle(command);
    expect(await files.attach(id, entry('added', id, command.alert.alertId), 100)).toBe('gone');
    expect([await files.listOf(command.alert.alertId), await files.sweep(at(9), 100)]).toEqual([[], 1]);
    expect(await counted(connection)).toEqual([0, 0, 0]);
  });

  it('of a process that was killed during the upload are swept after their time, and never found', async () => {
    const { files, connection } = await open();
    const { uri } = await testMongo();
    const keeper = spawn(process.execPath, ['--conditions=source', KILLED, uri, connection.name, at(9).toISOString()], {
      stdio: 'ignore',
    });
    await eventually(
      async () => {
        const [rows = 0, , chunks = 0] = await counted(connection);
        expect([rows, chunks > 2]).toEqual([1, true]);
      },
      { everyMs: 5 },
    );
    keeper.kill('SIGKILL');
    await once(keeper, 'exit');
    expect([await files.find(1), await files.sweep(at(8), 100)]).toEqual([undefined, 0]);
    expect(await files.sweep(at(9), 100)).toBe(1);
    expect(await counted(connection)).toEqual([0, 0, 0]);
  });
});
