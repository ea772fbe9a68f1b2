import type { LogEntry } from '../domain/history.ts';

export interface DecisionLog {
  /** Adds the entries that do not exist yet; existing ones stay as they are. Entries of deleted alerts are left out. */
  append(entries: readonly LogEntry[]): Promise<void>;
}
