import { entryIdOf, type LogEntry, type Note, type Position } from './entry.ts';

interface HistoryDocument {
  readonly _id: string;
  readonly alertId: string;
  readonly createdAt: Date;
  /**
   * The position as a string that sorts like it, for the index and the cursors. In a log document: that of the first
   * entry.
   */
  readonly position: string;
}

type StoredEntry = Pick<LogEntry, 'log' | 'type' | 'owner' | 'action' | 'decision'>;

/** All entries of one writer in the log of an alert, under the writer's id, at consecutive positions. */
export interface LogDocument extends HistoryDocument {
  readonly entries: readonly StoredEntry[];
}

export interface NoteDocument extends HistoryDocument {
  readonly owner: string;
  readonly note: string;
}

const MS_DIGITS = 13;
const NANOS_DIGITS = 16;

export function positionKey({ ms, nanos }: Position): string {
  return `${String(ms).padStart(MS_DIGITS, '0')}_${String(nanos).padStart(NANOS_DIGITS, '0')}`;
}

function positionOf(key: string): Position {
  return { ms: Number(key.slice(0, MS_DIGITS)), nanos: Number(key.slice(MS_DIGITS + 1)) };
}

/** One document per writer of `entries`. Duplicates are dropped, because decisions are published at least once. */
export function logDocuments(entries: readonly LogEntry[]): readonly LogDocument[] {
  const documents = new Map<string, LogDocument & { readonly entries: StoredEntry[] }>();
  const unique = new Map(entries.map((entry) => [entry.entryId, entry]));
  for (const { writtenBy: _id, alertId, createdAt, position, ...entry } of unique.values()) {
    const known = documents.get(_id);
    if (known !== undefined) known.entries.push(storedEntry(entry));
    else
      documents.set(_id, { _id, alertId, createdAt, position: positionKey(position), entries: [storedEntry(entry)] });
  }
  return [...documents.values()];
}

const storedEntry = ({ log, type, owner, action, decision }: StoredEntry): StoredEntry => ({
  log,
  type,
  owner,
  ...(action !== undefined && { action }),
  ...(decision !== undefined && { decision }),
});

export function entriesOf({ _id, alertId, createdAt, position, entries }: LogDocument): readonly LogEntry[] {
  const { ms, nanos } = positionOf(position);
  return entries.map((stored, index) => ({
    writtenBy: _id,
    entryId: entryIdOf(_id, index),
    alertId,
    createdAt,
    position: { ms, nanos: nanos + index },
    ...stored,
  }));
}

export function noteDocument({ noteId, position, ...same }: Note): NoteDocument {
  return { _id: noteId, ...same, position: positionKey(position) };
}

export function noteOf({ _id, position, ...same }: NoteDocument): Note {
  return { noteId: _id, ...same, position: positionOf(position) };
}
