import type {
  AlertCommand,
  AlertEvent,
  BuriedRecord,
  ConsumedBatch,
  Decision,
  Page,
  Settlement,
} from '@tocsin/contracts';
import type { Run } from '../domain/runs/run.ts';

/** The changes that a settlement writes about one run. */
export interface RunChange {
  /** When it is written: the retention of a closed or deleted alert's run counts from its last change. */
  readonly at: Date;
  /** Absent where nothing is kept: a new owner is notified of an alert that has no run. */
  readonly run: Run | undefined;
  readonly pages: readonly Page[];
  /** Commands for the owner of the alert. */
  readonly commands: readonly AlertCommand[];
  readonly decisions: readonly Decision[];
}

/** Where runs are kept; each settlement is one transaction with its pages, commands and decisions. */
export interface RunStore {
  /**
   * Settles events, those of each partition in order; `decide` returns the changes of those that may page a user. Several
   * batches are settled in one transaction, or refused together when one of them cannot be.
   */
  settleEvents(
    batches: readonly ConsumedBatch<AlertEvent>[],
    decide: (run: Run | undefined, event: AlertEvent) => RunChange | undefined,
  ): Promise<Settlement>;
  /** Moves the checkpoint past a record that fails each time, and logs that with its alert. */
  bury(record: BuriedRecord, decision: Decision | undefined): Promise<Settlement>;
  find(alertIds: readonly string[]): Promise<ReadonlyMap<string, Run>>;
  /**
   * Removes some of the runs of closed and deleted alerts, changed last at `until` or before, the oldest first. Resolves to how
   * many; 0 when none is left. A run that changes meanwhile stays.
   */
  removeEnded(until: Date): Promise<number>;
}
