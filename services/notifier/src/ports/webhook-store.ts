import type { ConsumedBatch, Decision, Settlement, WebhookCommand } from '@tocsin/contracts';
import type { CallPeriod } from '../domain/webhooks/call-period.ts';
import type { WebhookDelivery, WebhookOutcome } from '../domain/webhooks/webhook-delivery.ts';
import type { Turn } from './delivery-store.ts';

/** What became of a delivery, with what the log of its alert says of it. */
export interface WebhookChange {
  readonly delivery: WebhookDelivery;
  readonly outcome: WebhookOutcome;
  readonly decision: Decision | undefined;
}

export interface TurnEnd {
  readonly now: Date;
  /** When the turn goes on at the earliest. */
  readonly notBefore?: Date | undefined;
  /** Replaces what `calling` returns; absent: that stays. */
  readonly calling?: CallPeriod | undefined;
}

/** Deliveries to integrations, which wait for the turns of these; only one process at a time has the turn of an integration. */
export interface WebhookStore {
  /**
   * Adds what the commands ask for, in one transaction with the positions: each delivery once, however often its command comes.
   * What waits of an alert that was deleted is erased (A6). Never throws.
   */
  settle(batches: readonly ConsumedBatch<WebhookCommand>[], now: Date): Promise<Settlement>;
  /** The turns of at most `most` integrations of which something is due, those first that wait longest. */
  claim(now: Date, most: number): Promise<readonly Turn[]>;
  /** Keeps turns for another lease, and frees those of the dead; whether there were any. */
  keep(turns: readonly Turn[]): Promise<boolean>;
  release(turns: readonly Turn[]): Promise<void>;
  /**
   * The first delivery of each alert that may be handed over now. An alert has none while its first one is to be tried later. None at
   * all where another process may have the turn by now.
   */
  due(turn: Turn, now: Date, most: number): Promise<readonly WebhookDelivery[]>;
  /** The last calls of the receiver of the integration, by all processes; undefined before the first call. */
  calling(turn: Turn): Promise<CallPeriod | undefined>;
  /** Whatever waits and came at `until` or before, the oldest first. */
  waiting(turn: Turn, until: Date, most: number): Promise<readonly WebhookDelivery[]>;
  /**
   * Writes what became of deliveries, and ends the turn. False, and nothing is written, where the turn is another's by now. What
   * was erased meanwhile stays so.
   */
  conclude(turn: Turn, changes: readonly WebhookChange[], end: TurnEnd): Promise<boolean>;
  /** Removes some of what came to its end at `until` or before, and answers how many that were. */
  remove(until: Date): Promise<number>;
}
