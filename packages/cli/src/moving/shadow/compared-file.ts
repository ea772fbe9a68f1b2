import { KeptFile } from './kept-file.ts';
import type { ComparedUser } from './reached.ts';

/** An alert that was compared. */
export interface ComparedAlert {
  /** In Opsgenie. */
  readonly id: string;
  /** In Tocsin, where it has the alert. */
  readonly tocsinId?: string;
  readonly message: string;
  readonly createdAt: string;
  readonly teamId?: string | undefined;
  readonly users: readonly ComparedUser[];
  /** Why it could not be compared. */
  readonly notComparable?: string;
  /** What the logs of both sides say, where a user differs. */
  readonly logs?: { readonly theirs: readonly string[]; readonly ours: readonly string[] };
}

/**
 * The alerts that were compared with a tolerance and can change no more. They are kept beside the place of the mirror, so that none is asked
 * for again.
 */
export class ComparedFile extends KeptFile<ComparedAlert> {
  /** @throws as KeptFile. */
  constructor(folder: string, toleranceSeconds: number) {
    super(folder, `compared-${toleranceSeconds}s.jsonl`);
  }
}
