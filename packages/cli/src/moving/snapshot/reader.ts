import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { CliError, EXIT } from '../../cli-error.ts';
import type { KindName } from '../kinds.ts';
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
      throw new CliError(EXIT.cannotSay, `${folder} has no snapshot.`, ['Make one: tocsin import fetch --to DIR']);
    const manifest = manifestOf(fs.readFileSync(file, 'utf8'), file);
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
  async *things(kind: KindName): AsyncGenerator<SnapshotRecord> {
    const entry = this.manifest.kinds[kind];
    if (entry === undefined || !('count' in entry)) return;
    const file = path.join(this.folder, `${kind}.jsonl`);
    if (!fs.existsSync(file)) throw damaged(file);
    const hash = createHash('sha256');
    const lines = readline.createInterface({ input: fs.createReadStream(file), crlfDelay: Infinity });
    for await (const line of lines) {
      hash.update(`${line}\n`);
      const record = recordOf(line);
      if (record === undefined) throw damaged(file);
      yield record;
    }
    if (hash.digest('hex') !== entry.sha256) throw damaged(file);
  }
}

const damaged = (file: string): CliError =>
  new CliError(EXIT.cannotSay, `${file} is damaged: it is not what was fetched.`, [
    'Fetch a new snapshot into another folder.',
  ]);
