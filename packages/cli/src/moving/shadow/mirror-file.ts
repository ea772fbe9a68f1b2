import fs from 'node:fs';
import path from 'node:path';
import { CliError, EXIT } from '../../cli-error.ts';
import { isJson } from '../json.ts';
import { guarded, replaceFile } from '../snapshot/folder.ts';
import { isLocked, lock } from '../snapshot/lock.ts';

const FORMAT = 'tocsin-opsgenie-mirror';
/** Raised whenever an older reader would misread the file. */
const VERSION = 1;
const FILE = 'mirror.json';
const LOCK = 'mirror.lock';

interface State {
  readonly format: typeof FORMAT;
  readonly version: typeof VERSION;
  readonly from: string;
  readonly to: string;
  /** Alerts that were closed before are not mirrored. */
  readonly startedAt: string;
  /** All changes until then, in epoch milliseconds, are mirrored; undefined before the first look. */
  readonly mirroredUntilMs?: number;
  /** Ids of alerts that Tocsin refused, the one that is tried next first. */
  readonly refused?: readonly string[];
  /** Whether it refused more, of which the ids are not kept. */
  readonly isCut?: boolean;
}

/** The ids of so many refused alerts are kept. */
const MAX_REFUSED = 1_000;

/** How far an account is mirrored, in a folder. One process at a time mirrors by it. */
export class MirrorFile {
  readonly #folder: string;
  readonly #unlock: () => void;
  #state: State;

  private constructor(folder: string, unlock: () => void, state: State) {
    this.#folder = folder;
    this.#unlock = unlock;
    this.#state = state;
  }

  /**
   * Opens the file of a folder to go on, or begins one.
   *
   * @throws CliError (cannot say) where it is of another account, another Tocsin or another version, or another process has it.
   */
  static open(folder: string, sides: Pick<State, 'from' | 'to'>, now: Date): MirrorFile {
    return guarded(folder, () => {
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
      const unlock = lock(path.join(folder, LOCK));
      try {
        const file = new MirrorFile(folder, unlock, stateIn(folder, sides, now));
        // A process that dies in its first look leaves when the mirror was begun.
        if (!MirrorFile.isIn(folder)) file.#write(file.#state);
        return file;
      } catch (error) {
        unlock();
        throw error;
      }
    });
  }

  /**
   * When the mirror of a folder was begun. The mirror may go on meanwhile.
   *
   * @throws CliError (cannot say) where there is none, or it is of another account, another Tocsin or another version.
   */
  static startIn(folder: string, sides: Pick<State, 'from' | 'to'>): Date {
    if (!MirrorFile.isIn(folder))
      throw new CliError(EXIT.cannotSay, `${folder} has no mirror.`, ['Begin one: tocsin shadow mirror']);
    return new Date(stateIn(folder, sides, new Date()).startedAt);
  }

  /** The alerts that the mirror of a folder does not have, because Tocsin refused them. @throws as {@link startIn}. */
  static refusedIn(folder: string, sides: Pick<State, 'from' | 'to'>): Pick<MirrorFile, 'refused' | 'isCut'> {
    const { isCut = false, refused = [] } = stateIn(folder, sides, new Date());
    return { isCut, refused };
  }

  /** Whether a mirror was begun in the folder. */
  static isIn(folder: string): boolean {
    return fs.existsSync(path.join(folder, FILE));
  }

  /** Whether a process mirrors by the folder now. */
  static isOpenIn(folder: string): boolean {
    return isLocked(path.join(folder, LOCK));
  }

  get startedAt(): Date {
    return new Date(this.#state.startedAt);
  }

  get mirroredUntilMs(): number | undefined {
    return this.#state.mirroredUntilMs;
  }

  /** Ids of alerts that Tocsin refused, the one that is tried next first. */
  get refused(): readonly string[] {
    return this.#state.refused ?? [];
  }

  /** Whether Tocsin refused more alerts than are kept: the others are not tried again. */
  get isCut(): boolean {
    return this.#state.isCut ?? false;
  }

  /** Keeps that all changes until then are mirrored but those of the refused alerts, of which the first 1000 are kept. */
  save(mirroredUntilMs: number, refused: readonly string[]): void {
    const isCut = this.isCut || refused.length > MAX_REFUSED;
    this.#write({ ...this.#state, mirroredUntilMs, refused: refused.slice(0, MAX_REFUSED), isCut });
  }

  #write(state: State): void {
    replaceFile(this.#folder, FILE, state);
    this.#state = state;
  }

  /** Lets another process go on. */
  close(): void {
    this.#unlock();
  }
}

function stateIn(folder: string, { from, to }: Pick<State, 'from' | 'to'>, now: Date): State {
  const file = path.join(folder, FILE);
  if (!fs.existsSync(file)) return { format: FORMAT, version: VERSION, from, to, startedAt: now.toISOString() };
  const found = parsed(fs.readFileSync(file, 'utf8'));
  if (found?.format !== FORMAT)
    throw new CliError(EXIT.cannotSay, `${file} is not what \`tocsin shadow mirror\` writes.`, [
      'Name another folder.',
    ]);
  if (found.version !== VERSION)
    throw new CliError(EXIT.cannotSay, `${file} has another version.`, ['Use the tocsin that wrote it.']);
  if (found.from !== from || found.to !== to)
    throw new CliError(EXIT.cannotSay, `${file} is of ${String(found.from)} and ${String(found.to)}.`, [
      'Name another folder.',
    ]);
  return found as State;
}

function parsed(text: string): Partial<State> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJson(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
