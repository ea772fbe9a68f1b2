import path from 'node:path';
import { CliError, EXIT } from '../../cli-error.ts';
import { isJson } from '../json.ts';
import { guarded } from '../snapshot/folder.ts';
import { LinesFile } from '../snapshot/lines.ts';
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

/** The alerts that were compared and can change no more, in a file beside the place of the mirror, so that none is asked for again. */
export class ComparedFile {
  readonly #folder: string;
  readonly #file: LinesFile;
  readonly #ids = new Set<string>();

  /** @throws CliError (cannot say) where the file cannot be opened or is damaged. */
  constructor(folder: string) {
    this.#folder = folder;
    const name = path.join(folder, FILE);
    this.#file = guarded(
      folder,
      () =>
        new LinesFile(name, (line) => {
          this.#ids.add(alertOf(line, name).id);
        }),
    );
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  append(alert: ComparedAlert): void {
    guarded(this.#folder, () => this.#file.append(alert));
    this.#ids.add(alert.id);
  }

  *all(): Generator<ComparedAlert> {
    for (const line of this.#file.all()) yield alertOf(line, FILE);
  }

  close(): void {
    this.#file.close();
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
