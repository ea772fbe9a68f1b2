import { mongo } from 'mongoose';
import { collectionOf, type Connection } from '@tocsin/persistence';
import { ATTACHMENT_BYTES } from './collections.ts';

interface ChunkDocument {
  readonly files_id: number;
  readonly n: number;
  readonly data: mongo.Binary;
}

/**
 * Chunks are large, because each waits for a majority of the servers. A write larger than a chunk would be several
 * concurrent inserts, and one of them could still land after a failure was reported.
 */
const CHUNK_BYTES = 1_048_576;
/** How many chunks are held while a file is read. The driver's own reader would hold 16 MB. */
const READ_AHEAD = 2;

/** The bytes of files in GridFS, under our own ids. */
export class GridFiles {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Writes a file with back-pressure; resolves with its length. If anything fails, it removes what was written. */
  async write(id: number, name: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
    const file = this.#bucket().openUploadStreamWithId(id as unknown as mongo.ObjectId, name, {
      chunkSizeBytes: CHUNK_BYTES,
    });
    const step = (begin: (done: (error?: Error | null) => void) => unknown) =>
      new Promise<void>((resolve, reject) => {
        begin((error) => {
          if (error) reject(error);
          else resolve();
        });
      });
    try {
      // The callback of a step gets its error. Without this listener the event would end the process.
      file.on('error', () => undefined);
      for await (const chunk of bytes)
        for (let at = 0; at < chunk.length; at += CHUNK_BYTES)
          await step((done) => file.write(chunk.subarray(at, at + CHUNK_BYTES), done));
      await step((done) => file.end(done));
      return file.length;
    } catch (error) {
      await this.remove([id]).catch(() => undefined);
      throw error;
    }
  }

  /** @throws Error at the end when bytes are missing, which aborts the download. */
  async *read(id: number, length: number): AsyncGenerator<Uint8Array, void> {
    let left = length;
    const chunks = this.#chunks().find({ files_id: id }, { sort: { n: 1 }, batchSize: READ_AHEAD });
    try {
      for await (const { data } of chunks) {
        left -= data.length();
        yield data.value();
      }
    } finally {
      await chunks.close();
    }
    if (left !== 0) throw new Error(`File ${String(id)} is not whole: ${String(left)} bytes are missing.`);
  }

  /** Removes files and all their chunks. */
  async remove(ids: readonly number[]): Promise<void> {
    const wanted = [...ids];
    await collectionOf<{ _id: number }>(this.#connection, `${ATTACHMENT_BYTES}.files`).deleteMany({
      _id: { $in: wanted },
    });
    await this.#chunks().deleteMany({ files_id: { $in: wanted } });
  }

  #chunks() {
    return collectionOf<ChunkDocument>(this.#connection, `${ATTACHMENT_BYTES}.chunks`);
  }

  #bucket(): mongo.GridFSBucket {
    if (this.#connection.db === undefined) throw new TypeError('The connection was never opened.');
    return new mongo.GridFSBucket(this.#connection.db, { bucketName: ATTACHMENT_BYTES });
  }
}
