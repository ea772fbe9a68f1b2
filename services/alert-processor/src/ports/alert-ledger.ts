import type { AlertCommand, ConsumedBatch, ConsumedRecord, Settlement, WebhookCommand } from '@tocsin/contracts';
import type { RequestStatus } from '../domain/request-status.ts';
import type { Changes, StoredState } from '../domain/settle.ts';

/** A record that fails on every try; `value` is undefined if its bytes are not a command. */
export type BuriedCommand = ConsumedRecord<AlertCommand | undefined> & {
  readonly topic: string;
  readonly partition: number;
  readonly clusterId: string;
};

/** The request ids of the records that came late. */
export function lateOf(records: readonly ConsumedRecord<AlertCommand>[]): ReadonlySet<string> {
  return new Set(records.filter(({ late = false }) => late).map(({ value }) => value.requestId));
}

/** The writes of a batch, with the webhook commands that follow from them. */
export interface Written extends Changes {
  /** In the order of the commands. */
  readonly webhooks?: readonly WebhookCommand[];
}

/** Writes alerts: batches of commands in one transaction with the positions of their partitions. */
export interface AlertLedger {
  /**
   * Calls `decide` with the commands of `batches`, each of another partition, at or above their partition's position,
   * and with the state stored before them. Writes its result and the new positions, all or nothing. Several batches are
   * refused if one of them has to settle on its own. `decide` may be called more than once. Never throws.
   */
  settle(
    batches: readonly ConsumedBatch<AlertCommand>[],
    decide: (commands: readonly AlertCommand[], stored: StoredState) => Written | Promise<Written>,
  ): Promise<Settlement>;
  /**
   * Moves the position past `record` and stores the status of its request, if there is one. The status of a request
   * that has settled stays. Never throws.
   */
  bury(record: BuriedCommand, status: RequestStatus | undefined): Promise<Settlement>;
}
