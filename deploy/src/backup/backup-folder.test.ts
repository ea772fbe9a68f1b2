import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  addChangeSet,
  beginBackup,
  changesFile,
  chosenMoment,
  copyFile,
  endBackup,
  hasManifest,
  readBackup,
  verifyFiles,
  type ChangeSet,
  type Manifest,
} from './backup-folder.ts';
import { writeRecords } from './records.ts';

const ID = '5f0c7f5e-7d5c-4d0e-9d2e-0d7f6f3f9a01';
const OTHER_ID = '5f0c7f5e-7d5c-4d0e-9d2e-0d7f6f3f9a02';
const START = Date.parse('2026-03-02T08:00:00Z') / 1_000;

const USERS = { name: 'users', uuid: '5f0c7f5e-7d5c-4d0e-9d2e-0d7f6f3f9a03', options: {}, indexes: [] };

let folder: string;
beforeEach(() => {
  folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'tocsin-backup-')), 'monday');
});
afterEach(() => {
  fs.rmSync(path.dirname(folder), { recursive: true });
});

async function* documents(count: number): AsyncGenerator<{ readonly _id: number }> {
  for (let index = 0; index < count; index += 1) yield await Promise.resolve({ _id: index });
}

async function add(sequence: number, change: Partial<ChangeSet> = {}): Promise<void> {
  const content = await writeRecords(folder, changesFile(String(sequence)), documents(sequence));
  const through = { t: START + 10 * sequence, i: 1 };
  addChangeSet(folder, { format: 1, backup: ID, sequence, isExact: true, through, content, ...change });
}

async function manifestOf(id: string): Promise<Manifest> {
  const content = await writeRecords(folder, copyFile(id, 'directory', 'users'), documents(3));
  return {
    format: 1,
    id,
    tocsin: { version: '1.0.0' },
    databasePrefix: 'tocsin_',
    startedAt: '2026-03-02T08:00:00.000Z',
    moment: { t: START + 20, i: 1 },
    instant: '2026-03-02T08:00:21Z',
    databases: [{ service: 'directory', collections: [{ ...USERS, content }] }],
    changeSets: 2,
    kafka: { clusterIds: [], topics: [] },
  };
}

/** A backup of 08:00:21 with an archive to 08:00:41, whose set 3 is not exact. */
async function backUp(): Promise<void> {
  beginBackup(folder, ID);
  const manifest = await manifestOf(ID);
  await add(1);
  await add(2);
  endBackup(folder, manifest);
  await add(3, { isExact: false });
  await add(4);
}

/** Makes the process that writes the backup another one. */
const owner = (change: object): void => {
  rewrite(path.join(folder, 'unfinished.json'), change);
};

const changeFile = (sequence: number): string => path.join(folder, 'changes', `0000000${String(sequence)}.json`);

function rewrite(file: string, change: object): void {
  const value = JSON.parse(fs.readFileSync(file, 'utf8')) as object;
  fs.writeFileSync(file, JSON.stringify({ ...value, ...change }));
}

describe('a backup', () => {
  it('is whole only with its manifest, and one that was cut off is removed by the next one', async () => {
    expect(() => readBackup(folder)).toThrow('There is no folder');
    beginBackup(folder, ID);
    await add(1);
    expect(() => readBackup(folder)).toThrow('was cut off before its end');
    owner({ mark: 'of a process that had this id before' });
    await backUp();
    expect(readBackup(folder).changeSets).toHaveLength(4);
    expect(() => {
      beginBackup(folder, ID);
    }).toThrow('has a backup already');
  });

  it('is written by one process: no other one of its host begins, and what one of another host has written is its own', async () => {
    beginBackup(folder, ID);
    const manifest = await manifestOf(ID);
    await add(1);
    await add(2);
    expect(() => {
      beginBackup(folder, OTHER_ID);
    }).toThrow(`(process ${process.pid}) writes into`);
    owner({ host: 'another host' });
    beginBackup(folder, OTHER_ID);
    const other = await manifestOf(OTHER_ID);
    await add(1, { backup: OTHER_ID });
    await add(2, { backup: OTHER_ID });
    expect(() => {
      endBackup(folder, manifest);
    }).toThrow('so this backup is not whole');
    expect(hasManifest(folder)).toBe(false);
    endBackup(folder, other);
    expect(() => {
      endBackup(folder, manifest);
    }).toThrow('so this backup is not whole');
    const backup = readBackup(folder);
    expect(backup.manifest.id).toBe(OTHER_ID);
    await verifyFiles(backup, chosenMoment(backup, undefined));
  });

  it('has the names of its files and folders on the disk before that of its manifest', async () => {
    const opened = new Map<number, string>();
    const synced = new Set<string>();
    const { fsyncSync, openSync } = fs;
    jest.spyOn(fs, 'openSync').mockImplementation((name, ...options) => {
      const open = openSync(name, ...options);
      opened.set(open, String(name));
      return open;
    });
    jest.spyOn(fs, 'fsyncSync').mockImplementation((open) => {
      fsyncSync(open);
      synced.add(opened.get(open) ?? '');
    });
    try {
      beginBackup(folder, ID);
      const manifest = await manifestOf(ID);
      await add(1);
      await add(2);
      const copies = ['collections', `collections/${ID}`, `collections/${ID}/directory`];
      const folders = ['..', '.', 'changes', ...copies].map((name) => path.join(folder, name));
      expect([...synced]).toEqual(expect.arrayContaining(folders));
      synced.clear();
      endBackup(folder, manifest);
      expect([...synced]).toContain(folder);
    } finally {
      jest.restoreAllMocks();
    }
  });

  it('names files of its own folder alone, and no collection that a restore needs itself', async () => {
    await backUp();
    const manifest = await manifestOf(ID);
    const content = manifest.databases[0]?.collections[0]?.content;
    const files = [
      '../../../dev/zero',
      '/dev/zero',
      'collections/../../zero',
      'collections/.././zero',
      'manifest.json',
    ];
    const refused = [
      ...files.map((file) => ({ ...USERS, content: { ...content, file } })),
      ...['restores', 'leases', 'system.views'].map((name) => ({ ...USERS, name, content })),
    ];
    for (const collection of refused) {
      const databases = [{ service: 'directory', collections: [collection] }];
      rewrite(path.join(folder, 'manifest.json'), { databases });
      expect(() => readBackup(folder)).toThrow('manifest.json in');
    }
    rewrite(path.join(folder, 'manifest.json'), { databases: manifest.databases });
    expect(readBackup(folder).manifest).toEqual(manifest);
  });

  it('is not written into a folder with other things', () => {
    fs.mkdirSync(folder);
    expect(() => readBackup(folder)).toThrow('so it has no backup');
    fs.writeFileSync(path.join(folder, 'notes'), '');
    expect(() => {
      beginBackup(folder, ID);
    }).toThrow('is not empty');
    expect(fs.readdirSync(folder)).toEqual(['notes']);
  });

  it('can be read by its owner alone', async () => {
    await backUp();
    const modes = (fs.readdirSync(folder, { recursive: true }) as string[]).map(
      (name) => fs.statSync(path.join(folder, name)).mode & 0o077,
    );
    expect(new Set(modes)).toEqual(new Set([0]));
  });

  it.each([
    [undefined, 4],
    ['2026-03-02T08:00:21Z', 2],
    ['2026-03-02T08:00:40Z', 2],
    ['2026-03-02T08:00:41Z', 4],
  ])('is restored to %s by the sets up to %i', async (at, sequence) => {
    await backUp();
    expect(chosenMoment(readBackup(folder), at === undefined ? undefined : new Date(at)).sequence).toBe(sequence);
  });

  it.each([
    ['2026-03-02T08:00:20Z', 'The backup is of 2026-03-02T08:00:21Z'],
    ['2026-03-02T08:00:42Z', 'ends at 2026-03-02T08:00:41Z'],
  ])('is not restored to %s: %s', async (at, reason) => {
    await backUp();
    expect(() => chosenMoment(readBackup(folder), new Date(at))).toThrow(reason);
  });

  it('is restored only to instants before a gap of its archive', async () => {
    await backUp();
    fs.rmSync(changeFile(3));
    const backup = readBackup(folder);
    expect(() => chosenMoment(backup, undefined)).toThrow(/00000003.json is missing.* Give --at 2026-03-02T08:00:21Z/);
    expect(chosenMoment(backup, new Date('2026-03-02T08:00:21Z')).sequence).toBe(2);
    fs.rmSync(changeFile(2));
    expect(() => readBackup(folder)).toThrow('00000002.json, so the backup cannot be restored');
  });

  it('of another format, of another backup, or damaged is refused', async () => {
    await backUp();
    rewrite(changeFile(2), { backup: OTHER_ID });
    expect(() => readBackup(folder)).toThrow('belongs to another backup');
    rewrite(path.join(folder, 'manifest.json'), { changeSets: 'two' });
    expect(() => readBackup(folder)).toThrow('manifest.json in');
    rewrite(path.join(folder, 'manifest.json'), { format: 2 });
    expect(() => readBackup(folder)).toThrow('has format 2. This release reads format 1');
    fs.writeFileSync(path.join(folder, 'manifest.json'), '{');
    expect(() => readBackup(folder)).toThrow('it is not JSON');
  });

  it.each([`collections/${ID}/directory/users.bson.gz`, 'changes/2.bson.gz'])(
    'with a changed %s is refused',
    async (file) => {
      await backUp();
      const backup = readBackup(folder);
      const last = chosenMoment(backup, new Date('2026-03-02T08:00:21Z'));
      await verifyFiles(backup, last);
      const bytes = fs.readFileSync(path.join(folder, file));
      bytes[bytes.length - 5] = (bytes[bytes.length - 5] ?? 0) ^ 1;
      fs.writeFileSync(path.join(folder, file), bytes);
      await expect(verifyFiles(backup, last)).rejects.toThrow(`${file} in ${folder} is damaged`);
      fs.rmSync(path.join(folder, file));
      await expect(verifyFiles(backup, last)).rejects.toThrow(`${file} in ${folder} cannot be read`);
    },
  );

  it('is archived into by one process', async () => {
    await backUp();
    await expect(add(4)).rejects.toThrow('Another process archives changes');
  });
});
