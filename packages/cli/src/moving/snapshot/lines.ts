import fs from 'node:fs';

const CHUNK_BYTES = 1_024 * 1_024;
/** A thing of more is no thing. */
const MAX_LINE_BYTES = 64 * 1_024 * 1_024;

/**
 * The whole lines of an open file, each with its line break; a broken line at the end is left out. Only a line feed ends a line: texts of
 * users have other characters that `readline` takes for a line break.
 */
export function* wholeLines(file: number): Generator<Buffer> {
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let rest: Buffer = Buffer.alloc(0);
  for (let at = 0; rest.length <= MAX_LINE_BYTES;) {
    const read = fs.readSync(file, chunk, 0, CHUNK_BYTES, at);
    if (read === 0) return;
    at += read;
    const bytes = Buffer.concat([rest, chunk.subarray(0, read)]);
    let from = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      yield bytes.subarray(from, end + 1);
      from = end + 1;
    }
    rest = bytes.subarray(from);
  }
}

/** Where a line is in its file, in bytes. */
export interface LinePlace {
  readonly offset: number;
  readonly length: number;
}

/**
 * Lines of JSON that are only added, in a file that only its user can read. A process that dies leaves at most one broken line at the end,
 * which the next one cuts off.
 */
export class LinesFile {
  readonly #file: number;
  #size = 0;

  /**
   * Opens the file or makes it, and calls `each` with its whole lines in their order.
   *
   * @throws what `each` throws; the file stays as it is then.
   */
  constructor(path: string, each: (line: string, place: LinePlace) => void) {
    this.#file = fs.openSync(path, fs.constants.O_RDWR | fs.constants.O_CREAT, 0o600);
    try {
      for (const line of wholeLines(this.#file)) {
        each(line.toString('utf8'), { offset: this.#size, length: line.length });
        this.#size += line.length;
      }
      fs.ftruncateSync(this.#file, this.#size);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  append(value: unknown): LinePlace {
    const line = Buffer.from(`${JSON.stringify(value)}\n`);
    const place = { offset: this.#size, length: line.length };
    for (let written = 0; written < line.length;)
      written += fs.writeSync(this.#file, line, written, line.length - written, this.#size + written);
    this.#size += line.length;
    return place;
  }

  /** A line with its line break. */
  at({ length, offset }: LinePlace): Buffer {
    const line = Buffer.alloc(length);
    fs.readSync(this.#file, line, 0, length, offset);
    return line;
  }

  *all(): Generator<string> {
    for (const line of wholeLines(this.#file)) yield line.toString('utf8');
  }

  /** Puts all lines on the disk. */
  sync(): void {
    fs.fsyncSync(this.#file);
  }

  close(): void {
    fs.closeSync(this.#file);
  }
}
