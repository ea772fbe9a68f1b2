import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { TooLargeError } from '@tocsin/errors';
import { attachmentEntry } from '../domain/attachment.ts';
import { byAlias, create, order } from '../testing/commands-samples.ts';
import type { LogEntry } from '../domain/history.ts';
import type { AttachmentStore, IncomingFile } from '../ports/attachment-store.ts';
import { openWith, type AlertStorage } from '../testing/open-storage.ts';

/** The files and the alerts of one database. */
export interface FileStorage extends AlertStorage {
  readonly files: AttachmentStore;
}

export const at = (second: number): Date => new Date(Date.UTC(2026, 0, 6, 8, 0, second));
const MOST = 100;
const MIB = 1_048_576;

export async function* inPieces(bytes: Uint8Array, size = 70_000): AsyncGenerator<Uint8Array, void> {
  for (let from = 0; from < bytes.length; from += size) yield await Promise.resolve(bytes.subarray(from, from + size));
}

export const file = (bytes: Uint8Array, name = 'a.txt'): IncomingFile => ({
  name,
  type: 'text/plain',
  bytes: inPieces(bytes),
});

/** The log entry of a file that was added or removed. */
export const entry = (what: 'added' | 'removed', id: number, alertId: string): LogEntry =>
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

/** The contract of every store of files. */
export function describeAttachmentStore(name: string, make: () => Promise<FileStorage>): void {
  /** A storage with one alert, `disk`. */
  async function open() {
    const storage = await make();
    const { settle } = await openWith(() => Promise.resolve(storage));
    const command = create('disk');
    await settle(command);
    const { alertId } = command.alert;
    const logs = async () =>
      (await storage.reader.logs({ alertId, order: 'asc', after: undefined, limit: 100 })).map(({ log }) => log);
    return { ...storage, settle, alertId, logs };
  }

  describe(`${name} as a store of files`, () => {
    it.each([0, 1, MIB - 1, MIB, MIB + 1, 5_000_000])('gives back %d bytes', async (length) => {
      const { files, alertId } = await open();
      const bytes = randomBytes(length);
      const id = await files.keep(file(bytes), at(9));
      expect(await files.attach(id, entry('added', id, alertId), MOST)).toBe('attached');
      const found = await files.find(id);
      expect(found).toEqual({ id, alertId, name: 'a.txt', type: 'text/plain', length });
      expect((await whole(files.read(found ?? { id, alertId, name: '', type: '', length }))).equals(bytes)).toBe(true);
    });

    it('knows how much the files of mails take, by integration, until they are removed', async () => {
      const { files, alertId } = await open();
      const keep = (bytes: number, integrationId?: string) =>
        files.keep({ ...file(randomBytes(bytes)), ...(integrationId !== undefined && { integrationId }) }, at(9));
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
      const { files } = await open();
      const ids = [await files.keep(file(Buffer.of(1)), at(9)), await files.keep(file(Buffer.of(1)), at(9))];
      expect(ids).toEqual([1, 2]);
    });

    it('keeps nothing of a file whose bytes end with an error', async () => {
      const { files } = await open();
      async function* tooMany(): AsyncGenerator<Uint8Array, void> {
        yield await Promise.resolve(randomBytes(700_000));
        throw new TooLargeError('Too large.');
      }
      const keeping = files.keep({ name: 'a', type: 'b', bytes: tooMany() }, at(9));
      await expect(keeping).rejects.toBeInstanceOf(TooLargeError);
      expect([await files.due(at(59)), await files.nextDueAt()]).toEqual([0, undefined]);
    });

    it('attaches and detaches once each, with a log entry', async () => {
      const { files, alertId, logs, reader } = await open();
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
      expect(await reader.find(byAlias('disk'))).toMatchObject({ updatedAt: at(1), version: 1 });
    });

    it('refuses to attach to an alert that does not exist, or that is full', async () => {
      const { files, alertId, logs } = await open();
      const [one, other] = [await files.keep(file(Buffer.of(1)), at(9)), await files.keep(file(Buffer.of(1)), at(9))];
      expect(await files.attach(one, entry('added', one, 'none'), MOST)).toBe('no-alert');
      expect(await files.attach(one, entry('added', one, alertId), 1)).toBe('attached');
      expect(await files.attach(other, entry('added', other, alertId), 1)).toBe('full');
      expect(await logs()).toHaveLength(2);
    });

    it('attaches kept files, and no others, to the alerts of creates', async () => {
      const { files, settle, alertId, logs } = await open();
      const [one, other] = [await files.keep(file(Buffer.of(1)), at(9)), await files.keep(file(Buffer.of(1)), at(9))];
      const second = create('fan', { alert: { attachments: [String(one), String(other), 'x'] } });
      await settle(create('disk', { alert: { attachments: [String(one)] } }), second);
      expect(await files.listOf(alertId)).toMatchObject([{ id: one }]);
      expect(await files.listOf(second.alert.alertId)).toMatchObject([{ id: other }]);
      expect(await logs()).toContain('Attachment [a.txt] added via API[Default API-Create Alert]');
      expect(await files.sweep(at(59), 10)).toBe(0);
    });

    it('releases files at once if their create is dropped, or their alert deleted in the same batch', async () => {
      const { files, settle } = await open();
      const ids: number[] = [];
      for (let count = 0; count < 3; count += 1) ids.push(await files.keep(file(Buffer.of(1)), at(9)));
      const [dropped = 0, deleted = 0, kept = 0] = ids;
      const bringing = (id: number) => ({ alert: { attachments: [String(id), 'x'] } });
      await settle(create('x', { dropped: 'ignored', ...bringing(dropped) }));
      await settle(create('y', bringing(deleted)), order(byAlias('y'), { kind: 'delete' }));
      expect([await files.due(at(8)), await files.sweep(at(8), 10), await files.due(at(8))]).toEqual([2, 2, 0]);
      const late = create('z', { alert: { attachments: ids.map(String) } });
      await settle(late);
      expect(await files.listOf(late.alert.alertId)).toMatchObject([{ id: kept }]);
    });

    it('attaches no file that a dropped create released, even before a sweep has removed it', async () => {
      const { files, settle, alertId } = await open();
      const id = await files.keep(file(Buffer.of(1)), at(9));
      await settle(create('x', { dropped: 'ignored', alert: { attachments: [String(id)] } }));
      await settle(create('disk', { alert: { attachments: [String(id)] } }));
      expect(await files.attach(id, entry('added', id, alertId), MOST)).toBe('gone');
      expect([await files.listOf(alertId), await files.sweep(at(1), 10)]).toEqual([[], 1]);
    });

    it('leaves an alert its files if a dropped create names them', async () => {
      const { files, settle, alertId } = await open();
      const [one, other] = [await files.keep(file(Buffer.of(1)), at(9)), await files.keep(file(Buffer.of(1)), at(9))];
      const bringing = { alert: { attachments: [one, other].map(String) } };
      await files.attach(one, entry('added', one, alertId), MOST);
      await settle(create('x', { dropped: 'ignored', ...bringing }), create('disk', bringing));
      expect(await files.listOf(alertId)).toMatchObject([{ id: one }, { id: other }]);
      expect(await files.sweep(at(59), 10)).toBe(0);
    });

    it('sweeps files without an alert at their time, removed files and files of deleted alerts at once', async () => {
      const { files, settle, alertId } = await open();
      const ids: number[] = [];
      for (let count = 0; count < 4; count += 1) ids.push(await files.keep(file(Buffer.of(1)), at(10 + count)));
      const [one = 0, two = 0, three = 0] = ids;
      for (const id of [one, two]) await files.attach(id, entry('added', id, alertId), MOST);
      expect([await files.due(at(9)), await files.nextDueAt()]).toEqual([0, at(12)]);
      await files.detach(one, entry('removed', one, alertId));
      expect([await files.due(at(9)), await files.sweep(at(9), 10)]).toEqual([1, 1]);
      await settle(order(byAlias('disk'), { kind: 'delete' }));
      expect([await files.find(two), await files.sweep(at(9), 10)]).toEqual([undefined, 1]);
      expect([await files.sweep(at(12), 10), await files.attach(three, entry('added', three, alertId), MOST)]).toEqual([
        1,
        'gone',
      ]);
      expect([await files.sweep(at(13), 10), await files.sweep(at(59), 10), await files.nextDueAt()]).toEqual([
        ...[1, 0, undefined],
      ]);
    });

    it('sweeps in lots', async () => {
      const { files } = await open();
      for (let count = 0; count < 3; count += 1) await files.keep(file(Buffer.of(1)), at(10));
      expect([await files.sweep(at(10), 2), await files.sweep(at(10), 2)]).toEqual([2, 1]);
    });

    it('discards a kept file, but not an attached one', async () => {
      const { files, alertId } = await open();
      const [one, other] = [await files.keep(file(Buffer.of(1)), at(9)), await files.keep(file(Buffer.of(1)), at(9))];
      await files.attach(one, entry('added', one, alertId), MOST);
      await files.discard(one);
      await files.discard(other);
      expect(await files.listOf(alertId)).toMatchObject([{ id: one }]);
      expect(await files.due(at(59))).toBe(0);
    });
  });
}
