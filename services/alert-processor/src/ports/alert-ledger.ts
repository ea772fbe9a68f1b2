import type { AlertCommand, ConsumedBatch, ConsumedRecord, Settlement } from '@tocsin/contracts';
import type { RequestStatus } from '../domain/request-status.ts';
import type { Changes, World } from '../domain/settle.ts';

/** A record that fails for ever; `value` is undefined where its bytes are not a command. */
export type BuriedCommand = ConsumedRecord<AlertCommand | undefined> & {
  readonly topic: string;
  readonly partition: number;
  readonly clusterId: string;
};

/** Where alerts are written: each batch of commands in one transaction with the position of its partition. */
export interface AlertLedger {
  /**
   * Hands `decide` the commands of the batch that lie at or above the partition's position, and the world as they find it;
   * writes what it answers. Either all of it is written, the position too, or nothing. `decide` may be called more than
   * once. Never throws.
   */
  settle(
    batch: ConsumedBatch<AlertCommand>,
    decide: (commands: readonly AlertCommand[], world: World) => Changes,
  ): Promise<Settlement>;
  /**
   * Moves the position past `record`, with the status of its request where it has one; the status of a request that has
   * settled stays. Never throws.
   */
  bury(record: BuriedCommand, status: RequestStatus | undefined): Promise<Settlement>;
}
