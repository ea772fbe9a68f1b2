import fs from 'node:fs';
import path from 'node:path';
import { CliError, EXIT } from '../../cli-error.ts';
import { type ImportBody, keyOf } from '../bodies/body.ts';
import { type Json, sha256, textIn } from '../json.ts';
import { wholeLines } from '../snapshot/lines.ts';
import { PartFile, recordOf } from '../snapshot/part-file.ts';
import { Snapshot } from '../snapshot/reader.ts';

/** What earlier runs wrote into one Tocsin: it tells a change in Opsgenie from one in Tocsin. */
export interface Applied {
  /** By key. */
  readonly bodies: ReadonlyMap<string, AppliedBody>;
  /** Things of Tocsin that take the place of things of the snapshot, by the id in the snapshot. */
  readonly adopted: ReadonlyMap<string, string>;
}

/** A body of the snapshot when it was written. */
export interface AppliedBody {
  readonly body: Json;
  /** False where a run may have ended before the answer came. */
  readonly isAnswered: boolean;
}

const fileOf = (folder: string, url: string): string => path.join(folder, `applied-${sha256(url).slice(0, 16)}.jsonl`);

/** What was written from the snapshots in these folders into the Tocsin at `url`, one after the other. */
export function appliedIn(folders: readonly string[], url: string): Applied {
  const applied = { bodies: new Map<string, AppliedBody>(), adopted: new Map<string, string>() };
  for (const folder of folders) readApplied(fileOf(folder, url), applied);
  return applied;
}

/**
 * Gives the id in the Tocsin at `url` of a thing of the account: another one where the thing was adopted.
 *
 * @throws CliError (cannot say) where nothing of the snapshot was written there, so that it is not known what was adopted.
 */
export function idsInTocsin(snapshot: string, url: string): (id: string) => string {
  if (!fs.existsSync(fileOf(snapshot, url)))
    throw new CliError(EXIT.cannotSay, `Nothing of the snapshot in ${snapshot} was applied to ${url}.`, [
      'Name the snapshot that `tocsin import apply` wrote last, and the Tocsin by the URL that it had then.',
    ]);
  const { adopted } = appliedIn([snapshot], url);
  return (id) => adopted.get(id) ?? id;
}

/**
 * The ids in the Tocsin at `tocsin` of the things of the account at `opsgenie`, by a snapshot of it.
 *
 * @throws CliError (cannot say) where the folder has no snapshot, one of another account, or one that was not applied to this Tocsin.
 */
export function idsOf(snapshot: string, opsgenie: string, tocsin: string): (id: string) => string {
  requireSnapshotOf(snapshot, opsgenie);
  return idsInTocsin(snapshot, tocsin);
}

/**
 * Requires that a folder has a snapshot of the account at `opsgenie`. One of the files of a backup does not say of which account it is.
 *
 * @throws CliError (cannot say) where it has none, or one of another account.
 */
export function requireSnapshotOf(snapshot: string, opsgenie: string): void {
  const { origin } = Snapshot.open(snapshot).manifest;
  if (origin.type === 'api' && origin.url !== opsgenie)
    throw new CliError(EXIT.cannotSay, `${snapshot} is a snapshot of ${origin.url}.`, ['Name one of this account.']);
}

interface Reading {
  readonly bodies: Map<string, AppliedBody>;
  readonly adopted: Map<string, string>;
}

function readApplied(file: string, { adopted, bodies }: Reading): void {
  if (!fs.existsSync(file)) return;
  const opened = fs.openSync(file, 'r');
  try {
    for (const line of wholeLines(opened)) {
      const record = recordOf(line.toString('utf8'));
      if (record === undefined) continue;
      const { id, listed, value } = record;
      if (listed === 'adopted') adopted.set(id, textIn(value, 'id') ?? id);
      else if (listed === 'deleted') bodies.delete(id);
      else bodies.set(id, { body: value, isAnswered: listed === 'answered' });
    }
  } finally {
    fs.closeSync(opened);
  }
}

/** Records what is written, a line before each request and one after its answer. */
export class AppliedFile {
  readonly #file: PartFile;

  /** The folder has to be locked. */
  constructor(folder: string, url: string) {
    this.#file = new PartFile(fileOf(folder, url));
  }

  /** A thing is about to be created with this body. */
  begin(of: Pick<ImportBody, 'id' | 'kind'>, body: Json): void {
    this.#append(keyOf(of), 'begun', body);
  }

  /** Tocsin has what this body of the snapshot says, or a user decided that it keeps its own. */
  answered(of: Pick<ImportBody, 'id' | 'kind'>, body: Json): void {
    this.#append(keyOf(of), 'answered', body);
  }

  deleted(of: Pick<ImportBody, 'id' | 'kind'>): void {
    this.#append(keyOf(of), 'deleted', {});
  }

  /** The thing of Tocsin takes the place of one of the snapshot. */
  adopt(id: string, ours: string): void {
    this.#append(id, 'adopted', { id: ours });
  }

  close(): void {
    this.#file.close();
  }

  #append(id: string, listed: string, value: Json): void {
    this.#file.append({ id, listed, value, parts: {} });
  }
}
