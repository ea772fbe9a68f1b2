import type { Clock } from '@tocsin/core';
import { collectionOf, type Connection } from '@tocsin/mongo';
import type { mongo } from 'mongoose';
import { PROVIDER_PAUSES } from '../../messages/delivery-document.ts';
import type { Pauses, ProviderPause } from '../channel.ts';

interface PauseDocument {
  readonly _id: string;
  readonly until: Date;
}

export interface ProviderPausesParts {
  readonly connection: Connection;
  readonly clock: Clock;
  /** Called when a pause begins, gets longer or is read at the start, with its end, and with undefined when it ends early. */
  readonly onPaused: (provider: string, until: Date | undefined) => void;
  /** Called when a pause cannot be stored: a process that starts next does not know it. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * The pauses of providers and of receivers of webhooks, in memory and stored, so that a process knows them from its start. Processes that
 * run learn a pause by an answer of their own.
 */
export class ProviderPauses implements Pauses {
  readonly #parts: ProviderPausesParts;
  readonly #untilByName = new Map<string, Date>();

  constructor(parts: ProviderPausesParts) {
    this.#parts = parts;
  }

  /** Reads the pauses that go on. To be called at the start. */
  async load(): Promise<void> {
    const stored = await this.#documents()
      .find({ until: { $gt: this.#parts.clock.now() } })
      .toArray();
    for (const { _id, until } of stored) {
      this.#untilByName.set(_id, until);
      this.#parts.onPaused(_id, until);
    }
  }

  of(name: string): ProviderPause {
    return {
      remainingMs: () => this.#remainingMs(name),
      begin: (ms) => this.#begin(name, ms),
      end: () => this.#end(name),
    };
  }

  #remainingMs(name: string): number {
    const until = this.#untilByName.get(name);
    if (until === undefined) return 0;
    const remainingMs = until.getTime() - this.#parts.clock.now().getTime();
    if (remainingMs > 0) return remainingMs;
    this.#untilByName.delete(name);
    return 0;
  }

  async #begin(name: string, ms: number): Promise<void> {
    const { clock, onPaused } = this.#parts;
    if (this.#remainingMs(name) >= ms) return;
    const until = new Date(clock.now().getTime() + ms);
    this.#untilByName.set(name, until);
    onPaused(name, until);
    await this.#stored((documents) =>
      documents.updateOne({ _id: name }, [{ $set: { until: { $max: ['$until', until] } } }], { upsert: true }),
    );
  }

  async #end(name: string): Promise<void> {
    this.#untilByName.delete(name);
    this.#parts.onPaused(name, undefined);
    await this.#stored((documents) => documents.deleteOne({ _id: name }));
  }

  async #stored(write: (documents: mongo.Collection<PauseDocument>) => Promise<unknown>): Promise<void> {
    try {
      await write(this.#documents());
    } catch (error) {
      this.#parts.onFailure(error);
    }
  }

  #documents() {
    return collectionOf<PauseDocument>(this.#parts.connection, PROVIDER_PAUSES);
  }
}
