import type { Attachment } from '../domain/attachment.ts';
import type { LogEntry } from '../domain/history.ts';

/** A file that is being uploaded. */
export interface IncomingFile extends Pick<Attachment, 'name' | 'type'> {
  readonly bytes: AsyncIterable<Uint8Array>;
  /** The integration that the mail with the file was sent to; absent if no mail brought it. */
  readonly integrationId?: string;
}

/** Stores files. A file of an alert always has all of its bytes, whichever process is killed when. */
export interface AttachmentStore {
  /**
   * Keeps a file without an alert until `until`. It applies back-pressure to the bytes, and resolves with the id once
   * all are stored. If the bytes end with an error, it rejects and keeps nothing.
   */
  keep(file: IncomingFile, until: Date): Promise<number>;
  /** Removes a file that no alert has. */
  discard(id: number): Promise<void>;
  /**
   * Attaches a kept file to the alert of `entry` and writes the entry into its log. It changes nothing and returns
   * `no-alert` if there is no such alert, `full` if it has `most` files, `gone` if the file is no longer kept.
   */
  attach(id: number, entry: LogEntry, most: number): Promise<'attached' | 'no-alert' | 'full' | 'gone'>;
  /** Removes a file from its alert and writes the entry into its log; false if the alert does not have it. */
  detach(id: number, entry: LogEntry): Promise<boolean>;
  /** The files of an alert, by id. */
  listOf(alertId: string): Promise<readonly Attachment[]>;
  /** Finds a file that an alert has. */
  find(id: number): Promise<Attachment | undefined>;
  /** The bytes of a file that an alert has, read with back-pressure. */
  read(file: Attachment): AsyncIterable<Uint8Array>;
  /** Removes up to `most` files without an alert whose time is over at `now`. Returns how many. */
  sweep(now: Date, most: number): Promise<number>;
  /** The bytes of the files of mails by integration, with or without an alert. A file counts as `least` bytes or more. */
  mailBytes(least: number): Promise<ReadonlyMap<string, number>>;
  /** How many files a sweep at `now` would remove. */
  due(now: Date): Promise<number>;
  /** When the time of the next file without an alert is over. */
  nextDueAt(): Promise<Date | undefined>;
}
