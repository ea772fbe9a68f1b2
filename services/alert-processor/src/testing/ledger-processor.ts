import type { AlertCommand, BatchResult, ConsumedBatch, FailedRecord, RecordTransactions } from '@tocsin/events';
import { StagedProcessor } from '@tocsin/kafka';
import type { Session } from '@tocsin/mongo';
import type { RequestStatus } from '../requests/request-status.ts';
import { lateOf, type StoredState, type Written } from '../alerts/apply-commands.ts';
import type { AlertStore } from '../alerts/store.ts';

/** Processes batches with the store of the alerts, and with another decision than that of the service. */
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

export const ledgerProcessor = (alerts: AlertStore, transactions: RecordTransactions<Session>): LedgerProcessor => ({
  apply: (batches, decide) =>
    new StagedProcessor<AlertCommand, Session, void, StoredState, { written: Written; stored: StoredState }>(
      {
        read: async (tx, records) => {
          const stored = await alerts.read(
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
        write: (tx, { stored, written }) => alerts.writeCommands(written, stored, tx),
      },
      transactions,
    ).process(batches),
  deadLetter: ({ clusterId, partition, topic, ...record }, status) =>
    transactions.process([{ clusterId, partition, topic, records: [record] }], async (tx) => {
      if (status !== undefined) await alerts.writeFailed(status, tx);
    }),
});
