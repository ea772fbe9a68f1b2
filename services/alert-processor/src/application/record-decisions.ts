import type { Decision } from '@tocsin/contracts';
import { decisionEntries } from '../domain/decision-entries.ts';
import type { DecisionLog } from '../ports/decision-log.ts';

/** Keeps every decision in the log of its alert (promise 2), whether or not the alert is known by now. */
export class RecordDecisions {
  readonly #log: DecisionLog;

  constructor(log: DecisionLog) {
    this.#log = log;
  }

  /** Writing the same decisions again changes nothing. */
  async record(decisions: readonly Decision[]): Promise<void> {
    const entries = decisions.flatMap(decisionEntries);
    if (entries.length > 0) await this.#log.append(entries);
  }
}
