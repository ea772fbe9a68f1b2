import type { Attachment } from '../domain/attachment.ts';
import type { FileLink, FoundFile } from '../domain/brought-files.ts';
import type { LogEntry } from '../domain/history.ts';
import type { AttachmentStore, IncomingFile } from '../ports/attachment-store.ts';

interface Row extends Omit<Attachment, 'alertId'> {
  readonly alertId: string | undefined;
  readonly bytes: Buffer;
  readonly goesAt: Date | undefined;
  readonly integrationId: string | undefined;
}

/** What the store needs of the alerts. */
interface Alerts {
  /** Writes into the log of the entry's alert; false if there is no such alert. */
  readonly note: (entry: LogEntry) => boolean;
}

/** Files in memory, for component tests. */
export class MemoryAttachmentStore implements AttachmentStore {
  readonly #alerts: Alerts;
  readonly #rows = new Map<number, Row>();
  #lastId = 0;

  constructor(alerts: Alerts) {
    this.#alerts = alerts;
  }

  async keep({ name, type, bytes, integrationId }: IncomingFile, until: Date): Promise<number> {
    const id = (this.#lastId += 1);
    const chunks: Uint8Array[] = [];
    for await (const chunk of bytes) chunks.push(chunk);
    const content = Buffer.concat(chunks);
    const { length } = content;
    this.#rows.set(id, { id, name, type, length, bytes: content, alertId: undefined, goesAt: until, integrationId });
    return id;
  }

  discard(id: number): Promise<void> {
    if (this.#rows.get(id)?.alertId === undefined) this.#rows.delete(id);
    return Promise.resolve();
  }

  attach(id: number, entry: LogEntry, most: number): ReturnType<AttachmentStore['attach']> {
    if (this.#of(entry.alertId).length >= most) return Promise.resolve('full');
    const row = this.#rows.get(id);
    if (row === undefined || !isKept(row)) return Promise.resolve('gone');
    if (!this.#alerts.note(entry)) return Promise.resolve('no-alert');
    this.link({ fileId: String(id), alertId: entry.alertId });
    return Promise.resolve('attached');
  }

  detach(id: number, entry: LogEntry): Promise<boolean> {
    const row = this.#rows.get(id);
    if (row?.alertId !== entry.alertId || !this.#alerts.note(entry)) return Promise.resolve(false);
    this.#rows.set(id, doomed(row));
    return Promise.resolve(true);
  }

  listOf(alertId: string): Promise<readonly Attachment[]> {
    return Promise.resolve(this.#of(alertId).map(attachmentOf));
  }

  find(id: number): Promise<Attachment | undefined> {
    const row = this.#rows.get(id);
    return Promise.resolve(row?.alertId === undefined ? undefined : attachmentOf(row));
  }

  async *read({ id }: Attachment): AsyncGenerator<Uint8Array, void> {
    const row = await Promise.resolve(this.#rows.get(id));
    if (row === undefined) throw new Error(`File ${String(id)} is not whole.`);
    yield row.bytes;
  }

  sweep(now: Date, most: number): Promise<number> {
    const over = this.#over(now).slice(0, most);
    for (const { id } of over) this.#rows.delete(id);
    return Promise.resolve(over.length);
  }

  mailBytes(least: number): Promise<ReadonlyMap<string, number>> {
    const sums = new Map<string, number>();
    for (const { integrationId, length } of this.#rows.values())
      if (integrationId !== undefined)
        sums.set(integrationId, (sums.get(integrationId) ?? 0) + Math.max(length, least));
    return Promise.resolve(sums);
  }

  due(now: Date): Promise<number> {
    return Promise.resolve(this.#over(now).length);
  }

  nextDueAt(): Promise<Date | undefined> {
    const instants = [...this.#rows.values()].map(({ goesAt }) => goesAt).filter((at) => at !== undefined);
    return Promise.resolve(instants.sort((a, b) => a.getTime() - b.getTime())[0]);
  }

  /** Every file as a batch reads it. */
  found(): readonly FoundFile[] {
    const rows = [...this.#rows.values()].filter((row) => isKept(row) || row.alertId !== undefined);
    return rows.map(({ id, name, alertId }) => ({ id: String(id), name, alertId }));
  }

  link({ fileId, alertId }: FileLink): void {
    const row = this.#rows.get(Number(fileId));
    if (row !== undefined) this.#rows.set(row.id, { ...row, alertId, goesAt: undefined });
  }

  /** Releases a file that no alert has. */
  release(fileId: string): void {
    const row = this.#rows.get(Number(fileId));
    if (row !== undefined && isKept(row)) this.#rows.set(row.id, doomed(row));
  }

  /** Releases the files of a deleted alert. */
  erase(alertId: string): void {
    for (const row of this.#of(alertId)) this.#rows.set(row.id, doomed(row));
  }

  #of(alertId: string): readonly Row[] {
    return [...this.#rows.values()].filter((row) => row.alertId === alertId);
  }

  #over(now: Date): readonly Row[] {
    return [...this.#rows.values()].filter(({ goesAt }) => goesAt !== undefined && goesAt <= now);
  }
}

const doomed = (row: Row): Row => ({ ...row, alertId: undefined, goesAt: new Date(0) });

/** Whether it waits for an alert. */
const isKept = ({ alertId, goesAt }: Row): boolean => alertId === undefined && goesAt?.getTime() !== 0;

function attachmentOf({ id, name, type, length, alertId = '' }: Row): Attachment {
  return { id, name, type, length, alertId };
}
