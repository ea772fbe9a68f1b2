import type { AlertCommand, BatchResult, ConsumedBatch, FailedRecord, RecordTransactions } from '@tocsin/events';
import { StagedProcessor } from '@tocsin/kafka';
import type { RequestStatus } from '../requests/request-status.ts';
import { lateOf, type StoredState, type Written } from '../alerts/apply-commands.ts';
import type { AlertLedger } from '../alerts/consumer.ts';

/** Processes batches with a ledger, and with another decision than that of the service. */
export interface LedgerProcessor {
  readonly apply: (
    batches: readonly ConsumedBatch<AlertCommand>[],
    decide: (commands: readonly AlertCommand[], stored: StoredState) => Written,
  ) => Promise<BatchResult>;
  readonly deadLetter: (
    record: FailedRecord<AlertCommand | undefined>,
    status: RequestStatus | undefined,
  ) => Promise<BatchResult>;
}

export const ledgerProcessor = <Tx>(
  ledger: AlertLedger<Tx>,
  transactions: RecordTransactions<Tx>,
): LedgerProcessor => ({
  apply: (batches, decide) =>
    new StagedProcessor<AlertCommand, Tx, void, StoredState, { written: Written; stored: StoredState }>(
      {
        read: async (tx, records) => {
          const stored = await ledger.read(
            records.map(({ value }) => value),
            tx,
          );
          return { ...stored, late: lateOf(records) };
        },
        decide: (stored, records) => ({
          written: decide(
            records.map(({ value }) => value),
            stored,
          ),
          stored,
        }),
        write: (tx, { stored, written }) => ledger.writeCommands(written, stored, tx),
      },
      transactions,
    ).process(batches),
  deadLetter: ({ clusterId, partition, topic, ...record }, status) =>
    transactions.process([{ clusterId, partition, topic, records: [record] }], async (tx) => {
      if (status !== undefined) await ledger.writeFailed(status, tx);
    }),
});
