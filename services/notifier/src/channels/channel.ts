import type { SendResult } from '../messages/attempts.ts';
import type { Outgoing } from '../messages/bundle.ts';

/** The result of one attempt to hand a message over. */
export interface HandedOver {
  /** The name of the provider; undefined where the message was given to none. */
  readonly provider: string | undefined;
  readonly result: SendResult;
  /** Whether the provider will send a receipt. */
  readonly awaitsReceipt?: boolean;
  /** The provider is at its rate. Nothing was sent, and it counts as no try. */
  readonly isOverRate?: boolean;
  /** The providers of the channel that take the message; absent where all do. */
  readonly takenBy?: readonly string[];
}

/** A method of messages to users, and the providers that carry them. */
export interface Channel {
  /** The names of the providers, at least one, in the order in which messages are given to them. */
  readonly providers: readonly string[];
  /** How many messages the rate of its provider allows at this instant; absent without a rate. */
  readonly slots?: () => number;
  /**
   * Writes a message and gives it to a provider that has not refused it yet. Resolves within a bounded time and never rejects.
   * `isLeased`: whether this process still has the lease of the queue. A provider calls it after a wait, right before it sends the
   * message. `isLastTry`: the message is given to a provider also where all have asked to wait.
   */
  send(outgoing: Outgoing, isLeased?: () => boolean, isLastTry?: boolean): Promise<HandedOver>;
}

/** The attempt of a message. Providers may refuse a repeat by it, and callbacks name it. */
export interface AttemptReference {
  readonly deliveryId: string;
  readonly attempt: number;
  /** Where the provider reports the fate of the message; only for one that {@link Provider.sendsReceipts}. */
  readonly callbackUrl?: string | undefined;
  /** Whether this process still has the lease of the message's queue; absent where it always has. */
  readonly isLeased?: (() => boolean) | undefined;
}

/** One way to hand messages of a channel over. Answers within a bounded time and never rejects: every failure is a result (U7). */
export interface Provider<M> {
  /** Its name in settings, log and metrics. */
  readonly name: string;
  /** Whether it reports receipts, at the URL of each attempt. */
  readonly sendsReceipts?: boolean;
  /** Whether it takes a message; absent where it takes each. */
  takes?(message: M): boolean;
  send(message: M, attempt: AttemptReference): Promise<SendResult>;
  close?(): Promise<void>;
}

/** The time in which a provider gets no messages, because it asked for that by `Retry-After` (U7). */
export interface ProviderPause {
  /** How long it still lasts, milliseconds; 0 where there is none. */
  remainingMs(): number;
  /** Begins it, or makes it longer. Resolves once it is stored or cannot be stored, and never rejects. */
  begin(ms: number): Promise<void>;
  /** Ends it early, because the provider takes messages again. Resolves as `begin` does. */
  end(): Promise<void>;
}

/** The pauses of providers and receivers. */
export interface Pauses {
  /** The pause of a provider, `<method>/<name>`, or of a receiver, `webhook/<integration>`. */
  of(name: string): ProviderPause;
}
