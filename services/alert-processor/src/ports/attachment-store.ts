import type { Attachment } from '../domain/attachment.ts';
import type { LogEntry } from '../domain/history.ts';

/** A file on its way in. */
export interface IncomingFile extends Pick<Attachment, 'name' | 'type'> {
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Where files are kept. Whatever is killed when, a file that belongs to an alert has all of its bytes. */
export interface AttachmentStore {
  /**
   * Keeps a file that belongs to no alert until `until`, no faster than its bytes come; resolves with its id when all of
   * them are kept. When they end with an error, so does this, and nothing is left.
   */
  keep(file: IncomingFile, until: Date): Promise<number>;
  /** Removes a file that belongs to no alert. */
  discard(id: number): Promise<void>;
  /**
   * Gives a kept file to an alert, with the entry in its log: `no-alert` when there is none (any more), `full` when it has
   * `most` files, `gone` when the file is kept no longer; nothing is changed then.
   */
  attach(id: number, entry: LogEntry, most: number): Promise<'attached' | 'no-alert' | 'full' | 'gone'>;
  /** Takes a file from its alert, with the entry in its log; false where it is not there. */
  detach(id: number, entry: LogEntry): Promise<boolean>;
  /** By id. */
  listOf(alertId: string): Promise<readonly Attachment[]>;
  /** A file that belongs to an alert. */
  find(id: number): Promise<Attachment | undefined>;
  /** The bytes of a file that belongs to an alert, no faster than they are taken. */
  read(file: Attachment): AsyncIterable<Uint8Array>;
  /** Removes up to `most` files that belong to no alert and whose time is over at `now`; answers how many. */
  sweep(now: Date, most: number): Promise<number>;
  /** How many files a sweep at `now` would remove. */
  due(now: Date): Promise<number>;
  /** When the time of the next file is over that belongs to no alert. */
  nextDueAt(): Promise<Date | undefined>;
}
