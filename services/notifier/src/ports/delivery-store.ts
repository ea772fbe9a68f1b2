import type { Decision } from '@tocsin/contracts';
import type { Delivery } from '../domain/delivery.ts';
import type { AlertStanding } from '../domain/wanted.ts';

/** What is written down about one delivery: its new state, the next try where there is one, and the decision for the log. */
export interface DeliveryChange {
  readonly delivery: Delivery;
  readonly retryAt?: Date;
  readonly decision?: Decision;
}

/** The claim to a delivery whose time has come: its id, and whatever the store needs to know it again. */
export interface Claim {
  /** The delivery's id. */
  readonly id: string;
}

/** What became of one attempt. */
export interface Conclusion<C extends Claim> extends DeliveryChange {
  readonly claim: C;
}

/** Where deliveries are kept; every method is one transaction. */
export interface DeliveryStore<C extends Claim> {
  /**
   * Decides about the claimed deliveries that are not final yet, with what is known of their alerts, and writes the
   * decisions; claims to anything final or unknown are given up. Answers what was written.
   */
  begin(
    claims: readonly C[],
    decide: (delivery: Delivery, standing: AlertStanding | undefined) => DeliveryChange,
  ): Promise<readonly Delivery[]>;
  /**
   * Writes what became of claimed deliveries; a claim ends unless there is another try. A result of an attempt that does not
   * hold its delivery any more changes nothing (U7). Answers those that were taken.
   */
  conclude(conclusions: readonly Conclusion<C>[]): Promise<readonly Conclusion<C>[]>;
}
