import type { AlertCommand, ConsumedBatch, ConsumedRecord, Settlement, WebhookCommand } from '@tocsin/contracts';
import type { RequestStatus } from '../domain/request-status.ts';
import type { Changes, StoredState } from '../domain/settle.ts';

/** A record that fails for ever; `value` is undefined where its bytes are not a command. */
export type BuriedCommand = ConsumedRecord<AlertCommand | undefined> & {
  readonly topic: string;
  readonly partition: number;
  readonly clusterId: string;
};

/** The request ids of the commands that came late. */
export function lateOf(records: readonly ConsumedRecord<AlertCommand>[]): ReadonlySet<string> {
  return new Set(records.filter(({ late = false }) => late).map(({ value }) => value.requestId));
}

/** What is written, with what integrations are to be told of it. */
export interface Written extends Changes {
  /** In the order of the commands. */
  readonly webhooks?: readonly WebhookCommand[];
}

/** Where alerts are written: batches of commands in one transaction with the positions of their partitions. */
export interface AlertLedger {
  /**
   * Hands `decide` the commands of `batches`, each of another partition, that lie at or above their partition's position,
   * and the state that is stored before them; writes what it answers. Either all of it is written, the positions too, or nothing.
   * Several are refused where one of them is to be settled by itself. `decide` may be called more than once. Never throws.
   */
  settle(
    batches: readonly ConsumedBatch<AlertCommand>[],
    decide: (commands: readonly AlertCommand[], stored: StoredState) => Written | Promise<Written>,
  ): Promise<Settlement>;
  /**
   * Moves the position past `record`, with the status of its request where it has one; the status of a request that has
   * settled stays. Never throws.
   */
  bury(record: BuriedCommand, status: RequestStatus | undefined): Promise<Settlement>;
}
