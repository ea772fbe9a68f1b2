import type { ContactMethod, Decision, VerificationEvent } from '@tocsin/contracts';
import type { Delivery } from '../domain/delivery.ts';
import type { AlertStanding } from '../domain/wanted.ts';

/**
 * What is written down about one delivery: its new state, the next try where there is one, the decision for the log, and what
 * directory may verify by it.
 */
export interface DeliveryChange {
  readonly delivery: Delivery;
  readonly retryAt?: Date;
  readonly decision?: Decision;
  readonly verification?: VerificationEvent | undefined;
}

/** Decides what becomes of a message that is about to be sent, by what is known of its alert. It may be asked again. */
export type Decide = (delivery: Delivery, standing: AlertStanding | undefined) => DeliveryChange;

/** The claim to a person's turn by one method: until it ends nobody else hands a message over to them. */
export interface Turn {
  /** `<method>:<user>`. */
  readonly id: string;
  /** The token of this claim. Once the turn has another one, somebody else holds it. */
  readonly token: string;
}

/** A delivery whose turn has come, as it was written. */
export interface TakenDelivery {
  readonly turn: Turn;
  readonly delivery: Delivery;
  /** What goes out in the same message (U8). */
  readonly others?: readonly Delivery[];
}

/** What became of a delivery by one attempt. */
export interface DeliveryResult extends DeliveryChange {
  /** The delivery by which the message goes to the next provider: due at once, of the same turn. */
  readonly successor?: Delivery;
}

/** What became of a message by one attempt: of its first delivery, and of the others that went out in it. */
export interface Conclusion extends DeliveryResult {
  readonly turn: Turn;
  readonly others?: readonly DeliveryResult[];
}

/** Places in the window for messages that are begun in the transaction that inserts them. */
export interface Slots {
  /** How many messages may be begun. */
  readonly free: number;
  /** How many of them may be of one method. */
  readonly freeFor: (method: ContactMethod) => number;
  readonly now: Date;
  readonly decide: Decide;
  /** Takes over what was decided, once its transaction is committed: what was begun is handed over. */
  readonly start: (decided: readonly TakenDelivery[]) => void;
}

/** For messages that wait for their turn. */
export const noSlots = (now: Date): Slots => ({
  free: 0,
  freeFor: () => 0,
  now,
  decide: (delivery) => ({ delivery }),
  start: () => undefined,
});

/** What a write of results has come to. */
export interface Concluded {
  /** The results that were taken, at least for a part of their message. */
  readonly taken: readonly Conclusion[];
  /** What was decided about next, of the same turns. */
  readonly next: readonly TakenDelivery[];
}

/** Where deliveries are kept, and whose turn it is. */
export interface DeliveryStore {
  /** Claims the turns of at most `most` people of whom something is due, whoever waits longest first; none of `except`. */
  claim(now: Date, most: number, except?: readonly ContactMethod[]): Promise<readonly Turn[]>;
  /** Keeps turns that are still held, and frees those whose holder is gone; whether any was freed. */
  keep(turns: readonly Turn[]): Promise<boolean>;
  /** Whether a hand-over may begin in this turn: its lease lasts for long enough. */
  mayStart(turn: Turn): boolean;
  /** Gives turns back of which nothing was begun: that counts as nothing. */
  release(turns: readonly Turn[]): Promise<void>;
  /**
   * Chooses what is sent next of each turn (`chooseNext`), decides about it with what is known of the alerts
   * (`decideTogether`), and writes the decisions, in one transaction. A turn of which nothing is sent ends, and is looked at again
   * where more is due; one that is not held any more is left alone. Answers what was written, but for what was begun in a turn
   * whose lease may be over too soon: that waits again, and counts as no try.
   */
  begin(turns: readonly Turn[], now: Date, decide: Decide): Promise<readonly TakenDelivery[]>;
  /**
   * Writes what became of deliveries, and inserts what follows them, in one transaction. Their turns end; where `decide` is given,
   * a turn of which something more is due goes on with it, as in {@link begin}. A result of an attempt that does not hold its
   * delivery any more changes nothing (U7).
   */
  conclude(conclusions: readonly Conclusion[], now: Date, decide?: Decide): Promise<Concluded>;
}
