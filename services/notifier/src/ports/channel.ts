import type { Delivery, SendResult } from '../domain/delivery.ts';

/** What came of one attempt to hand a message over. */
export interface HandedOver {
  /** The name of the provider that was asked; undefined where the message came to none. */
  readonly provider: string | undefined;
  readonly result: SendResult;
  /** Whether the provider tells later whether the message arrived. */
  readonly awaitsReceipt?: boolean;
}

/** A method by which people are told, and the providers that carry its messages. */
export interface Channel {
  /** The names of the providers, in the order in which they are asked; at least one. */
  readonly providers: readonly string[];
  /**
   * Writes the message of a delivery and gives it to a provider that has not refused it yet. Answers within a bounded time and
   * never rejects.
   */
  send(delivery: Delivery): Promise<HandedOver>;
}
