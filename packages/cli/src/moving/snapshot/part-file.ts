import type { Json } from '../json.ts';
import { type LinePlace, LinesFile } from './lines.ts';

/** A thing in a file of a snapshot, a line each. */
export interface SnapshotRecord {
  readonly id: string;
  /** The hash of the thing as its list showed it. */
  readonly listed: string;
  readonly value: Json;
  readonly parts: Readonly<Record<string, readonly Json[]>>;
}

/**
 * The things of a kind that are read already, in the order in which they came. Of each thing only the place in the file is in memory.
 */
export class PartFile {
  readonly #file: LinesFile;
  readonly #places = new Map<string, LinePlace & { readonly listed: string }>();

  /** Opens the file, and reads where its whole lines are. */
  constructor(path: string) {
    this.#file = new LinesFile(path, (line, place) => {
      const record = recordOf(line);
      if (record !== undefined) this.#places.set(record.id, { ...place, listed: record.listed });
    });
  }

  /** Whether the thing is here as the list shows it now. */
  has(id: string, listed: string): boolean {
    return this.#places.get(id)?.listed === listed;
  }

  append(record: SnapshotRecord): void {
    this.#places.set(record.id, { ...this.#file.append(record), listed: record.listed });
  }

  /** The line of a thing, with its line break. @throws Error where it is not here. */
  line(id: string): Buffer {
    const place = this.#places.get(id);
    if (place === undefined) throw new Error(`[${id}] was not read.`);
    return this.#file.at(place);
  }

  close(): void {
    this.#file.close();
  }
}

/** Undefined where the line is broken, as after a power cut: its thing is read again. */
export function recordOf(text: string): SnapshotRecord | undefined {
  try {
    const parsed = JSON.parse(text) as Partial<SnapshotRecord> | null;
    const isRecord =
      typeof parsed?.id === 'string' &&
      typeof parsed.listed === 'string' &&
      typeof parsed.value === 'object' &&
      typeof parsed.parts === 'object';
    return isRecord ? (parsed as SnapshotRecord) : undefined;
  } catch {
    return undefined;
  }
}
