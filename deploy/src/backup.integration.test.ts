import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectMongo, LEASES, Leases, requireNoRestore, RESTORES } from '@tocsin/mongo';
import { eventually, testDataFolder, testMongo } from '@tocsin/testkit';
import { mongo } from 'mongoose';
import { readBackup, type ChangeSet } from './backup/backup-folder.ts';
import type { ChangeRecord } from './backup/change-archive.ts';
import { instantOf } from './backup/cluster-time.ts';
import { HeldMarker } from './backup/marker.ts';
import { followChanges } from './backup/follow-changes.ts';
import { writeRecords } from './backup/records.ts';
import { restoreBackup } from './backup/restore-backup.ts';
import { takeBackup } from './backup/take-backup.ts';

const SCRIPTS = {
  backup: fileURLToPath(new URL('backup.ts', import.meta.url)),
  restore: fileURLToPath(new URL('restore.ts', import.meta.url)),
} as const;

let uri: string;
let ownPrefix: string;
let client: mongo.MongoClient;
let root: string;
let names = 0;

beforeAll(async () => {
  ({ uri, databasePrefix: ownPrefix } = await testMongo());
  client = new mongo.MongoClient(uri);
  root = await testDataFolder('tocsin-backups-');
});

afterAll(async () => {
  await client.close();
  fs.rmSync(root, { recursive: true });
});

/** A prefix of databases that no other test uses. */
const newPrefix = (): string => `${ownPrefix}${String((names += 1))}_`;
const newFolder = (): string => path.join(root, String((names += 1)));

/** A command as a process, which a test may kill. */
class Run {
  readonly child: ChildProcess;
  said = '';
  complained = '';
  readonly ended: Promise<number | null>;

  constructor(command: keyof typeof SCRIPTS, prefix: string, ...args: readonly string[]) {
    const flags = ['--conditions=source', '--disable-warning=ExperimentalWarning'];
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const child = spawn(process.execPath, [...flags, SCRIPTS[command], ...args], {
      env: { PATH, NODE_COMPILE_CACHE, MONGODB_URI: uri, MONGODB_DATABASE_PREFIX: prefix },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.setEncoding('utf8').on('data', (text: string) => (this.said += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (this.complained += text));
    this.child = child;
    this.ended = once(child, 'close').then(() => child.exitCode);
  }

  async hasSaid(text: string): Promise<void> {
    await eventually(() => {
      if (!this.said.includes(text)) throw new Error(`It said ${this.said} ${this.complained}`);
    });
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }
}

const quiet = { startedAt: new Date('2026-03-02T08:00:00Z'), say: () => undefined };

const take = (databasePrefix: string, folder: string): Promise<unknown> =>
  takeBackup({ ...quiet, place: { uri, databasePrefix }, folder });

async function restore(
  databasePrefix: string,
  folder: string,
  options: { at?: Date; replaces?: boolean } = {},
): Promise<void> {
  const { at, replaces = false } = options;
  const backup = readBackup(folder);
  await restoreBackup({ ...quiet, place: { uri, databasePrefix }, backup, at, replaces });
}

interface Account {
  readonly _id: string;
  readonly amount: number;
}

const accounts = (prefix: string, service: string): mongo.Collection<Account> =>
  client.db(`${prefix}${service}`).collection<Account>('accounts');

/** Two databases, and a client that moves amounts between them, each in one transaction. */
class Bank {
  readonly prefix = newPrefix();
  #isOpen = true;
  #moving: Promise<void> = Promise.resolve();
  /** How many amounts were moved. */
  moves = 0;

  async open(documents = 20): Promise<this> {
    for (const service of ['directory', 'notifier']) {
      const rows = Array.from({ length: documents }, (_, index) => ({ _id: `account ${index}`, amount: 0 }));
      await accounts(this.prefix, service).insertMany(rows);
      await accounts(this.prefix, service).createIndexes([{ key: { amount: 1 }, name: 'by_amount' }]);
    }
    return this;
  }

  startMoving(): void {
    this.#moving = this.#move();
  }

  async stopMoving(): Promise<void> {
    this.#isOpen = false;
    await this.#moving;
  }

  async #move(): Promise<void> {
    const session = client.startSession();
    for (; this.#isOpen; this.moves += 1) {
      const row = `account ${this.moves % 20}`;
      const made = `made ${this.moves}`;
      await session.withTransaction(async () => {
        await accounts(this.prefix, 'directory').updateOne({ _id: row }, { $inc: { amount: -1 } }, { session });
        await accounts(this.prefix, 'notifier').updateOne({ _id: row }, { $inc: { amount: 1 } }, { session });
        await accounts(this.prefix, 'notifier').insertOne({ _id: made, amount: 0 }, { session });
        const old = { _id: `made ${this.moves - 5}` };
        await accounts(this.prefix, 'notifier').deleteOne(old, { session });
      });
    }
    await session.endSession();
  }
}

const sumOf = (rows: readonly Account[]): number => rows.reduce((sum, { amount }) => sum + amount, 0);

/** What a bank holds: how much was moved, and whether any transaction is there in part. */
async function stateOf(prefix: string) {
  const gave = await accounts(prefix, 'directory').find().toArray();
  const got = await accounts(prefix, 'notifier').find().toArray();
  const made = got.flatMap(({ _id }) => (_id.startsWith('made ') ? [Number(_id.slice(5))] : [])).sort((a, b) => a - b);
  const moved = sumOf(got);
  return { moved, isWhole: moved === -sumOf(gave) && made.at(-1) === moved - 1 && made.length === Math.min(moved, 5) };
}

describe('npm run backup', () => {
  it('has all databases at one moment while transactions change them, and restores them with indexes and types', async () => {
    const bank = await new Bank().open(2_000);
    const kinds = { _id: 'kinds', double: new mongo.Double(1), long: mongo.Long.fromNumber(2), at: new Date(3) };
    await client.db(`${bank.prefix}scheduling`).collection<{ _id: string }>('others').insertOne(kinds);
    bank.startMoving();
    await eventually(() => {
      expect(bank.moves).toBeGreaterThan(5);
    });
    const folder = newFolder();
    const before = bank.moves;
    await take(bank.prefix, folder);
    const after = bank.moves;
    await bank.stopMoving();
    const target = newPrefix();
    await restore(target, folder);
    const state = await stateOf(target);
    expect(state.isWhole).toBe(true);
    expect(state.moved).toBeGreaterThanOrEqual(before);
    expect(state.moved).toBeLessThanOrEqual(after + 1);
    expect((await accounts(target, 'notifier').indexes()).map(({ name }) => name)).toEqual(['_id_', 'by_amount']);
    const others = client.db(`${target}scheduling`).collection('others');
    expect(await others.findOne({}, { promoteValues: false })).toMatchObject({
      double: new mongo.Double(1),
      long: mongo.Long.fromNumber(2),
    });
  });

  it('restores to each archived instant, also after the archiving process was killed', async () => {
    const bank = await new Bank().open();
    bank.startMoving();
    const folder = newFolder();
    const exactSets = (): readonly ChangeSet[] => readBackup(folder).changeSets.filter(({ isExact }) => isExact);
    const archived = async (sets: number): Promise<void> => {
      await eventually(
        () => {
          expect(exactSets().length).toBeGreaterThanOrEqual(sets);
        },
        { timeoutMs: 30_000 },
      );
    };
    const first = new Run('backup', bank.prefix, folder, '--follow', '--every', '1');
    await archived(3);
    await first.kill();
    const kept = exactSets().length;
    const second = new Run('backup', bank.prefix, folder, '--follow', '--every', '1');
    await archived(kept + 2);
    await bank.stopMoving();
    second.child.kill('SIGTERM');
    expect(await second.ended).toBe(0);

    const end = newPrefix();
    await restore(end, folder);
    expect(await stateOf(end)).toEqual({ moved: bank.moves, isWhole: true });

    const middle = newPrefix();
    const set = exactSets()[kept - 1];
    await restore(middle, folder, { at: instantOf(set?.through ?? { t: 1, i: 1 }) });
    const state = await stateOf(middle);
    expect(state.isWhole).toBe(true);
    expect(state.moved).toBeGreaterThan(0);
    expect(state.moved).toBeLessThan(bank.moves);
  });

  it('that was killed is no backup, and the next one begins again', async () => {
    const bank = await new Bank().open(5_000);
    const folder = newFolder();
    const killed = new Run('backup', bank.prefix, folder);
    await eventually(() => {
      expect(fs.existsSync(path.join(folder, 'unfinished.json'))).toBe(true);
    });
    await killed.kill();
    expect(() => readBackup(folder)).toThrow('was cut off before its end');
    const again = new Run('backup', bank.prefix, folder);
    expect(await again.ended).toBe(0);
    await restore(newPrefix(), folder);
  });

  it('is written by one of two processes that have the same folder', async () => {
    const bank = await new Bank().open(5_000);
    const folder = newFolder();
    const runs = [new Run('backup', bank.prefix, folder), new Run('backup', bank.prefix, folder)];
    const codes = await Promise.all(runs.map(({ ended }) => ended));
    expect(codes.toSorted()).toEqual([0, 1]);
    const target = newPrefix();
    await restore(target, folder);
    expect(await accounts(target, 'notifier').countDocuments()).toBe(5_000);
  });

  it('archives no changes of other databases than those of the backup, and none of a restore', async () => {
    const bank = await new Bank().open();
    const folder = newFolder();
    await take(bank.prefix, folder);
    const follow = (databasePrefix: string, from = folder): Promise<void> => {
      const stopping = new AbortController();
      const say = (): void => {
        stopping.abort();
      };
      const place = { uri, databasePrefix };
      return followChanges({ place, folder: from, everyMs: 1_000, signal: stopping.signal, say });
    };
    const target = newPrefix();
    await expect(follow(target)).rejects.toThrow(`the prefix ${bank.prefix}, and MONGODB_DATABASE_PREFIX is ${target}`);

    // As in another cluster: databases of the same names, whose oplog does not have the backup.
    await restore(target, folder);
    const moved = newFolder();
    fs.cpSync(folder, moved, { recursive: true });
    const manifest = path.join(moved, 'manifest.json');
    fs.writeFileSync(manifest, fs.readFileSync(manifest, 'utf8').replace(`"${bank.prefix}"`, `"${target}"`));
    await expect(follow(target, moved)).rejects.toThrow(/accounts is not the collection of the backup.*Take another/);
    await accounts(target, 'directory').drop();
    await expect(follow(target, moved)).rejects.toThrow(/directory.accounts is missing.*Take another/);

    const restoring = { backup: 'monday', startedAt: quiet.startedAt };
    const marker = await HeldMarker.take(client, [`${bank.prefix}notifier`], restoring);
    await expect(follow(bank.prefix)).rejects.toThrow('A restore of these databases has not ended');
    await marker.remove();
    expect(readBackup(folder).changeSets).toHaveLength(readBackup(folder).manifest.changeSets);
  });

  it('makes no folder where there is no database', async () => {
    const folder = newFolder();
    await expect(take(newPrefix(), folder)).rejects.toThrow('There is no database');
    expect(fs.existsSync(folder)).toBe(false);
  });
});

/** Makes the marker of a restore as old as that of one which is dead. */
async function wasLongAgo(prefix: string): Promise<void> {
  const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
  for (const { name } of databases.filter(({ name }) => name.startsWith(prefix)))
    await client
      .db(name)
      .collection(RESTORES)
      .updateMany({}, { $set: { aliveAt: new Date(0) } });
}

describe('npm run restore', () => {
  let bank: Bank;
  let folder: string;
  beforeAll(async () => {
    bank = await new Bank().open(10_000);
    folder = newFolder();
    await take(bank.prefix, folder);
  });

  it('keeps databases that exist unless it is to replace them, with everything that came since', async () => {
    const target = newPrefix();
    const rows = accounts(target, 'directory');
    await rows.insertOne({ _id: 'later', amount: 1 });
    await accounts(target, 'scheduling').insertOne({ _id: 'of no backup', amount: 1 });
    await expect(restore(target, folder)).rejects.toThrow('give --replace');
    expect(await rows.find().toArray()).toEqual([{ _id: 'later', amount: 1 }]);
    await restore(target, folder, { replaces: true });
    expect(await rows.countDocuments()).toBe(10_000);
    expect(await rows.findOne({ _id: 'later' })).toBeNull();
    expect(await accounts(target, 'scheduling').countDocuments()).toBe(0);
  });

  it('changes nothing while a service runs, and names it', async () => {
    const target = newPrefix();
    const database = `${target}notifier`;
    const connection = await connectMongo({ uri, database });
    const leases = new Leases({ connection, group: 'outbox', holder: 'host/42/abc', durationMs: 10_000 });
    const lease = leases.lease('pages.v1');
    await lease.take();
    await expect(restore(target, folder, { replaces: true })).rejects.toThrow(`${database} (host, 42)`);
    await expect(requireNoRestore(connection)).resolves.toBeUndefined();
    await lease.release();
    await restore(target, folder, { replaces: true });
    await connection.close();
  });

  it('changes nothing beside another one that runs', async () => {
    const target = newPrefix();
    await accounts(target, 'directory').insertOne({ _id: 'of the other one', amount: 1 });
    const other = { backup: 'tuesday', startedAt: quiet.startedAt };
    const marker = await HeldMarker.take(client, [`${target}directory`], other);
    await expect(restore(target, folder, { replaces: true })).rejects.toThrow(
      'Another restore runs: of backup tuesday',
    );
    await marker.remove();
    expect(await accounts(target, 'directory').distinct('_id')).toEqual(['of the other one']);
    expect(await client.db(`${target}notifier`).listCollections().toArray()).toEqual([]);
  });

  it('leaves its marker where a service has started meanwhile', async () => {
    const target = newPrefix();
    const connection = await connectMongo({ uri, database: `${target}notifier` });
    const leases = new Leases({ connection, group: 'outbox', holder: 'host/42/abc', durationMs: 10_000 });
    const lease = leases.lease('pages.v1');
    let hasBegun = false;
    let taken = Promise.resolve(false);
    const say = (line: string): void => {
      hasBegun ||= line.startsWith('directory: accounts');
      if (hasBegun) taken = taken.then(() => lease.take());
    };
    const place = { uri, databasePrefix: target };
    const options = { place, backup: readBackup(folder), at: undefined, replaces: false, startedAt: quiet.startedAt };
    await expect(restoreBackup({ ...options, say })).rejects.toThrow('(host, 42)');
    expect(await taken).toBe(true);
    await expect(requireNoRestore(connection)).rejects.toThrow('has not ended');
    await lease.release();
    await restore(target, folder);
    await expect(requireNoRestore(connection)).resolves.toBeUndefined();
    await connection.close();
  });

  it('does not take the leases of the backup for those of services that run', async () => {
    const prefix = newPrefix();
    await accounts(prefix, 'notifier').insertOne({ _id: 'account', amount: 0 });
    const connection = await connectMongo({ uri, database: `${prefix}notifier` });
    const leases = new Leases({ connection, group: 'outbox', holder: 'host/42/abc', durationMs: 10_000 });
    await leases.lease('pages.v1').take();
    const leased = newFolder();
    await take(prefix, leased);
    await connection.close();
    expect(readBackup(leased).manifest.databases.flatMap(({ collections }) => collections)).toHaveLength(1);
    const target = newPrefix();
    await restore(target, leased);
    expect(await client.db(`${target}notifier`).collection(LEASES).find().toArray()).toEqual([]);
    // A service that only verifies its database finds the collection.
    const found = await client.db(`${target}notifier`).listCollections({}, { nameOnly: true }).toArray();
    expect(found.map(({ name }) => name).sort()).toEqual(['accounts', LEASES, RESTORES]);
  });

  it('that was frozen while another one took its databases over fails, and the other one is whole', async () => {
    const target = newPrefix();
    const frozen = new Run('restore', target, folder);
    await frozen.hasSaid('directory: accounts');
    frozen.child.kill('SIGSTOP');
    await wasLongAgo(target);
    await restore(target, folder);
    frozen.child.kill('SIGCONT');
    // Here it has not been frozen for long, so it may write until it looks for its marker.
    expect(await frozen.ended).toBe(1);
    expect(frozen.said).not.toContain('Restored to');
    for (const service of ['directory', 'notifier'])
      expect(await accounts(target, service).countDocuments()).toBe(10_000);
  });

  it('that was killed is finished by the next one, and until then no service may start', async () => {
    const target = newPrefix();
    const killed = new Run('restore', target, folder);
    await killed.hasSaid('directory: accounts');
    await killed.kill();
    expect(killed.said).not.toContain('Restored to');
    for (const service of ['directory', 'notifier', 'alert-processor']) {
      const connection = await connectMongo({ uri, database: `${target}${service.replace('-', '_')}` });
      await expect(requireNoRestore(connection)).rejects.toThrow('has not ended');
      await connection.close();
    }
    await expect(take(target, newFolder())).rejects.toThrow('A restore has not ended');
    await wasLongAgo(target);
    const again = new Run('restore', target, folder);
    expect(await again.ended).toBe(0);
    expect(again.said).toContain('An earlier restore was cut off');
    expect(await accounts(target, 'notifier').countDocuments()).toBe(10_000);
    expect(await client.db(`${target}directory`).collection(RESTORES).countDocuments()).toBe(0);
  });

  it('writes nothing where a file is damaged', async () => {
    const damaged = newFolder();
    fs.cpSync(folder, damaged, { recursive: true });
    const { id } = readBackup(damaged).manifest;
    fs.appendFileSync(path.join(damaged, 'collections', id, 'notifier', 'accounts.bson.gz'), 'x');
    const target = newPrefix();
    const refused = new Run('restore', target, damaged);
    expect(await refused.ended).toBe(1);
    expect(refused.complained).toContain('its checksum is another one');
    expect(await client.db(`${target}directory`).listCollections().toArray()).toEqual([]);
  });

  it.each([RESTORES, LEASES, 'system.views'])('writes no change of %s that a change set has', async (collection) => {
    const foreign = newFolder();
    fs.cpSync(folder, foreign, { recursive: true });
    const description = path.join(foreign, 'changes', '00000001.json');
    const changes: readonly ChangeRecord[] = [{ service: 'notifier', collection, document: { _id: 'running' } }];
    const content = await writeRecords(foreign, 'changes/foreign.bson.gz', Readable.from(changes));
    const changeSet = JSON.parse(fs.readFileSync(description, 'utf8')) as ChangeSet;
    fs.writeFileSync(description, JSON.stringify({ ...changeSet, content }));
    const target = newPrefix();
    await expect(restore(target, foreign)).rejects.toThrow(`a change of ${collection}, which is no collection`);
    await restore(target, folder);
  });

  it('refuses to restore one service apart', async () => {
    const refused = new Run('restore', newPrefix(), folder, '--only', 'notifier');
    expect(await refused.ended).toBe(2);
    expect(refused.complained).toContain('would disagree');
  });
});
