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
  readonly createdAt: Date;
  readonly version: Version;
}
