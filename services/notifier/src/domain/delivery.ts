import type { ContactMethod, Page } from '@tocsin/contracts';

/**
 * The life of one message: `waiting` for its time (first or again) -> `sending` -> `sent`, or `failed`, or `dropped` because
 * nobody wants it any more. The last three are final.
 */
type DeliveryState = 'waiting' | 'sending' | 'sent' | 'failed' | 'dropped';

export interface Delivery {
  readonly deliveryId: string;
  readonly page: Page;
  readonly username: string;
  readonly method: ContactMethod;
  readonly to: string;
  readonly state: DeliveryState;
  /** How often it was handed to a provider, or was about to be. */
  readonly attempts: number;
  /** How often a process died, or lost the database, between the hand-over and its result. */
  readonly interruptions: number;
  /** When it was first due: tries end a while after it. */
  readonly dueAt: Date;
  /** What the provider or we ourselves said last. */
  readonly reason: string | undefined;
}

/** What a provider made of a message (U7). */
export type SendResult =
  | { readonly kind: 'accepted'; readonly response: string }
  | { readonly kind: 'temporary'; readonly reason: string }
  /** It fell silent in the middle: the message may have arrived, or not. */
  | { readonly kind: 'unknown'; readonly reason: string }
  | { readonly kind: 'permanent'; readonly reason: string };

/** What becomes of a delivery; `retryAt` when it is tried again. */
export interface Outcome {
  readonly delivery: Delivery;
  readonly retryAt?: Date;
}

const TRY_FOR_MS = 15 * 60_000;
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * About to be handed over: from here on a crash leaves the message sent or not, and nobody can know. It is sent once more,
 * and when that is cut as well, it has failed (U7: at most one repeat).
 */
export function begun(delivery: Delivery): Delivery {
  const interruptions = delivery.interruptions + (delivery.state === 'sending' ? 1 : 0);
  if (interruptions > 1)
    return { ...delivery, state: 'failed', interruptions, reason: 'its sending was cut twice; it may have arrived' };
  return { ...delivery, state: 'sending', attempts: delivery.attempts + 1, interruptions };
}

export const dropped = (delivery: Delivery, reason: string): Delivery => ({ ...delivery, state: 'dropped', reason });

/**
 * After the provider's answer: sent, failed for good, or another try with growing pauses and jitter, for at most 15 minutes
 * from the instant it was due. A provider that fell silent is asked again for P1 and P2 alone (U7). `jitter` is from 0 up to but not including 1.
 */
export function concluded(delivery: Delivery, result: SendResult, now: Date, jitter: number): Outcome {
  switch (result.kind) {
    case 'accepted':
      return { delivery: { ...delivery, state: 'sent', reason: result.response } };
    case 'permanent':
      return { delivery: { ...delivery, state: 'failed', reason: result.reason } };
    case 'unknown':
      return isUrgent(delivery)
        ? retried(delivery, result.reason, now, jitter)
        : { delivery: left(delivery, result.reason) };
    case 'temporary':
      return retried(delivery, result.reason, now, jitter);
  }
}

/** For these a double page beats none (U7). */
const isUrgent = ({ page }: Delivery): boolean => page.alert.priority === 'P1' || page.alert.priority === 'P2';

const left = (delivery: Delivery, reason: string): Delivery => ({
  ...delivery,
  state: 'failed',
  reason: `${reason} (it may have arrived, and is not sent twice)`,
});

function retried(delivery: Delivery, reason: string, now: Date, jitter: number): Outcome {
  const retryAt = new Date(now.getTime() + pauseMs(delivery.attempts, jitter));
  if (retryAt.getTime() > delivery.dueAt.getTime() + TRY_FOR_MS)
    return { delivery: { ...delivery, state: 'failed', reason: `${reason} (given up after 15 minutes)` } };
  return { delivery: { ...delivery, state: 'waiting', reason }, retryAt };
}

function pauseMs(attempts: number, jitter: number): number {
  const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.max(0, attempts - 1));
  return Math.round(longest * (0.5 + jitter / 2));
}

/** Whether nothing more will happen to it. */
export const isFinal = ({ state }: Delivery): boolean => state === 'sent' || state === 'failed' || state === 'dropped';
