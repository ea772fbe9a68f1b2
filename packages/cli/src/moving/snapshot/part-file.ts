import fs from 'node:fs';
import type { Json } from '../json.ts';
import { wholeLines } from './lines.ts';

/** A thing in a file of a snapshot, a line each. */
export interface SnapshotRecord {
  readonly id: string;
  /** The hash of the thing as its list showed it. */
  readonly listed: string;
  readonly value: Json;
  readonly parts: Readonly<Record<string, readonly Json[]>>;
}

interface Place {
  readonly offset: number;
  readonly length: number;
  readonly listed: string;
}

/**
 * The things of a kind that are read already, in the order in which they came. A process that dies leaves at most one broken line at the
 * end, which the next one cuts off. Of each thing only the place in the file is in memory.
 */
export class PartFile {
  readonly #file: number;
  readonly #places = new Map<string, Place>();
  #size = 0;

  private constructor(file: number) {
    this.#file = file;
  }

  /** Opens the file, and reads where its whole lines are. */
  static open(path: string): PartFile {
    const part = new PartFile(fs.openSync(path, fs.constants.O_RDWR | fs.constants.O_CREAT, 0o600));
    try {
      part.#index();
    } catch (error) {
      part.close();
      throw error;
    }
    return part;
  }

  /** Whether the thing is here as the list shows it now. */
  has(id: string, listed: string): boolean {
    return this.#places.get(id)?.listed === listed;
  }

  append(record: SnapshotRecord): void {
    const line = Buffer.from(`${JSON.stringify(record)}\n`);
    for (let written = 0; written < line.length;)
      written += fs.writeSync(this.#file, line, written, line.length - written, this.#size + written);
    this.#places.set(record.id, { offset: this.#size, length: line.length, listed: record.listed });
    this.#size += line.length;
  }

  /** The line of a thing, with its line break. @throws Error where it is not here. */
  line(id: string): Buffer {
    const place = this.#places.get(id);
    if (place === undefined) throw new Error(`[${id}] was not read.`);
    const line = Buffer.alloc(place.length);
    fs.readSync(this.#file, line, 0, place.length, place.offset);
    return line;
  }

  close(): void {
    fs.closeSync(this.#file);
  }

  #index(): void {
    for (const line of wholeLines(this.#file)) {
      const record = recordOf(line.toString('utf8'));
      if (record !== undefined)
        this.#places.set(record.id, { offset: this.#size, length: line.length, listed: record.listed });
      this.#size += line.length;
    }
    fs.ftruncateSync(this.#file, this.#size);
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
