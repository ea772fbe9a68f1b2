import fs from 'node:fs';
import path from 'node:path';
import { CliError, EXIT } from '../../cli-error.ts';
import { isJson } from '../json.ts';
import { guarded } from '../snapshot/folder.ts';
import { wholeLines } from '../snapshot/lines.ts';
import type { ComparedUser } from './reached.ts';

const FILE = 'compared.jsonl';

/** An alert that was compared. */
export interface ComparedAlert {
  readonly id: string;
  readonly message: string;
  readonly createdAt: string;
  readonly teamId?: string | undefined;
  readonly users: readonly ComparedUser[];
  /** Why it could not be compared. */
  readonly notComparable?: string;
  /** What the logs of both sides say, where a user differs. */
  readonly logs?: { readonly theirs: readonly string[]; readonly ours: readonly string[] };
}

/**
 * The alerts that were compared and can change no more, in a file beside the place of the mirror, so that none is asked for again. A
 * process that dies leaves at most one broken line at the end, which the next one cuts off.
 */
export class ComparedFile {
  readonly #folder: string;
  readonly #file: number;
  readonly #ids = new Set<string>();
  #size = 0;

  /** @throws CliError (cannot say) where the file cannot be opened or is damaged. */
  constructor(folder: string) {
    this.#folder = folder;
    const name = path.join(folder, FILE);
    this.#file = guarded(folder, () => fs.openSync(name, fs.constants.O_RDWR | fs.constants.O_CREAT, 0o600));
    for (const line of wholeLines(this.#file)) {
      this.#ids.add(alertOf(line.toString('utf8'), name).id);
      this.#size += line.length;
    }
    guarded(folder, () => {
      fs.ftruncateSync(this.#file, this.#size);
    });
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  append(alert: ComparedAlert): void {
    guarded(this.#folder, () => {
      const line = Buffer.from(`${JSON.stringify(alert)}\n`);
      for (let written = 0; written < line.length;)
        written += fs.writeSync(this.#file, line, written, line.length - written, this.#size + written);
      this.#size += line.length;
    });
    this.#ids.add(alert.id);
  }

  *all(): Generator<ComparedAlert> {
    for (const line of wholeLines(this.#file)) yield alertOf(line.toString('utf8'), FILE);
  }

  close(): void {
    fs.closeSync(this.#file);
  }
}

function alertOf(text: string, file: string): ComparedAlert {
  try {
    const parsed: unknown = JSON.parse(text);
    if (isJson(parsed) && typeof parsed['id'] === 'string') return parsed as unknown as ComparedAlert;
  } catch {
    // Named below.
  }
  throw new CliError(EXIT.cannotSay, `${file} is damaged.`, ['Delete it: the alerts are compared again.']);
}
