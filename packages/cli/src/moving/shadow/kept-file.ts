import path from 'node:path';
import { CliError, EXIT } from '../../cli-error.ts';
import { isJson } from '../json.ts';
import { guarded } from '../snapshot/folder.ts';
import { LinesFile } from '../snapshot/lines.ts';
import { lock } from '../snapshot/lock.ts';

/** What was learned and changes no more, in a file of the folder of a mirror. One process at a time has the file. */
export class KeptFile<T extends { readonly id: string }> {
  readonly #folder: string;
  readonly #name: string;
  readonly #file: LinesFile;
  readonly #unlock: () => void;
  readonly #ids = new Set<string>();

  /** @throws CliError (cannot say) where the file cannot be opened or is damaged, or another process has it. */
  constructor(folder: string, name: string) {
    [this.#folder, this.#name] = [folder, name];
    const file = path.join(folder, name);
    this.#unlock = guarded(folder, () => lock(`${file}.lock`));
    try {
      this.#file = guarded(folder, () => new LinesFile(file, (line) => this.#ids.add(this.#valueIn(line).id)));
    } catch (error) {
      this.#unlock();
      throw error;
    }
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  append(value: T): void {
    guarded(this.#folder, () => this.#file.append(value));
    this.#ids.add(value.id);
  }

  *all(): Generator<T> {
    for (const line of this.#file.all()) yield this.#valueIn(line);
  }

  close(): void {
    this.#file.close();
    this.#unlock();
  }

  #valueIn(line: string): T {
    try {
      const parsed: unknown = JSON.parse(line);
      if (isJson(parsed) && typeof parsed['id'] === 'string') return parsed as unknown as T;
    } catch {
      // Named below.
    }
    const file = path.join(this.#folder, this.#name);
    throw new CliError(EXIT.cannotSay, `${file} is damaged.`, ['Delete it: what it had is read again.']);
  }
}
