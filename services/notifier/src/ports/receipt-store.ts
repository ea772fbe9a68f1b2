import type { Decision } from '@tocsin/contracts';
import type { Delivery } from '../domain/delivery.ts';

/** What is written down because of a receipt. */
export interface ReceiptChange {
  /** The delivery as it is now; absent where it stays as it was. */
  readonly delivery?: Delivery;
  /** The delivery by which the message goes to the next provider: due at once. */
  readonly successor?: Delivery;
  readonly decision?: Decision;
}

/** Where receipts move deliveries on. */
export interface ReceiptStore {
  /**
   * Asks `decide` about each delivery of a message as it is, and writes what it answers, in one transaction; whoever hands the
   * message over meanwhile does not hold it any more. `decide` may be asked again. `id` is that of a delivery, or of a
   * bundle. Answers nothing where there is no such message.
   */
  receive<C extends ReceiptChange>(id: string, now: Date, decide: (delivery: Delivery) => C): Promise<readonly C[]>;
  /** Removes content that was kept for receipts until `until` or before, of one lot; answers of how many messages. */
  forget(until: Date): Promise<number>;
}
