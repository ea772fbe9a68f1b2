import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { CliError, EXIT } from '../../cli-error.ts';
import type { KindName } from '../kinds.ts';
import { wholeLines } from './lines.ts';
import { type Manifest, manifestOf } from './manifest.ts';
import { recordOf, type SnapshotRecord } from './part-file.ts';

/** A whole snapshot, which is read thing by thing. */
export class Snapshot {
  readonly folder: string;
  readonly manifest: Manifest;

  private constructor(folder: string, manifest: Manifest) {
    this.folder = folder;
    this.manifest = manifest;
  }

  /** @throws CliError (cannot say) where there is none, it is not whole, or it is of another version. */
  static open(folder: string): Snapshot {
    const file = path.join(folder, 'manifest.json');
    if (!fs.existsSync(file))
      throw new CliError(EXIT.cannotSay, `${folder} has no snapshot.`, ['Make one: tocsin import fetch --to FOLDER']);
    const manifest = manifestIn(file);
    if (manifest.finishedAt === undefined)
      throw new CliError(EXIT.cannotSay, `The snapshot in ${folder} is not whole.`, [
        'Run the same `tocsin import fetch` again: it goes on where it stopped.',
      ]);
    return new Snapshot(folder, manifest);
  }

  /** Whether the source had this kind. */
  has(kind: KindName): boolean {
    const entry = this.manifest.kinds[kind];
    return entry !== undefined && 'count' in entry;
  }

  /** The things of a kind, in the order of its list. @throws CliError (cannot say) where the file is not the one that was written. */
  *things(kind: KindName): Generator<SnapshotRecord> {
    const entry = this.manifest.kinds[kind];
    if (entry === undefined || !('count' in entry)) return;
    const file = path.join(this.folder, `${kind}.jsonl`);
    try {
      yield* recordsIn(file, entry.sha256);
    } catch (error) {
      throw readFault(file, error);
    }
  }
}

function* recordsIn(file: string, sha256: string): Generator<SnapshotRecord> {
  const hash = createHash('sha256');
  const opened = fs.openSync(file, 'r');
  try {
    for (const line of wholeLines(opened)) {
      hash.update(line);
      const record = recordOf(line.toString('utf8'));
      if (record === undefined) throw damaged(file);
      yield record;
    }
  } finally {
    fs.closeSync(opened);
  }
  if (hash.digest('hex') !== sha256) throw damaged(file);
}

function manifestIn(file: string): Manifest {
  try {
    return manifestOf(fs.readFileSync(file, 'utf8'), file);
  } catch (error) {
    throw readFault(file, error);
  }
}

const damaged = (file: string): CliError =>
  new CliError(EXIT.cannotSay, `${file} is damaged: it is not what was fetched.`, [
    'Run the same `tocsin import fetch` again: it reads this kind again.',
  ]);

/** A sentence in place of an error of the file system. */
function readFault(file: string, error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return error;
  if (code === 'ENOENT') return damaged(file);
  return new CliError(EXIT.cannotSay, `Cannot read ${file} (${String(code)}).`, [
    'Give yourself the right to read it, or fetch a new snapshot into another folder.',
  ]);
}
