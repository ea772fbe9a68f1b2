import type { Version } from '@tocsin/contracts';

/** Passes the duty of one user to another for a time (part 2, 2.10; S13). */
export interface ForwardingRule {
  readonly id: string;
  /** Unique where it is set. */
  readonly alias: string | undefined;
  readonly fromUserId: string;
  /** Never `fromUserId`. */
  readonly toUserId: string;
  /** Inclusive. */
  readonly startAt: Date;
  /** Exclusive, after `startAt`. */
  readonly endAt: Date;
  /** Later than that of every rule that was there before: the order of creation decides (S13). */
  readonly createdAt: Date;
  readonly version: Version;
}

/** Rules that pass on the duty of one user at most (E14). */
export const MOST_RULES_OF_USER = 1_000;
