import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { rename } from 'node:fs/promises';
import path from 'node:path';
import { pipeline as chain, Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { mongo } from 'mongoose';
import { z } from 'zod';

/** A file of BSON documents, one after the other, compressed by gzip. */
export const RecordFile = z.object({
  /** Relative to the folder of the backup. */
  file: z.string().regex(/^(collections|changes)(\/[\w-][\w.-]*)+$/),
  records: z.number().int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type RecordFile = z.output<typeof RecordFile>;

/** Keeps the BSON type of each number. To be given with each read. */
export const KEEP_TYPES = { promoteValues: false, bsonRegExp: true } as const;

/** A backup holds addresses and hashes of keys. */
const OWNER_ONLY = 0o600;
const LENGTH_BYTES = 4;
const CHUNK_BYTES = 1 << 20;

/** Writes the documents with bounded memory. The file has its name only once all of it is on the disk; the name is there too. */
export async function writeRecords(
  folder: string,
  file: string,
  documents: AsyncIterable<mongo.Document>,
): Promise<RecordFile> {
  let records = 0;
  const encoded = async function* (): AsyncGenerator<Uint8Array> {
    for await (const document of documents) {
      records += 1;
      yield mongo.BSON.serialize(document, { ignoreUndefined: false });
    }
  };
  const target = path.join(folder, file);
  makeFolder(path.dirname(target));
  const hash = createHash('sha256');
  const hashing = new Transform({
    transform: (chunk: Buffer, _, done) => {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline(
    Readable.from(encoded()),
    createGzip({ level: 1 }),
    hashing,
    fs.createWriteStream(`${target}.new`, { mode: OWNER_ONLY, flush: true }),
  );
  await rename(`${target}.new`, target);
  syncFolder(path.dirname(target));
  return { file, records, sha256: hash.digest('hex') };
}

/** Reads the documents with bounded memory. @throws Error when the file is damaged. */
export async function* readRecords(folder: string, { file }: RecordFile): AsyncGenerator<mongo.Document> {
  // An error of one of both ends the loop below.
  const content = chain(
    fs.createReadStream(path.join(folder, file)),
    createGunzip({ chunkSize: CHUNK_BYTES }),
    () => undefined,
  );
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of content as AsyncIterable<Buffer>) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    while (rest.length - start >= LENGTH_BYTES) {
      const length = rest.readInt32LE(start);
      if (rest.length - start < length) break;
      yield mongo.BSON.deserialize(rest.subarray(start, start + length), KEEP_TYPES);
      start += length;
    }
    rest = rest.subarray(start);
  }
  if (rest.length > 0) throw new Error(`${file} ends within a document.`);
}

export async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of fs.createReadStream(file) as AsyncIterable<Buffer>) hash.update(chunk);
  return hash.digest('hex');
}

/** Makes a folder that its owner alone can read, and those above it. Their names are on the disk. */
export function makeFolder(folder: string): void {
  const made = path.resolve(folder);
  const first = fs.mkdirSync(made, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let each = made; each.length >= first.length; each = path.dirname(each)) syncFolder(path.dirname(each));
}

/** Writes JSON that has its name only once it is on the disk, as have the files that were written before it. */
export function writeJson(file: string, value: unknown, { onlyNew = false } = {}): void {
  const unnamed = `${file}.${String(process.pid)}.new`;
  const open = fs.openSync(unnamed, 'w', OWNER_ONLY);
  try {
    fs.writeFileSync(open, `${JSON.stringify(value, undefined, 2)}\n`);
    fs.fsyncSync(open);
  } finally {
    fs.closeSync(open);
  }
  try {
    // A link, unlike a rename, replaces no file.
    if (onlyNew) fs.linkSync(unnamed, file);
    else fs.renameSync(unnamed, file);
  } finally {
    fs.rmSync(unnamed, { force: true });
  }
  syncFolder(path.dirname(file));
}

function syncFolder(folder: string): void {
  const open = fs.openSync(folder, 'r');
  try {
    fs.fsyncSync(open);
  } finally {
    fs.closeSync(open);
  }
}
