import fs from 'node:fs';
import path from 'node:path';
import { CliError, EXIT } from '../../cli-error.ts';
import { isJson, type Json, textIn } from '../json.ts';
import { guarded } from '../snapshot/folder.ts';
import { LinesFile, wholeLines } from '../snapshot/lines.ts';
import { lock } from '../snapshot/lock.ts';

const FORMAT = 'tocsin-opsgenie-history';
/** Raised whenever an older reader would misread the file. */
const VERSION = 1;
const FILE = 'alerts.jsonl';
const LOCK = 'history.lock';
const OWN_FILE = /^(?:alerts\.jsonl|history\.lock.*)$/;
/** Lists of alerts show a new alert some time after it was created, so the alerts of this time are listed again. */
const LISTED_AGAIN_MS = 600_000;

/** A line of the file after the first: a team, an alert as it was read, or one that is gone. */
export type HistoryLine = { readonly team: Json } | { readonly alert: Json } | { readonly gone: string };

/** The first line of the file. */
interface Head {
  readonly format: typeof FORMAT;
  readonly version: typeof VERSION;
  readonly url: string;
  /** Alerts that were created before are not in the file. */
  readonly since?: string;
}

/** Where a run goes on: from the alerts that were created at `fromMs`, of which `ids` are in the file. */
export interface Place {
  readonly fromMs: number;
  readonly ids: ReadonlySet<string>;
}

/**
 * The alerts of an account in a file of JSON lines, in the order of their creation; an alert that was open when it was read is there
 * again as a later run has read it. No other process writes the file meanwhile.
 */
export class HistoryFile {
  readonly folder: string;
  readonly #file: LinesFile;
  readonly #unlock: () => void;
  readonly #sinceMs: number;
  readonly #open = new Set<string>();
  readonly #last: { readonly id: string; readonly atMs: number }[] = [];
  #lastMs = 0;
  #count = 0;

  private constructor(folder: string, unlock: () => void, asked: Head) {
    this.folder = folder;
    this.#unlock = unlock;
    let begun: Head | undefined;
    this.#file = new LinesFile(path.join(folder, FILE), (line) => {
      if (begun !== undefined) this.#note(lineOf(line, folder));
      else {
        begun = headOf(line, folder);
        refuseOther(folder, begun, asked);
      }
    });
    if (this.#file.isEmpty) this.#file.append(asked);
    this.#sinceMs = asked.since === undefined ? 0 : Date.parse(asked.since);
  }

  /**
   * Opens the file of a folder to go on with it, or begins one in a folder that is new or empty.
   *
   * @throws CliError (cannot say) where the folder has other files, the history of another account or from another day on, or where
   *   another process writes it.
   */
  static open(folder: string, account: Pick<Head, 'url' | 'since'>): HistoryFile {
    return guarded(folder, () => {
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
      const foreign = fs.readdirSync(folder).find((name) => !OWN_FILE.test(name));
      if (foreign !== undefined)
        throw new CliError(EXIT.cannotSay, `${folder} is no history: it has the file [${foreign}].`, [
          'Name a folder that does not exist yet.',
        ]);
      fs.chmodSync(folder, 0o700);
      const unlock = lock(path.join(folder, LOCK));
      try {
        return new HistoryFile(folder, unlock, { format: FORMAT, version: VERSION, ...account });
      } catch (error) {
        unlock();
        throw error;
      }
    });
  }

  /** How many alerts it has. */
  get count(): number {
    return this.#count;
  }

  /** The alerts that were open when they were last read. */
  get openIds(): readonly string[] {
    return [...this.#open];
  }

  get place(): Place {
    const fromMs = Math.max(this.#sinceMs, this.#lastMs - LISTED_AGAIN_MS);
    return { fromMs, ids: new Set(this.#last.filter(({ atMs }) => atMs >= fromMs).map(({ id }) => id)) };
  }

  /** @throws CliError (cannot say) where the disk takes no more. */
  append(lines: readonly HistoryLine[]): void {
    guarded(this.folder, () => {
      for (const line of lines) {
        this.#file.append(line);
        this.#note(line);
      }
    });
  }

  /** Puts all on the disk, and lets other processes write. */
  close(): void {
    try {
      guarded(this.folder, () => {
        this.#file.sync();
      });
    } finally {
      this.#file.close();
      this.#unlock();
    }
  }

  #note(line: HistoryLine): void {
    if ('gone' in line && this.#open.delete(line.gone)) this.#count -= 1;
    if (!('alert' in line)) return;
    const { id, atMs, isOpen } = factsOf(line.alert);
    // One that was open is there again.
    if (!this.#open.delete(id)) this.#count += 1;
    if (isOpen) this.#open.add(id);
    this.#lastMs = Math.max(this.#lastMs, atMs);
    if (atMs >= this.#lastMs - LISTED_AGAIN_MS) this.#last.push({ id, atMs });
    while ((this.#last[0]?.atMs ?? Infinity) < this.#lastMs - LISTED_AGAIN_MS) this.#last.shift();
  }
}

/**
 * The lines of the history of a folder, after its head.
 *
 * @throws CliError (cannot say) where there is none, it is of another version, or it is damaged.
 */
export function* historyIn(folder: string): Generator<HistoryLine> {
  const file = path.join(folder, FILE);
  if (!fs.existsSync(file))
    throw new CliError(EXIT.cannotSay, `${folder} has no history.`, ['Make one: tocsin history fetch --to FOLDER']);
  const opened = fs.openSync(file, 'r');
  try {
    yield* linesAfterHead(opened, folder);
  } finally {
    fs.closeSync(opened);
  }
}

/** @throws CliError (cannot say) where an alert lacks what every alert has. */
export function factsOf(alert: Json): { readonly id: string; readonly atMs: number; readonly isOpen: boolean } {
  const [id, createdAt] = [textIn(alert, 'id'), textIn(alert, 'createdAt')];
  const atMs = Date.parse(createdAt ?? '');
  if (id === undefined || Number.isNaN(atMs))
    throw new CliError(EXIT.cannotSay, 'An alert has no id or no time of creation.');
  return { id, atMs, isOpen: textIn(alert, 'status') !== 'closed' };
}

function* linesAfterHead(file: number, folder: string): Generator<HistoryLine> {
  let isHead = true;
  for (const line of wholeLines(file)) {
    const text = line.toString('utf8');
    if (isHead) headOf(text, folder);
    else yield lineOf(text, folder);
    isHead = false;
  }
}

function headOf(text: string, folder: string): Head {
  const parsed = parsedOf(text);
  if (!isJson(parsed) || parsed['format'] !== FORMAT) throw damaged(folder);
  if (parsed['version'] === VERSION) return parsed as unknown as Head;
  throw new CliError(
    EXIT.cannotSay,
    `The history in ${folder} has version ${String(parsed['version'])}, and this tocsin reads version ${VERSION}.`,
    ['Fetch it into another folder, or use the tocsin that wrote it.'],
  );
}

function lineOf(text: string, folder: string): HistoryLine {
  const parsed = parsedOf(text);
  const isLine = isJson(parsed) && (isJson(parsed['team']) || isJson(parsed['alert']) || 'gone' in parsed);
  if (!isLine) throw damaged(folder);
  return parsed as unknown as HistoryLine;
}

function refuseOther(folder: string, begun: Head, asked: Head): void {
  if (begun.url !== asked.url)
    throw new CliError(EXIT.cannotSay, `${folder} has the history of ${begun.url}.`, ['Name another folder.']);
  if (begun.since !== asked.since)
    throw new CliError(
      EXIT.cannotSay,
      `The history in ${folder} was begun ${begun.since === undefined ? 'without --since' : `with --since ${begun.since}`}.`,
      ['Name another folder, or choose as before.'],
    );
}

function parsedOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const damaged = (folder: string): CliError =>
  new CliError(EXIT.cannotSay, `${path.join(folder, FILE)} is damaged.`, ['Fetch the history into another folder.']);
