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

interface PagedAnswer {
  readonly paging: { readonly next?: string | undefined };
}

/** What the history does not have, a sentence for each part: of the log that it shows, and of the query of the notes. */
export function missingTexts(
  log: PagedAnswer,
  notes: { readonly data: PagedAnswer | undefined; readonly error: Error | null },
): readonly string[] {
  return [
    notes.error !== null && 'Notes could not be loaded.',
    notes.error === null && notes.data === undefined && 'Notes are loading.',
    notes.data?.paging.next !== undefined && 'Older notes are not shown. The API has all of them.',
    log.paging.next !== undefined && 'Older log entries are not shown. The API has all of them.',
  ].filter((text) => text !== false);
}
