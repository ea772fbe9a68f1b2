import { createHash } from 'node:crypto';
import { mapConcurrent } from '../map-concurrent.ts';
import { ApiReadError } from './answer.ts';
import { type Json, sha256 } from './json.ts';
import { CONCURRENT_REQUESTS, KINDS, type KindName, type Listed, type Thing, whyUnavailable } from './kinds.ts';
import type { Progress } from './progress.ts';
import type { SnapshotFolder } from './snapshot/folder.ts';
import { masked } from './snapshot/mask.ts';
import type { PartFile } from './snapshot/part-file.ts';
import type { Source } from './source.ts';

/** What became of a kind. */
export interface FetchedKind {
  readonly kind: KindName;
  readonly count: number;
  /** `kept`: its list is as it was when it was read. */
  readonly state: 'read' | 'kept' | 'unavailable';
  readonly why?: string;
  /** Ids of things that are listed and cannot be read. */
  readonly unreadable: readonly string[];
}

/** How often a list is read until it is the same twice. */
const MAX_READINGS = 5;
/** Fields that change by themselves while no user changes the thing. */
const VOLATILE: ReadonlySet<string> = new Set(['lastPingTime', 'expired']);

/** In place of the hash of a thing that could not be read: a later run that reads its list reads it again. */
const READ_AGAIN = '';

const hashOf = (item: Json): string =>
  sha256(JSON.stringify(item, (name, value: unknown) => (VOLATILE.has(name) ? undefined : value)));

interface Hashed extends Listed {
  readonly hash: string;
}

/**
 * Reads all kinds into the folder. After a break the next call goes on: it reads no thing again that is in the folder and whose list item
 * did not change. The list of each kind is the same before and after its things are read.
 *
 * @throws CliError where the source cannot be read or the folder not be written. What was read stays.
 */
export async function fetchSnapshot(
  source: Source,
  folder: SnapshotFolder,
  progress: Progress,
  now: () => Date,
): Promise<readonly FetchedKind[]> {
  const fetched: FetchedKind[] = [];
  for (const kind of KINDS) fetched.push(await fetchKind(kind, source, folder, progress, now));
  folder.complete(now());
  return fetched;
}

async function fetchKind(
  kind: KindName,
  source: Source,
  folder: SnapshotFolder,
  progress: Progress,
  now: () => Date,
): Promise<FetchedKind> {
  progress.begin(kind);
  let list: readonly Hashed[];
  try {
    list = await listOf(source, kind);
  } catch (error) {
    const why = whyUnavailable(error);
    if (why === undefined) throw error;
    folder.leaveOut(kind, why, now());
    return { kind, count: 0, state: 'unavailable', why, unreadable: [] };
  }
  const entry = folder.manifest.kinds[kind];
  if (entry !== undefined && 'count' in entry && entry.listSha256 === hashOfList(list) && folder.isIntact(kind))
    return { kind, count: entry.count, state: 'kept', unreadable: entry.unreadable };
  const part = folder.openPart(kind);
  try {
    const { stable, unreadable } = await readThings(kind, list, source, folder, part, progress);
    const [ids, listSha256] = [stable.map(({ id }) => id), hashOfList(stable)];
    folder.finish(kind, part, ids, { listSha256, unreadable, fetchedAt: now().toISOString() });
    return { kind, count: ids.length, state: 'read', unreadable };
  } finally {
    part.close();
  }
}

/** Reads what the part does not have, until the list is the same before and after. */
async function readThings(
  kind: KindName,
  first: readonly Hashed[],
  source: Source,
  folder: SnapshotFolder,
  part: PartFile,
  progress: Progress,
): Promise<{ readonly stable: readonly Hashed[]; readonly unreadable: readonly string[] }> {
  let list = first;
  for (let readings = 1; ; readings += 1) {
    const missing = list.filter(({ hash, id }) => !part.has(id, hash));
    progress.expect(list.length, missing.length);
    const append = (listed: Hashed, { parts, value }: Thing, hash = listed.hash): void => {
      const record = { id: listed.id, listed: hash, ...(masking(folder, kind, { value, parts }) as Thing) };
      folder.write(() => {
        part.append(record);
      });
    };
    await mapConcurrent(CONCURRENT_REQUESTS, missing, async (listed) => {
      const thing = await source.read(kind, listed);
      if (thing !== undefined) append(listed, thing);
      progress.done();
    });
    const again = await listOf(source, kind);
    const left = list.filter(({ hash, id }) => !part.has(id, hash));
    const isSame = hashOfList(again) === hashOfList(list);
    if (isSame && left.length === 0) return { stable: list, unreadable: [] };
    if (readings >= MAX_READINGS) {
      if (!isSame) throw unstable(kind);
      for (const listed of left) append(listed, { value: listed.item, parts: {} }, READ_AGAIN);
      return { stable: list, unreadable: left.map(({ id }) => id) };
    }
    list = again;
  }
}

const masking = (folder: SnapshotFolder, kind: KindName, thing: Thing): unknown =>
  folder.manifest.secrets === 'masked' ? masked(thing, kind) : thing;

const unstable = (kind: KindName): ApiReadError =>
  new ApiReadError('answer', `The list of ${kind} changed while it was read, in each of ${MAX_READINGS} readings.`, [
    'Run the same command again when the account is not being changed: it goes on where it stopped.',
  ]);

/** Each id once, in the order of the list. */
async function listOf(source: Source, kind: KindName): Promise<readonly Hashed[]> {
  const found = new Map<string, Hashed>();
  for (const { id, item } of await source.list(kind)) found.set(id, { id, item, hash: hashOf(item) });
  return [...found.values()];
}

function hashOfList(list: readonly Hashed[]): string {
  const hash = createHash('sha256');
  for (const { hash: each, id } of list) hash.update(`${JSON.stringify(id)} ${each}\n`);
  return hash.digest('hex');
}
