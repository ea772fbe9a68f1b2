import type { AlertWords } from '../domain/alert-words.ts';

export interface WordStore {
  /** Keeps the words of each alert that is still there, unless those of a later version are kept: repeats are harmless. */
  keep(collected: readonly AlertWords[]): Promise<void>;
}
