import type { SendResult } from '../domain/attempts.ts';

/** Which attempt a message belongs to: what a provider may use to refuse a repeat, and what callbacks name. */
export interface AttemptReference {
  readonly deliveryId: string;
  readonly attempt: number;
  /** Where the provider tells what became of the message; only for one that {@link Provider.tellsReceipts}. */
  readonly callbackUrl?: string | undefined;
  /** Whether this process still holds the turn of the message; absent where it always does. */
  readonly holdsTurn?: (() => boolean) | undefined;
}

/** One way to hand messages of a channel over. Answers within a bounded time and never rejects: every trouble is a result (U7). */
export interface Provider<M> {
  /** How the settings, the log and metrics name it. */
  readonly name: string;
  /** Whether it is told where to say what became of a message, and says so. */
  readonly tellsReceipts?: boolean;
  send(message: M, attempt: AttemptReference): Promise<SendResult>;
  close?(): Promise<void>;
}
