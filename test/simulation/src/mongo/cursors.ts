import { mongo } from 'mongoose';
import type { ChangeReader } from './change-log.ts';
import { type Document, ServerFault } from './values.ts';

interface OpenCursor {
  readonly ns: string;
  documents: readonly Document[];
  readonly stream?: ChangeReader;
}

interface CursorCommand {
  readonly command: Document;
  readonly database: string;
}

/** How many documents the server sends first where the client does not say. */
const FIRST_BATCH = 101;
/** How long a change stream waits where the client does not say. */
const AWAIT_MS = 1_000;

/** The cursors of a server. The results of one are those of the moment at which it was opened. */
export class Cursors {
  readonly #open = new Map<string, OpenCursor>();
  #opened = 0;

  /** The answer with the first batch. */
  open(documents: readonly Document[], execution: CursorCommand): Document {
    const {
      batchSize,
      cursor,
      singleBatch = false,
    } = execution.command as {
      readonly batchSize?: number;
      readonly cursor?: { readonly batchSize?: number };
      readonly singleBatch?: boolean;
    };
    const size = batchSize ?? cursor?.batchSize ?? FIRST_BATCH;
    const rest = singleBatch ? [] : documents.slice(size);
    const ns = nameOf(execution);
    const id = rest.length === 0 ? mongo.Long.ZERO : this.#add({ ns, documents: rest });
    return { cursor: { id, ns, firstBatch: documents.slice(0, size) } };
  }

  openStream(stream: ChangeReader, execution: CursorCommand): Document {
    const ns = `${execution.database}.$cmd.aggregate`;
    const id = this.#add({ ns, documents: [], stream });
    return { cursor: { id, ns, firstBatch: [], postBatchResumeToken: stream.token } };
  }

  /** The answer to `getMore`. */
  async next(command: Document, sleep: (milliseconds: number) => Promise<void>): Promise<Document> {
    const key = String(command['getMore']);
    const cursor = this.#open.get(key);
    if (cursor === undefined) throw new ServerFault([43, 'CursorNotFound'], `cursor id ${key} not found`);
    const { documents, ns, stream } = cursor;
    if (stream !== undefined) {
      const maxTimeMs = Number(command['maxTimeMS'] ?? AWAIT_MS);
      const nextBatch = await stream.next(() => sleep(maxTimeMs));
      return { cursor: { id: idOf(key), ns, nextBatch, postBatchResumeToken: stream.token } };
    }
    const size = Number(command['batchSize'] ?? documents.length);
    cursor.documents = documents.slice(size);
    if (cursor.documents.length === 0) this.#open.delete(key);
    const id = cursor.documents.length === 0 ? mongo.Long.ZERO : idOf(key);
    return { cursor: { id, ns, nextBatch: documents.slice(0, size) } };
  }

  /** Closes cursors, and returns the ids of those that were open. */
  close(ids: readonly unknown[]): readonly unknown[] {
    return ids.filter((id) => this.#open.delete(String(id)));
  }

  #add(cursor: OpenCursor): mongo.Long {
    this.#opened += 1;
    this.#open.set(String(this.#opened), cursor);
    return mongo.Long.fromNumber(this.#opened);
  }
}

const idOf = (key: string): mongo.Long => mongo.Long.fromString(key);

const nameOf = ({ command, database }: CursorCommand): string => `${database}.${String(Object.values(command)[0])}`;
