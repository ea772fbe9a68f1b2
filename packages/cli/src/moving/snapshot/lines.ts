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
