import type { Outgoing } from '../domain/bundle.ts';
import type { SendResult } from '../domain/attempts.ts';

/** What came of one attempt to hand a message over. */
export interface HandedOver {
  /** The name of the provider that was asked; undefined where the message came to none. */
  readonly provider: string | undefined;
  readonly result: SendResult;
  /** Whether the provider tells later whether the message arrived. */
  readonly awaitsReceipt?: boolean;
  /** The provider is at its rate. Nothing was sent, and it counts as no try. */
  readonly isOverRate?: boolean;
}

/** A method by which people are told, and the providers that carry its messages. */
export interface Channel {
  /** The names of the providers, in the order in which they are asked; at least one. */
  readonly providers: readonly string[];
  /** How many messages its provider takes at this instant, by its rate; absent where there is no rate. */
  readonly places?: () => number;
  /**
   * Writes a message and gives it to a provider that has not refused it yet. Answers within a bounded time and never rejects.
   * `holdsTurn` tells whether this process still holds the turn. It is asked right before the message goes out, where
   * something was waited for.
   */
  send(outgoing: Outgoing, holdsTurn?: () => boolean): Promise<HandedOver>;
}
