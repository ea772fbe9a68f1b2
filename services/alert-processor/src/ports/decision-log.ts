import type { LogEntry } from '../domain/history.ts';

export interface DecisionLog {
  /** Adds the entries that are not there yet; one that is stays as it is. Those of alerts that were removed are left out. */
  append(entries: readonly LogEntry[]): Promise<void>;
}
