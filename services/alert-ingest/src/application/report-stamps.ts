import type { StampReport } from '@tocsin/contracts';
import type { StampBook } from '@tocsin/messaging';

/** Who keeps what this process owes, for when it has ended. */
export interface StampKeeper {
  /** @throws UnavailableError when it cannot be kept now. */
  keep(report: StampReport): Promise<void>;
}

/** Says what this process owes for the commands that it was told are on Kafka. What could not be said is said next time. */
export async function reportStamps(book: StampBook, keeper: StampKeeper): Promise<void> {
  const report = book.report();
  if (report.partitions.length === 0) return;
  await keeper.keep(report);
  book.kept(report);
}
