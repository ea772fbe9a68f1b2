import { describe, expect, it } from '@jest/globals';
import { describeAlertLedger } from './alert-ledger.contract.ts';
import { describeAlertReader } from './alert-reader.contract.ts';
import { describeDecisionLog } from './decision-log.contract.ts';
import { openWith, type AlertStorage } from '../testing/open-storage.ts';
import { describeRetainedRows } from './retained-rows.contract.ts';

/** The contract of every storage of alerts. Each adapter runs it, so the fake cannot drift from the real one. */
export function describeAlertStorage(name: string, make: () => Promise<AlertStorage>): void {
  const open = () => openWith(make);
  describeAlertLedger(name, open);
  describeAlertReader(name, open);
  describeDecisionLog(name, open);
  describeRetainedRows(name, open);

  describe(`${name} as a source of tiny ids`, () => {
    it('never gives a tiny id twice', async () => {
      const { tinyIds } = await open();
      const counts = [3, 2, 1, 300, 1, 1];
      const firsts = await Promise.all(counts.map((count) => tinyIds.reserve(count)));
      firsts.push(await tinyIds.reserve(1));
      const taken = [...counts, 1].flatMap((count, index) =>
        Array.from({ length: count }, (_, step) => (firsts[index] ?? 0) + step),
      );
      expect(new Set(taken).size).toBe(309);
      expect(Math.min(...taken)).toBeGreaterThan(0);
    });
  });
}
