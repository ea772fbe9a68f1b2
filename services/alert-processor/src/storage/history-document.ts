import type { DecisionRecord, LogEntry, Note } from '../domain/history.ts';
import type { Position } from '../domain/position.ts';

interface EntryDocument {
  readonly _id: string;
  readonly alertId: string;
  readonly owner: string;
  readonly createdAt: Date;
  /** The position as a string that sorts like it: what the index and the cursors go by. */
  readonly position: string;
}

export interface LogDocument extends EntryDocument {
  readonly log: string;
  readonly type: LogEntry['type'];
  readonly action?: string;
  readonly decision?: DecisionRecord;
}

export interface NoteDocument extends EntryDocument {
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

export function logDocument({ entryId, position, ...same }: LogEntry): LogDocument {
  return { _id: entryId, ...same, position: positionKey(position) };
}

export function logOf({ _id, position, ...same }: LogDocument): LogEntry {
  return { entryId: _id, ...same, position: positionOf(position) };
}

export function noteDocument({ noteId, position, ...same }: Note): NoteDocument {
  return { _id: noteId, ...same, position: positionKey(position) };
}

export function noteOf({ _id, position, ...same }: NoteDocument): Note {
  return { noteId: _id, ...same, position: positionOf(position) };
}
