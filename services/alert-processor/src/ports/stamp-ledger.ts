import type { NumberRange, StampAccount, StampReport } from '@tocsin/contracts';
import type { OwedLane } from '../domain/owed.ts';

/** What one process that stamps commands owes, and what partitions have brought of it. */
export interface OwedInstance {
  readonly instance: string;
  readonly reportedAt: Date;
  readonly lanes: readonly OwedLane[];
  /** By partition; a partition that is absent has brought nothing. */
  readonly seen: ReadonlyMap<number, StampAccount>;
}

/** Numbers that were answered 202, and that no partition will bring. */
export interface StampLoss {
  readonly instance: string;
  readonly partition: number;
  readonly numbers: NumberRange;
  readonly foundAt: Date;
}

/** What processes report that they owe, what partitions have brought, and what is known to be lost. */
export interface StampLedger {
  /** @throws UnavailableError when another report of the process was kept meanwhile: the process reports again. */
  keep(report: StampReport, now: Date): Promise<void>;
  /**
   * All processes that owe, at most a thousand. It also copies the accounts in the checkpoints to a place of their own,
   * and takes them out of the checkpoints once their process is silent for ten minutes. So a checkpoint stays small,
   * and accounts outlive a topic that is recreated.
   */
  owed(now: Date): Promise<readonly OwedInstance[]>;
  /** Notes losses; a known one stays as it is. */
  note(losses: readonly StampLoss[]): Promise<void>;
  /** The losses found after `since`, newest first, at most a thousand. */
  losses(since: Date): Promise<readonly StampLoss[]>;
  /** Removes processes whose last report came at `until` or before, and their losses. Returns how many. */
  remove(until: Date): Promise<number>;
}
