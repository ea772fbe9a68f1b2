import type { Clock } from '@tocsin/core';
import type { ContactMethod } from '@tocsin/events';
import { collectionOf, type Connection, inTransaction } from '@tocsin/mongo';
import { DELIVERIES, EARLY_RETRIES, type DeliveryDocument } from '../messages/delivery-document.ts';
import type { RecipientQueues } from './recipient-queue-store.ts';

/** A provider of one method. */
export interface ProviderOfMethod {
  readonly method: ContactMethod;
  readonly provider: string;
}

export interface EarlyRetriesParts {
  readonly connection: Connection;
  readonly queues: Pick<RecipientQueues, 'enqueue' | 'gate'>;
  readonly clock: Clock;
  /** Called when messages have become due. */
  readonly onWaiting: () => void;
  /** Called when they cannot be made due now: a later acceptance, or their own time, makes them due. */
  readonly onFailure: (error: unknown) => void;
  /** Milliseconds of a clock that is never set back. */
  readonly now?: () => number;
}

/** How often messages of one provider are looked for, in real time. */
export const EARLY_RETRY_EVERY_MS = 1_000;
/** How many messages one look makes due. While there are more, each accepted message begins another look. */
const MAX_MADE_DUE = 200;
/** A message that is due so soon is left alone, also one that waits for the rate of its provider. */
const SOON_MS = 1_000;
/** Real time. The result of the message that was accepted waits for the transaction. */
const DEADLINE_MS = 2_000;

/**
 * Makes messages due before their time, which their provider refused and which it probably takes now, because it has accepted another
 * one (U7). Their back-off would keep them for up to a minute more.
 *
 * Which messages these are is in their documents alone, so it does not matter which process saw the refusals. The messages become due
 * before the result of the accepted one is written: where the process dies in between, another one sends that message again (U17), and
 * its acceptance makes them due.
 */
export class EarlyRetries {
  readonly #parts: EarlyRetriesParts;
  readonly #now: () => number;
  /** Provider -> when its messages were looked for last. */
  readonly #lookedAtMs = new Map<string, number>();
  /** The providers that have accepted a message since the look. */
  readonly #again = new Map<string, ProviderOfMethod>();

  constructor(parts: EarlyRetriesParts) {
    this.#parts = parts;
    this.#now = parts.now ?? (() => performance.now());
  }

  /**
   * The provider has accepted a message. Resolves once messages that it had refused are due, at most 200 of them, or cannot be made due;
   * at once within a second of the last look, which {@link lookAgain} makes up for. Never rejects.
   */
  async accepted(provider: ProviderOfMethod): Promise<void> {
    const lookedAtMs = this.#lookedAtMs.get(nameOf(provider)) ?? -Infinity;
    if (this.#now() < lookedAtMs + EARLY_RETRY_EVERY_MS) this.#again.set(nameOf(provider), provider);
    else await this.#look(provider);
  }

  /**
   * Looks for the messages of each provider that has accepted a message since the last look for it: another one may have been refused just
   * before that, and its result written after the look. Never rejects.
   */
  async lookAgain(): Promise<void> {
    for (const provider of [...this.#again.values()]) await this.#look(provider);
  }

  async #look(provider: ProviderOfMethod): Promise<void> {
    const name = nameOf(provider);
    this.#again.delete(name);
    this.#lookedAtMs.set(name, this.#now());
    try {
      if ((await this.#makeDue(provider)) < MAX_MADE_DUE) return;
      this.#lookedAtMs.delete(name);
    } catch (error) {
      this.#parts.onFailure(error);
    }
    this.#again.set(name, provider);
  }

  /** Resolves with how many messages were found. */
  async #makeDue({ method, provider }: ProviderOfMethod): Promise<number> {
    const { clock, connection, onWaiting, queues } = this.#parts;
    const deliveries = collectionOf<DeliveryDocument>(connection, DELIVERIES);
    const now = clock.now();
    // A message under way is not in this state.
    const early = {
      earlyRetry: 'allowed' as const,
      state: 'waiting' as const,
      nextAt: { $gt: new Date(now.getTime() + SOON_MS) },
    };
    const found = await deliveries
      .find({ method, provider, ...early }, { projection: { queue: 1 } })
      .sort({ rank: 1, nextAt: 1 })
      .hint(EARLY_RETRIES)
      .limit(MAX_MADE_DUE)
      .toArray();
    if (found.length === 0) return 0;
    const due = new Map(found.flatMap(({ queue }) => (queue === undefined ? [] : [[queue, now]])));
    await inTransaction(
      connection,
      async (session) => {
        const filter = { _id: { $in: found.map(({ _id }) => _id) }, ...early };
        await deliveries.updateMany(filter, { $set: { earlyRetry: 'used', nextAt: now } }, { session });
        await queues.enqueue(due, session);
      },
      { gate: queues.gate, deadlineMs: DEADLINE_MS },
    );
    onWaiting();
    return found.length;
  }
}

const nameOf = ({ method, provider }: ProviderOfMethod): string => `${method}/${provider}`;
