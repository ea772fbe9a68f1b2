import type { MaintenanceRule, MaintenanceType } from '@tocsin/contracts';

/** A window in which integrations are silent, or policies are switched (part 1, 2.7; P9, P14). */
export interface Maintenance {
  readonly id: string;
  readonly createdAt: Date;
  readonly description: string;
  /** The team whose key made it; the account's where undefined (K4). */
  readonly teamId: string | undefined;
  readonly type: MaintenanceType;
  /** Inclusive. */
  readonly startsAt: Date;
  /** Exclusive; undefined where it lasts until it is cancelled. */
  readonly endsAt: Date | undefined;
  readonly cancelledAt: Date | undefined;
  /** Nobody sees it any more. It is kept for commands that were accepted before. */
  readonly deletedAt: Date | undefined;
  readonly rules: readonly MaintenanceRule[];
}

/** Whether it governs what was accepted at `at`: from its start to its end, its cancellation or its deletion (P9). */
export function isInForce({ startsAt, endsAt, cancelledAt, deletedAt }: Maintenance, at: Date): boolean {
  const ends = [endsAt, cancelledAt, deletedAt].filter((end) => end !== undefined);
  return startsAt <= at && ends.every((end) => at < end);
}
