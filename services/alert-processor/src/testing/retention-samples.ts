import { decisionEntries } from '../alert-log/consumer.ts';
import type { LogEntry } from '../alert-log/entry.ts';
import type { Kept } from '../alerts/retention.ts';
import type { RetentionStore } from '../alerts/retention-store.ts';

const at = (minute: number): Date => new Date(Date.UTC(2026, 0, 5, 8, minute));
const NOW = new Date('2027-06-01T00:00:00.000Z');

/** The entries of a late decision about an alert. */
export const lateEntries = (alertId: string): readonly LogEntry[] =>
  decisionEntries({
    decisionId: `deliver:${alertId}`,
    alertId,
    stage: 'deliver',
    at: at(1).toISOString(),
    findings: [{ subject: 'delivery', outcome: 'dropped', text: 'Not sent.' }],
  });

/** Removes batches until nothing is left to remove, and returns how many rows that were. */
export async function removeAll(
  rows: Pick<RetentionStore, 'oldest' | 'remove'>,
  kind: Kept,
  until: Date,
): Promise<number> {
  let sum = 0;
  for (let removed = 1; removed > 0; sum += removed) removed = await rows.remove(kind, until, NOW);
  return sum;
}
