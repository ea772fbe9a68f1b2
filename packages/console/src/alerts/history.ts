import type { LogEntry, Note } from './queries.ts';

/** A line of what happened to an alert. */
export interface HistoryEntry {
  /** Unique among all entries. */
  readonly key: string;
  readonly kind: LogEntry['type'] | 'note';
  readonly at: string;
  readonly text: string;
  /** Who did it; undefined where the system did. */
  readonly by: string | undefined;
}

/** The log and the notes of an alert together, newest first. Entries of one instant keep their order, the log first. */
export function historyOf(log: readonly LogEntry[], notes: readonly Note[]): readonly HistoryEntry[] {
  const entries = [
    ...log.map(({ createdAt, log: text, offset, owner, type }) => ({
      key: `log-${offset}`,
      kind: type,
      at: createdAt,
      text,
      by: type === 'alertAction' ? owner : undefined,
    })),
    ...notes.map(({ createdAt, note: text, offset, owner: by }) => ({
      key: `note-${offset}`,
      kind: 'note' as const,
      at: createdAt,
      text,
      by,
    })),
  ];
  return entries.sort((one, other) => Date.parse(other.at) - Date.parse(one.at));
}
