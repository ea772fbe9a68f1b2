import type { NumberRange, StampAccount, StampReport } from '@tocsin/contracts';
import type { OwedLane } from '../domain/owed.ts';

/** What one process that stamps commands owes, and what came of it. */
export interface OwedInstance {
  readonly instance: string;
  readonly reportedAt: Date;
  readonly lanes: readonly OwedLane[];
  /** By partition; what is not there has brought nothing. */
  readonly seen: ReadonlyMap<number, StampAccount>;
}

/** Numbers that somebody was told yes about, and that no partition will bring. */
export interface StampLoss {
  readonly instance: string;
  readonly partition: number;
  readonly numbers: NumberRange;
  readonly foundAt: Date;
}

/** What processes owe by their own reports, what partitions have brought, and what is known to be lost. */
export interface StampLedger {
  /** @throws UnavailableError when another report of the process was kept meanwhile: it speaks again. */
  keep(report: StampReport, now: Date): Promise<void>;
  /**
   * Everybody who owes, at most a thousand. Accounts are kept apart from the checkpoints on the way, and leave them once their
   * process is silent for ten minutes: a checkpoint stays small, and a topic that is made anew takes no account with it.
   */
  owed(now: Date): Promise<readonly OwedInstance[]>;
  /** Notes losses; one that is known stays as it is. */
  note(losses: readonly StampLoss[]): Promise<void>;
  /** Those found after `since`, at most a thousand, the newest first. */
  losses(since: Date): Promise<readonly StampLoss[]>;
  /** Forgets processes that spoke last at `until` or before, and their losses; answers how many. */
  remove(until: Date): Promise<number>;
}
