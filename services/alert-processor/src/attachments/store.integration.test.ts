import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import { TooLargeError, UnavailableError } from '@tocsin/core';
import type { Connection } from '@tocsin/mongo';
import { eventually, testMongo } from '@tocsin/testkit';
import { byAlias, create, order } from '../testing/commands-samples.ts';
import { attachmentEntry } from './attachment.ts';
import type { LogEntry } from '../alert-log/entry.ts';
import { AttachmentStore, type IncomingFile } from './store.ts';
import { mongoStorage, openDatabase } from '../testing/mongo-fixture.ts';
import { openWith, type AlertStorage } from '../testing/open-storage.ts';

/** The files and the alerts of one database. */
interface FileStorage extends AlertStorage {
  readonly files: AttachmentStore;
}

const at = (second: number): Date => new Date(Date.UTC(2026, 0, 6, 8, 0, second));
const MOST = 100;
const MIB = 1_048_576;

async function* inPieces(bytes: Uint8Array, size = 70_000): AsyncGenerator<Uint8Array, void> {
  for (let from = 0; from < bytes.length; from += size) yield await Promise.resolve(bytes.subarray(from, from + size));
}

const file = (bytes: Uint8Array, name = 'a.txt'): IncomingFile => ({
  name,
  type: 'text/plain',
  bytes: inPieces(bytes),
});

/** The log entry of a file that was added or removed. */
const entry = (what: 'added' | 'removed', id: number, alertId: string): LogEntry =>
  attachmentEntry({
    what,
    file: { id, name: 'a.txt' },
    alertId,
    by: 'Ada',
    at: at(1),
    integration: { name: 'Default API', type: 'API' },
  });

async function whole(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const KILLED = fileURLToPath(new URL('../testing/killed-keeper.ts', import.meta.url));
const opened: Connection[] = [];

async function open(): Promise<FileStorage & { readonly connection: Connection }> {
  const connection = await openDatabase();
  opened.push(connection);
  return { ...mongoStorage(connection), files: new AttachmentStore(connection), connection };
}

afterAll(async () => {
  for (const connection of opened) {
    await connection.dropDatabase();
    await connection.close();
  }
});

/** A storage with one alert, `disk`. */
async function withAlert() {
  const storage = await open();
  const { apply } = await openWith(() => Promise.resolve(storage));
  const command = create('disk');
  await apply(command);
  const { alertId } = command.alert;
  const logs = async () =>
    (
      await storage.reader.logs({
        alertId,
        order: 'asc',
        after: undefined,
        limit: 100,
      })
    ).map(({ log }) => log);
  return { ...storage, apply, alertId, logs };
}

describe('the store of files', () => {
  it.each([0, 1, MIB - 1, MIB, MIB + 1, 5_000_000])('gives back %d bytes', async (length) => {
    const { files, alertId } = await withAlert();
    const bytes = randomBytes(length);
    const id = await files.keep(file(bytes), at(9));
    expect(await files.attach(id, entry('added', id, alertId), MOST)).toBe('attached');
    const found = await files.find(id);
    expect(found).toEqual({
      id,
      alertId,
      name: 'a.txt',
      type: 'text/plain',
      length,
    });
    expect((await whole(files.read(found ?? { id, alertId, name: '', type: '', length }))).equals(bytes)).toBe(true);
  });

  it('knows how much the files of mails take, by integration, until they are removed', async () => {
    const { files, alertId } = await withAlert();
    const keep = (bytes: number, integrationId?: string) =>
      files.keep(
        {
          ...file(randomBytes(bytes)),
          ...(integrationId !== undefined && { integrationId }),
        },
        at(9),
      );
    const kept = [await keep(5_000, 'a'), await keep(10, 'a'), await keep(2_000, 'b'), await keep(9_000)];
    const [first = 0] = kept;
    await files.attach(first, entry('added', first, alertId), MOST);
    expect(new Map(await files.mailBytes(1_000))).toEqual(
      new Map([
        ['a', 6_000],
        ['b', 2_000],
      ]),
    );
    await files.sweep(at(9), 10);
    expect(new Map(await files.mailBytes(1_000))).toEqual(new Map([['a', 5_000]]));
  });

  it('assigns increasing ids', async () => {
    const { files } = await withAlert();
    const ids = [await files.keep(file(Buffer.of(1)), at(9)), await files.keep(file(Buffer.of(1)), at(9))];
    expect(ids).toEqual([1, 2]);
  });

  it('stores nothing of a file whose bytes end with an error', async () => {
    const { files } = await withAlert();
    async function* tooMany(): AsyncGenerator<Uint8Array, void> {
      yield await Promise.resolve(randomBytes(700_000));
      throw new TooLargeError('Too large.');
    }
    const keeping = files.keep({ name: 'a', type: 'b', bytes: tooMany() }, at(9));
    await expect(keeping).rejects.toBeInstanceOf(TooLargeError);
    expect([await files.due(at(59)), await files.nextDueAt()]).toEqual([0, undefined]);
  });

  it('attaches and detaches once each, with a log entry', async () => {
    const { files, alertId, logs, reader } = await withAlert();
    const id = await files.keep(file(Buffer.of(1)), at(9));
    expect(await files.find(id)).toBeUndefined();
    expect(await files.detach(id, entry('removed', id, alertId))).toBe(false);
    expect(await files.attach(id, entry('added', id, alertId), MOST)).toBe('attached');
    expect(await files.attach(id, entry('added', id, alertId), MOST)).toBe('gone');
    expect(await files.listOf(alertId)).toMatchObject([{ id }]);
    expect(await files.detach(id, entry('removed', id, 'another'))).toBe(false);
    expect(await files.detach(id, entry('removed', id, alertId))).toBe(true);
    expect(await files.detach(id, entry('removed', id, alertId))).toBe(false);
    expect(await files.listOf(alertId)).toEqual([]);
    expect((await logs()).slice(1)).toEqual([entry('added', id, '').log, entry('removed', id, '').log]);
    expect(await reader.find(byAlias('disk'))).toMatchObject({
      updatedAt: at(1),
      version: 1,
    });
  });

  it('refuses to attach to an alert that does not exist, or that is full', async () => {
    const { files, alertId, logs } = await withAlert();
    const [one, other] = [await files.keep(file(Buffer.of(1)), at(9)), await files.keep(file(Buffer.of(1)), at(9))];
    expect(await files.attach(one, entry('added', one, 'none'), MOST)).toBe('no-alert');
    expect(await files.attach(one, entry('added', one, alertId), 1)).toBe('attached');
    expect(await files.attach(other, entry('added', other, alertId), 1)).toBe('full');
    expect(await logs()).toHaveLength(2);
  });

  it('attaches kept files, and no others, to the alerts of creates', async () => {
    const { files, apply, alertId, logs } = await withAlert();
    const [one, other] = [await files.keep(file(Buffer.of(1)), at(9)), await files.keep(file(Buffer.of(1)), at(9))];
    const second = create('fan', {
      alert: { attachments: [String(one), String(other), 'x'] },
    });
    await apply(create('disk', { alert: { attachments: [String(one)] } }), second);
    expect(await files.listOf(alertId)).toMatchObject([{ id: one }]);
    expect(await files.listOf(second.alert.alertId)).toMatchObject([{ id: other }]);
    expect(await logs()).toContain('Attachment [a.txt] added via API[Default API-Create Alert]');
    expect(await files.sweep(at(59), 10)).toBe(0);
  });

  it('releases files at once if their create is dropped, or their alert deleted in the same batch', async () => {
    const { files, apply } = await withAlert();
    const ids: number[] = [];
    for (let count = 0; count < 3; count += 1) ids.push(await files.keep(file(Buffer.of(1)), at(9)));
    const [dropped = 0, deleted = 0, kept = 0] = ids;
    const bringing = (id: number) => ({
      alert: { attachments: [String(id), 'x'] },
    });
    await apply(create('x', { dropped: 'ignored', ...bringing(dropped) }));
    await apply(create('y', bringing(deleted)), order(byAlias('y'), { kind: 'delete' }));
    expect([await files.due(at(8)), await files.sweep(at(8), 10), await files.due(at(8))]).toEqual([2, 2, 0]);
    const late = create('z', { alert: { attachments: ids.map(String) } });
    await apply(late);
    expect(await files.listOf(late.alert.alertId)).toMatchObject([{ id: kept }]);
  });

  it('attaches no file that a dropped create released, even before a sweep has removed it', async () => {
    const { files, apply, alertId } = await withAlert();
    const id = await files.keep(file(Buffer.of(1)), at(9));
    await apply(create('x', { dropped: 'ignored', alert: { attachments: [String(id)] } }));
    await apply(create('disk', { alert: { attachments: [String(id)] } }));
    expect(await files.attach(id, entry('added', id, alertId), MOST)).toBe('gone');
    expect([await files.listOf(alertId), await files.sweep(at(1), 10)]).toEqual([[], 1]);
  });

  it('leaves an alert its files if a dropped create names them', async () => {
    const { files, apply, alertId } = await withAlert();
    const [one, other] = [await files.keep(file(Buffer.of(1)), at(9)), await files.keep(file(Buffer.of(1)), at(9))];
    const bringing = { alert: { attachments: [one, other].map(String) } };
    await files.attach(one, entry('added', one, alertId), MOST);
    await apply(create('x', { dropped: 'ignored', ...bringing }), create('disk', bringing));
    expect(await files.listOf(alertId)).toMatchObject([{ id: one }, { id: other }]);
    expect(await files.sweep(at(59), 10)).toBe(0);
  });

  it('sweeps files without an alert at their time, removed files and files of deleted alerts at once', async () => {
    const { files, apply, alertId } = await withAlert();
    const ids: number[] = [];
    for (let count = 0; count < 4; count += 1) ids.push(await files.keep(file(Buffer.of(1)), at(10 + count)));
    const [one = 0, two = 0, three = 0] = ids;
    for (const id of [one, two]) await files.attach(id, entry('added', id, alertId), MOST);
    expect([await files.due(at(9)), await files.nextDueAt()]).toEqual([0, at(12)]);
    await files.detach(one, entry('removed', one, alertId));
    expect([await files.due(at(9)), await files.sweep(at(9), 10)]).toEqual([1, 1]);
    await apply(order(byAlias('disk'), { kind: 'delete' }));
    expect([await files.find(two), await files.sweep(at(9), 10)]).toEqual([undefined, 1]);
    expect([await files.sweep(at(12), 10), await files.attach(three, entry('added', three, alertId), MOST)]).toEqual([
      1,
      'gone',
    ]);
    expect([await files.sweep(at(13), 10), await files.sweep(at(59), 10), await files.nextDueAt()]).toEqual([
      ...[1, 0, undefined],
    ]);
  });

  it('sweeps in batches', async () => {
    const { files } = await withAlert();
    for (let count = 0; count < 3; count += 1) await files.keep(file(Buffer.of(1)), at(10));
    expect([await files.sweep(at(10), 2), await files.sweep(at(10), 2)]).toEqual([2, 1]);
  });

  it('discards a kept file, but not an attached one', async () => {
    const { files, alertId } = await withAlert();
    const [one, other] = [await files.keep(file(Buffer.of(1)), at(9)), await files.keep(file(Buffer.of(1)), at(9))];
    await files.attach(one, entry('added', one, alertId), MOST);
    await files.discard(one);
    await files.discard(other);
    expect(await files.listOf(alertId)).toMatchObject([{ id: one }]);
    expect(await files.due(at(59))).toBe(0);
  });
});

/** The numbers of rows, files and chunks. */
async function counted(connection: Connection): Promise<readonly number[]> {
  const names = ['attachments', 'attachment_bytes.files', 'attachment_bytes.chunks'];
  return Promise.all(names.map((name) => connection.collection(name).countDocuments()));
}

describe('files in MongoDB', () => {
  it('keep nothing of a file that was cut short, was swept, or was deleted with its alert', async () => {
    const { files, connection, ...storage } = await open();
    const { apply } = await openWith(() => Promise.resolve({ ...storage, files }));
    const command = create('disk');
    await apply(command);
    async function* broken(): AsyncGenerator<Uint8Array, void> {
      yield* inPieces(randomBytes(2_500_000));
      throw new UnavailableError('The caller left.');
    }
    await expect(files.keep({ name: 'a', type: 'b', bytes: broken() }, at(9))).rejects.toThrow('left');
    expect(await counted(connection)).toEqual([0, 0, 0]);
    const [id] = [await files.keep(file(randomBytes(2_500_000)), at(9)), await files.keep(file(randomBytes(9)), at(9))];
    await files.attach(id, entry('added', id, command.alert.alertId), 100);
    expect(await counted(connection)).toEqual([2, 2, 4]);
    await apply(order(byAlias('disk'), { kind: 'delete' }));
    expect(await files.sweep(at(9), 100)).toBe(2);
    expect(await counted(connection)).toEqual([0, 0, 0]);
  });

  it('give a file to one alert if several want it, and no alert more than its limit', async () => {
    const { files, ...storage } = await open();
    const { apply } = await openWith(() => Promise.resolve({ ...storage, files }));
    const commands = [create('one'), create('two')];
    await apply(...commands);
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
    const { apply } = await openWith(() => Promise.resolve({ ...storage, files }));
    for (let round = 0; round < 10; round += 1) {
      const command = create(`disk-${String(round)}`);
      await apply(command);
      const { alertId } = command.alert;
      const id = await files.keep(file(Buffer.of(1)), at(9));
      const [outcome] = await Promise.all([
        files.attach(id, entry('added', id, alertId), 100),
        apply(order({ type: 'id', value: alertId }, { kind: 'delete' })),
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
    const { apply } = await openWith(() => Promise.resolve({ ...storage, files }));
    for (let round = 0; round < 10; round += 1) {
      const id = await files.keep(file(Buffer.of(1)), at(9));
      const command = create(`disk-${String(round)}`, { alert: { attachments: [String(id)] } });
      const sweeping = [files.sweep(at(9), 100), files.sweep(at(9), 100)];
      await Promise.all([...sweeping, apply(command)]);
      const listed = await files.listOf(command.alert.alertId);
      const bytes = await connection
        .collection<{ files_id: number }>('attachment_bytes.chunks')
        .countDocuments({ files_id: id });
      expect(listed.length).toBe(bytes);
    }
  });

  it('are released by the batch that drops their create, once it is committed', async () => {
    const { files, connection, ...storage } = await open();
    const { applyAt } = await openWith(() => Promise.resolve({ ...storage, files }));
    const id = await files.keep(file(Buffer.of(1)), at(9));
    const commands = [create('disk', { dropped: 'ignored', alert: { attachments: [String(id)] } })];
    const statusesAre = (validator: object) =>
      connection.db?.command({ collMod: 'request_statuses', validator, validationLevel: 'strict' });
    await statusesAre({ _id: 'none' });
    expect((await applyAt(0, commands)).outcome).not.toBe('done');
    expect(await files.due(at(8))).toBe(0);
    await statusesAre({});
    for (let times = 0; times < 2; times += 1)
      expect([(await applyAt(0, commands)).outcome, await files.due(at(8))]).toEqual(['done', 1]);
    expect([await files.sweep(at(8), 10), await counted(connection)]).toEqual([1, [0, 0, 0]]);
  });

  it('whose bytes are complete, but not marked as such, can not be attached', async () => {
    const { files, connection, ...storage } = await open();
    const { apply } = await openWith(() => Promise.resolve({ ...storage, files }));
    const id = await files.keep(file(randomBytes(2_500_000)), at(9));
    // A process that dies after the last byte leaves them like this.
    await connection.collection('attachments').updateOne({}, { $set: { state: 'arriving', length: 0 } });
    const command = create('disk', { alert: { attachments: [String(id)] } });
    await apply(command);
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
