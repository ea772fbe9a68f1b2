import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { CliError, EXIT } from '../../cli-error.ts';
import { KINDS, type KindName } from '../kinds.ts';
import { wholeLines } from './lines.ts';
import { lock } from './lock.ts';
import { type FetchedEntry, type Manifest, manifestOf, newManifest } from './manifest.ts';
import { PartFile } from './part-file.ts';

const MANIFEST = 'manifest.json';
const LOCK = 'fetch.lock';
/** The files of a snapshot, and what a process that died has left. */
const OWN_FILE = new RegExp(
  `^(?:manifest\\.json(?:\\.tmp)?|fetch\\.lock.*|applied-[0-9a-f]+\\.jsonl|(?:${KINDS.join('|')})\\.jsonl(?:\\.part|\\.tmp)?)$`,
);

/**
 * Keeps other processes from writing the snapshot in a folder, until the returned function is called.
 *
 * @throws CliError (cannot say) while another process writes it.
 */
export const lockFolder = (folder: string): (() => void) => guarded(folder, () => lock(path.join(folder, LOCK)));

/** Replaces a file of a folder as a whole: a process that dies leaves the one before. */
export function replaceFile(folder: string, name: string, value: unknown): void {
  guarded(folder, () => {
    replaceText(folder, name, jsonText(value));
  });
}

const jsonText = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

/** Replaces a file as a whole, and has it on the disk. @throws the errors of the file system. */
export function replaceText(folder: string, name: string, text: string): void {
  const [fresh, file] = [path.join(folder, `${name}.tmp`), path.join(folder, name)];
  fs.writeFileSync(fresh, text, { mode: 0o600, flush: true });
  fs.renameSync(fresh, file);
  syncFolder(folder);
}

/** The content of the file of a kind. */
type Written = Pick<FetchedEntry, 'count' | 'bytes' | 'sha256'>;

/** A folder of a snapshot that this process writes: only its user can read it, and no other process writes it meanwhile. */
export class SnapshotFolder {
  readonly folder: string;
  readonly #unlock: () => void;
  #manifest: Manifest;

  private constructor(folder: string, unlock: () => void, manifest: Manifest) {
    this.folder = folder;
    this.#unlock = unlock;
    this.#manifest = manifest;
  }

  /**
   * Opens a snapshot to go on with it, or begins one in a folder that is new or empty.
   *
   * @throws CliError (cannot say) where the folder has other files, holds a snapshot of another origin, of another version or with another
   *   choice about secrets, or where another process writes it.
   */
  static open(folder: string, begun: Pick<Manifest, 'origin' | 'secrets'>, now: Date): SnapshotFolder {
    return guarded(folder, () => {
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
      const foreign = fs.readdirSync(folder).find((name) => !OWN_FILE.test(name));
      if (foreign !== undefined)
        throw new CliError(EXIT.cannotSay, `${folder} is no snapshot: it has the file [${foreign}].`, [
          'Name a folder that does not exist yet.',
        ]);
      fs.chmodSync(folder, 0o700);
      const unlock = lock(path.join(folder, LOCK));
      try {
        return new SnapshotFolder(folder, unlock, manifestToGoOn(folder, begun, now));
      } catch (error) {
        unlock();
        throw error;
      }
    });
  }

  get manifest(): Manifest {
    return this.#manifest;
  }

  /** Whether the file of a kind is the one that was written. */
  isIntact(kind: KindName): boolean {
    const entry = this.#manifest.kinds[kind];
    const file = this.#file(`${kind}.jsonl`);
    if (entry === undefined || !('count' in entry) || !fs.existsSync(file)) return false;
    return this.#guarded(() => {
      const hash = createHash('sha256');
      const opened = fs.openSync(file, 'r');
      try {
        for (const line of wholeLines(opened)) hash.update(line);
        return fs.fstatSync(opened).size === entry.bytes && hash.digest('hex') === entry.sha256;
      } finally {
        fs.closeSync(opened);
      }
    });
  }

  /** The things of a kind that are read already: those of an earlier run that was broken off, else those of its whole file. */
  openPart(kind: KindName): PartFile {
    return this.#guarded(() => {
      const [part, whole] = [this.#file(`${kind}.jsonl.part`), this.#file(`${kind}.jsonl`)];
      if (!fs.existsSync(part) && this.isIntact(kind)) fs.copyFileSync(whole, part);
      return new PartFile(part);
    });
  }

  /**
   * Writes the file of a kind: the things of these ids in their order. It takes its name when it is whole on the disk; the manifest follows,
   * and the part is removed last, so that a process that dies anywhere between reads nothing again.
   */
  finish(kind: KindName, part: PartFile, ids: readonly string[], entry: Omit<FetchedEntry, keyof Written>): void {
    this.#guarded(() => {
      const written = this.#writeKind(kind, part, ids);
      this.#save({ ...this.#manifest.kinds, [kind]: { ...written, ...entry } });
      fs.rmSync(this.#file(`${kind}.jsonl.part`), { force: true });
    });
  }

  /** Records why the source has nothing of a kind. */
  leaveOut(kind: KindName, unavailable: string, now: Date): void {
    this.#guarded(() => {
      this.#save({ ...this.#manifest.kinds, [kind]: { unavailable, fetchedAt: now.toISOString() } });
      for (const end of ['', '.part']) fs.rmSync(this.#file(`${kind}.jsonl${end}`), { force: true });
    });
  }

  /** Marks the snapshot as whole. */
  complete(now: Date): void {
    this.#guarded(() => {
      this.#manifest = { ...this.#manifest, finishedAt: now.toISOString() };
      this.#save(this.#manifest.kinds);
    });
  }

  /** Lets other processes write. */
  close(): void {
    this.#unlock();
  }

  /** Appends to a part, with a sentence about a full disk. */
  write<T>(work: () => T): T {
    return this.#guarded(work);
  }

  #writeKind(kind: KindName, part: PartFile, ids: readonly string[]): Written {
    const [fresh, target] = [this.#file(`${kind}.jsonl.tmp`), this.#file(`${kind}.jsonl`)];
    const hash = createHash('sha256');
    let bytes = 0;
    const file = fs.openSync(fresh, 'w', 0o600);
    try {
      for (const id of ids) {
        const line = part.line(id);
        hash.update(line);
        fs.appendFileSync(file, line);
        bytes += line.length;
      }
      fs.fsyncSync(file);
    } finally {
      fs.closeSync(file);
    }
    fs.renameSync(fresh, target);
    return { count: ids.length, bytes, sha256: hash.digest('hex') };
  }

  #save(kinds: Manifest['kinds']): void {
    const manifest = { ...this.#manifest, kinds };
    replaceText(this.folder, MANIFEST, jsonText(manifest));
    this.#manifest = manifest;
  }

  #file(name: string): string {
    return path.join(this.folder, name);
  }

  #guarded<T>(work: () => T): T {
    return guarded(this.folder, work, Object.keys(this.#manifest.kinds));
  }
}

function manifestToGoOn(
  folder: string,
  { origin, secrets }: Pick<Manifest, 'origin' | 'secrets'>,
  now: Date,
): Manifest {
  const file = path.join(folder, MANIFEST);
  if (!fs.existsSync(file)) return newManifest(origin, secrets, now);
  const found = manifestOf(fs.readFileSync(file, 'utf8'), file);
  const nameOf = (one: Manifest['origin']): string => (one.type === 'api' ? one.url : one.folder);
  if (found.origin.type !== origin.type || nameOf(found.origin) !== nameOf(origin))
    throw new CliError(EXIT.cannotSay, `${folder} is a snapshot of ${nameOf(found.origin)}.`, ['Name another folder.']);
  if (found.secrets !== secrets)
    throw new CliError(
      EXIT.cannotSay,
      found.secrets === 'masked'
        ? `The secrets in ${folder} are masked, so it cannot go on with --with-secrets.`
        : `${folder} was begun with --with-secrets.`,
      ['Name another folder, or choose as before.'],
    );
  const { finishedAt, ...unfinished } = found;
  return unfinished;
}

/** A rename is on the disk when its folder is. Windows opens no folder. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const opened = fs.openSync(folder, 'r');
  fs.fsyncSync(opened);
  fs.closeSync(opened);
}

const FULL: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/** @throws CliError (cannot say) in place of an error of the file system. */
export function guarded<T>(folder: string, work: () => T, done: readonly string[] = []): T {
  try {
    return work();
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (error instanceof CliError || syscall === undefined) throw error;
    if (syscall === 'mkdir' && ['EEXIST', 'ENOTDIR'].includes(String(code)))
      throw new CliError(EXIT.cannotSay, `${folder} is not a folder.`, ['Name a folder that does not exist yet.']);
    const kept = done.length === 0 ? [] : [`Whole are: ${done.join(', ')}.`];
    const what = FULL.has(code) ? `The disk of ${folder} is full` : `Cannot write in ${folder}`;
    throw new CliError(
      EXIT.cannotSay,
      `${what} (${String(code)}).`,
      [...kept, 'Make room or give the right, and run the same command again: it goes on where it stopped.'],
      { cause: error },
    );
  }
}
