import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { SERVICES } from '@tocsin/events';
import { z } from 'zod';
import { thisProcess } from '../claim.ts';
import { isAlive } from '../run-record.ts';
import { TroubleError } from '../trouble.ts';
import { ClusterTime, instantOf, isoOf } from './cluster-time.ts';
import { isBackedUp } from './databases.ts';
import { makeFolder, RecordFile, sha256Of, writeJson } from './records.ts';

/** The format that this release writes, and the only one that it reads. */
export const FORMAT = 1;

const Service = z.enum(SERVICES);

const CollectionFile = z.object({
  name: z.string().min(1).refine(isBackedUp, 'is no collection of a backup'),
  uuid: z.uuid(),
  /** As `createCollection` and `createIndexes` take them, in EJSON; without the index of `_id`. */
  options: z.record(z.string(), z.unknown()),
  indexes: z.array(z.object({ name: z.string(), key: z.record(z.string(), z.unknown()) }).loose()),
  content: RecordFile,
});

const DatabaseFiles = z.object({ service: Service, collections: z.array(CollectionFile) });
export type DatabaseFiles = z.output<typeof DatabaseFiles>;

/** What is in a backup. It is written last: a folder without it has no backup. */
const Manifest = z.object({
  format: z.literal(FORMAT),
  id: z.uuid(),
  tocsin: z.object({ version: z.string(), commit: z.string().optional() }),
  databasePrefix: z.string(),
  startedAt: z.iso.datetime(),
  /** The moment of the backup, and the instant that it is called by. */
  moment: ClusterTime,
  instant: z.iso.datetime(),
  databases: z.array(DatabaseFiles).min(1),
  /** How many change sets belong to the copies of the collections, which are of different moments without them. */
  changeSets: z.number().int().positive(),
  /** Where the positions of the consumers are. */
  kafka: z.object({ clusterIds: z.array(z.string()), topics: z.array(z.string()) }),
});
export type Manifest = z.output<typeof Manifest>;

/** The changed documents of a span of time, each as it was at its end. */
const ChangeSet = z.object({
  format: z.literal(FORMAT),
  backup: z.uuid(),
  sequence: z.number().int().positive(),
  /** Whether its documents are all of the moment `through`; otherwise a later set makes them so. */
  isExact: z.boolean(),
  through: ClusterTime,
  content: RecordFile,
});
export type ChangeSet = z.output<typeof ChangeSet>;

/** A backup, and the changes that were archived after it. */
export interface Backup {
  readonly folder: string;
  readonly manifest: Manifest;
  /** In their order, without a gap. */
  readonly changeSets: readonly ChangeSet[];
  /** The number of the first set that is missing, where later ones exist. */
  readonly missing: number | undefined;
}

/** Which process writes the backup. `mark` is a word of its command line. */
const Unfinished = z.object({
  id: z.uuid(),
  host: z.string(),
  pid: z.number().int().positive(),
  mark: z.string(),
});

const MANIFEST = 'manifest.json';
const UNFINISHED = 'unfinished.json';
const CHANGES = 'changes';
const COPIES = 'collections';

const fileOf = (sequence: number): string => path.join(CHANGES, `${String(sequence).padStart(8, '0')}.json`);

export const hasManifest = (folder: string): boolean => fs.existsSync(path.join(folder, MANIFEST));

/**
 * Makes the folder ready for a new backup. It removes what a backup that was cut off has left.
 *
 * @throws TroubleError when the folder has something else, or a process of this host writes a backup into it.
 */
export function beginBackup(folder: string, id: string): void {
  if (hasManifest(folder)) throw new TroubleError(`${folder} has a backup already. Choose another folder.`);
  makeFolder(folder);
  const unfinished = path.join(folder, UNFINISHED);
  if (fs.existsSync(unfinished)) {
    requireEnded(folder);
    for (const name of [CHANGES, COPIES, UNFINISHED])
      fs.rmSync(path.join(folder, name), { recursive: true, force: true });
  } else if (fs.readdirSync(folder).length > 0)
    throw new TroubleError(`${folder} is not empty. Choose another folder.`);
  const { mark, pid } = thisProcess();
  const owner: z.output<typeof Unfinished> = { id, host: os.hostname(), pid, mark };
  writeNew(unfinished, owner, `Another npm run backup has just begun in ${folder}. Choose another folder.`);
  for (const name of [CHANGES, COPIES]) makeFolder(path.join(folder, name));
}

/** @throws TroubleError when the process that writes a backup into the folder is one of this host, and lives. */
function requireEnded(folder: string): void {
  const owner = unfinishedOf(folder);
  if (owner?.host !== os.hostname() || !isAlive({ ...owner, name: 'backup' })) return;
  throw new TroubleError(
    `Another npm run backup (process ${owner.pid}) writes into ${folder}. Wait for its end, or choose another folder.`,
  );
}

function unfinishedOf(folder: string): z.output<typeof Unfinished> | undefined {
  if (!fs.existsSync(path.join(folder, UNFINISHED))) return undefined;
  try {
    return Unfinished.safeParse(json(folder, UNFINISHED)).data;
  } catch {
    return undefined;
  }
}

/**
 * Makes the files of the folder a whole backup.
 *
 * @throws TroubleError when another backup has begun in the folder since. A process of another host cannot see that this one lives.
 */
export function endBackup(folder: string, manifest: Manifest): void {
  const reason = `Another npm run backup has begun in ${folder}, so this backup is not whole. Take it into another folder.`;
  if (unfinishedOf(folder)?.id !== manifest.id) throw new TroubleError(reason);
  writeNew(path.join(folder, MANIFEST), manifest, reason);
  fs.rmSync(path.join(folder, UNFINISHED));
}

/** The copies of each backup are in a folder of their own, so a later one that begins does not write into them. */
export const copyFile = (backup: string, service: string, collection: string): string =>
  [COPIES, backup, service, `${encodeURIComponent(collection).replaceAll(/[%!'()*~]/g, '_')}.bson.gz`].join('/');

export const changesFile = (name: string): string => [CHANGES, `${name}.bson.gz`].join('/');

/** @throws TroubleError when the folder has a set of this number, because another process archives into it. */
export function addChangeSet(folder: string, changeSet: ChangeSet): void {
  const reason = `Another process archives changes into ${folder}. This one ends.`;
  writeNew(path.join(folder, fileOf(changeSet.sequence)), changeSet, reason);
}

/** @throws TroubleError, with the reason, when the file exists. */
function writeNew(file: string, value: object, reason: string): void {
  try {
    writeJson(file, value, { onlyNew: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new TroubleError(reason);
  }
}

/** @throws TroubleError when the folder has no whole backup of this format. */
export function readBackup(folder: string): Backup {
  const manifest = readManifest(folder);
  const sequences = fs
    .readdirSync(path.join(folder, CHANGES))
    .flatMap((name) => (/^\d{8}\.json$/.test(name) ? [Number(name.slice(0, 8))] : []))
    .sort((one, other) => one - other);
  const gap = sequences.findIndex((sequence, index) => sequence !== index + 1);
  const changeSets = (gap < 0 ? sequences : sequences.slice(0, gap)).map((sequence) => {
    const changeSet = parsed(folder, fileOf(sequence), ChangeSet);
    if (changeSet.backup !== manifest.id || changeSet.sequence !== sequence)
      throw new TroubleError(`${fileOf(sequence)} in ${folder} belongs to another backup.`);
    return changeSet;
  });
  const missing = gap < 0 ? undefined : gap + 1;
  if (changeSets.length < manifest.changeSets)
    throw new TroubleError(`${folder} lacks ${fileOf(changeSets.length + 1)}, so the backup cannot be restored.`);
  return { folder, manifest, changeSets, missing };
}

function readManifest(folder: string): Manifest {
  if (!fs.existsSync(folder)) throw new TroubleError(`There is no folder ${folder}.`);
  if (!hasManifest(folder))
    throw new TroubleError(
      fs.existsSync(path.join(folder, UNFINISHED))
        ? `The backup in ${folder} was cut off before its end, so it cannot be restored. Take another one.`
        : `${folder} has no ${MANIFEST}, so it has no backup.`,
    );
  return parsed(folder, MANIFEST, Manifest);
}

function parsed<T extends { readonly format: number }>(folder: string, file: string, schema: z.ZodType<T>): T {
  const value = json(folder, file);
  const format = z.object({ format: z.unknown() }).safeParse(value).data?.format;
  if (format !== FORMAT)
    throw new TroubleError(
      `${file} in ${folder} has format ${format === undefined ? 'unknown' : JSON.stringify(format)}. This release reads format ${FORMAT}: restore by the release that took the backup.`,
    );
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new TroubleError(`${file} in ${folder} is damaged: ${z.prettifyError(result.error)}`);
}

function json(folder: string, file: string): unknown {
  try {
    return JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8'));
  } catch {
    throw new TroubleError(`${file} in ${folder} is damaged: it is not JSON.`);
  }
}

/**
 * The last moment of the backup that is not later than `at`; the last one of all by default. Sets up to and including it are to be applied.
 *
 * @throws TroubleError when `at` is before the backup or after the end of the archive, or the archive has a gap before it.
 */
export function chosenMoment({ changeSets, folder, manifest, missing }: Backup, at: Date | undefined): ChangeSet {
  const moments = changeSets.filter(({ isExact, sequence }) => isExact && sequence >= manifest.changeSets);
  const [first] = moments;
  const last = moments.at(-1);
  if (first === undefined || last === undefined) throw new TroubleError(`${folder} has no moment to restore to.`);
  const [start, end] = [first, last].map(({ through }) => instantOf(through)) as [Date, Date];
  const lacks = missing === undefined ? '' : ` ${fileOf(missing)} is missing; later changes cannot be restored.`;
  if (at === undefined && missing !== undefined)
    throw new TroubleError(`The archive is broken.${lacks} Give --at ${isoOf(end)} or earlier.`);
  if (at === undefined) return last;
  if (at < start) throw new TroubleError(`The backup is of ${isoOf(start)}, which is later.`);
  if (at > end) throw new TroubleError(`The archive of changes ends at ${isoOf(end)}.${lacks}`);
  return moments.findLast(({ through }) => instantOf(through) <= at) ?? first;
}

/** @throws TroubleError when a file that is needed up to `last` is missing or is not as it was written. */
export async function verifyFiles({ changeSets, folder, manifest }: Backup, last: ChangeSet): Promise<void> {
  const copies = manifest.databases.flatMap(({ collections }) => collections.map(({ content }) => content));
  const changes = changeSets.slice(0, last.sequence).map(({ content }) => content);
  for (const { file, sha256 } of [...copies, ...changes]) {
    const actual = await sha256Of(path.join(folder, file)).catch((error: unknown) => {
      throw new TroubleError(`${file} in ${folder} cannot be read: ${String(error)}`);
    });
    if (actual !== sha256) throw new TroubleError(`${file} in ${folder} is damaged: its checksum is another one.`);
  }
}
