import type { ContactMethod, NoticeCommand, Page, ShiftNotice } from '@tocsin/contracts';

/**
 * The life of one message: `waiting` for its time (first or again) -> `sending` -> `sent`, or `failed`, or `dropped` because
 * nobody wants it any more. It is not sent again after one of the last three; a receipt may still move it on, to `delivered` or
 * from `sent` to `failed`. `delivered` is never undone.
 */
type DeliveryState = 'waiting' | 'sending' | 'sent' | 'delivered' | 'failed' | 'dropped';

interface Message {
  readonly deliveryId: string;
  readonly username: string;
  readonly method: ContactMethod;
  readonly to: string;
  readonly state: DeliveryState;
  /** How often it was handed to a provider, or was about to be. */
  readonly attempts: number;
  /** Of how many attempts nothing was sent: the provider was at its rate, or they began too late. Absent in rows of earlier releases. */
  readonly postponements?: number;
  /** Of how many attempts nobody knows the outcome: the process died, or lost the database, before their result. */
  readonly interruptions: number;
  /** When it was first due. */
  readonly dueAt: Date;
  /** When its first try began, where that was late: so long as it waited for us, no provider could take it. */
  readonly triedSince?: Date;
  /** What the provider or we ourselves said last. */
  readonly reason: string | undefined;
  /** The provider that was asked last. */
  readonly provider?: string;
  /** The providers that have had their attempts at this message, each as a delivery of its own; absent for the first. */
  readonly refusedBy?: readonly string[];
  /**
   * Of one that was sent: until when its content is kept all the same, because a receipt may say that it failed, and then it
   * goes to another provider.
   */
  readonly keptUntil?: Date;
  /** The message that it went out in with others (U8); absent of what went out, or goes out, by itself. */
  readonly bundle?: BundleMembership;
  /** Its bundle was refused for good, so it is tried once more by itself: what was wrong may be wrong with another page. */
  readonly byItself?: true;
}

/** Which message of several pages a delivery is a part of. It is stored as the message is begun. */
interface BundleMembership {
  readonly id: string;
  /** How often the message was begun, by whatever process. */
  readonly attempt: number;
  /** How many pages it has. */
  readonly size: number;
}

/** A message by a step of one of its user's notification rules. */
interface StepMessage extends Message {
  /** The contact of today decides about the address; without it, `to` stays as it was planned. */
  readonly contactId?: string;
  /** When the next step takes over; tries end then, or after 15 minutes where that is earlier (U7). */
  readonly nextStepAt?: Date;
}

/** A message about an alert: one step of one page. */
export interface PageDelivery extends StepMessage {
  readonly page: Page;
  /** Which run through the steps it is of; absent for the first. */
  readonly run?: number;
}

/** A message about somebody's time on call: one step of one notice (U6). */
export interface ShiftDelivery extends StepMessage {
  readonly shift: ShiftNotice;
}

/** A message about no alert: an invitation, or the code of a contact. */
export interface NoticeDelivery extends Message {
  readonly notice: NoticeCommand;
}

export type Delivery = PageDelivery | ShiftDelivery | NoticeDelivery;

export const isPage = (delivery: Delivery): delivery is PageDelivery => 'page' in delivery;

export const isNotice = (delivery: Delivery): delivery is NoticeDelivery => 'notice' in delivery;

/** False of what is neither a page nor a notice, and of what a later release has stored: no other kind is known here. */
export const isShift = (delivery: Delivery): delivery is ShiftDelivery => 'shift' in delivery;

/** Whom a delivery is for; empty where it is of a kind that is not known here. */
export function userIdOf(delivery: Delivery): string {
  if (isPage(delivery)) return delivery.page.userId;
  if (isNotice(delivery)) return delivery.notice.userId;
  return isShift(delivery) ? delivery.shift.userId : '';
}

/** Of which alert a delivery tells; undefined of a notice, of a shift or another. */
export const alertIdOf = (delivery: Delivery): string | undefined =>
  isPage(delivery) ? delivery.page.alertId : undefined;

/** What is the same for every message before its first try. */
export const UNTRIED = {
  state: 'waiting',
  attempts: 0,
  postponements: 0,
  interruptions: 0,
  reason: undefined,
} as const;

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

/** A page of a bundle that was refused for good is tried by itself at once. */
export const separately = (delivery: Delivery, reason: string, now: Date): Outcome => ({
  delivery: { ...withoutBundle(delivery), state: 'waiting', byItself: true, reason },
  retryAt: now,
});

/** The provider is at its rate, and nothing was sent. The message waits half a second; that counts as no try. */
export const postponed = (delivery: Delivery, reason: string, now: Date): Outcome => ({
  delivery: { ...delivery, state: 'waiting', reason, postponements: (delivery.postponements ?? 0) + 1 },
  retryAt: new Date(now.getTime() + POSTPONED_MS),
});

/** How often a message was really tried: its attempts number each beginning, also those of which nothing was sent. */
export const triesOf = ({ attempts, postponements = 0 }: Pick<Delivery, 'attempts' | 'postponements'>): number =>
  attempts - postponements;

/** For so long are messages tried (U7). */
export const TRY_FOR_MS = 15 * 60_000;
/** A first try that begins so long after its message was due is late. */
const LATE_MS = 60_000;
const FIRST_PAUSE_MS = 2_000;
/** Rates are of messages a second: a few look-ups for each message of the slowest. */
const POSTPONED_MS = 500;
const LONGEST_PAUSE_MS = 60_000;

/** So often is a message sent again of which nobody knows whether it left (U7). */
const MOST_REPEATS = 5;

/**
 * The delivery with its next attempt, which is made at `now`. After a crash from here on nobody can know whether the
 * message was sent: whoever finds it `sending` sends it again, whatever its priority, at most {@link MOST_REPEATS} times (U7).
 */
export function begun(waiting: Delivery, now = waiting.dueAt): Delivery {
  const delivery = isFirstAndLate(waiting, now) ? { ...waiting, triedSince: now } : waiting;
  if (delivery.state !== 'sending') return { ...delivery, state: 'sending', attempts: delivery.attempts + 1 };
  const interruptions = delivery.interruptions + 1;
  if (interruptions > MOST_REPEATS)
    return ended(
      { ...delivery, interruptions },
      'failed',
      `its sending was cut ${interruptions} times; it may have arrived`,
    );
  const reason = `its sending was cut and it may have arrived; repeat ${interruptions} of at most ${MOST_REPEATS}`;
  return { ...delivery, attempts: delivery.attempts + 1, interruptions, reason };
}

const isFirstAndLate = (delivery: Delivery, now: Date): boolean =>
  triesOf(delivery) === 0 && delivery.refusedBy === undefined && now.getTime() - delivery.dueAt.getTime() > LATE_MS;

/** Whether the attempt with this number is under way. The result of any other attempt does not count (U7). */
export const holds = (held: Delivery, { attempts }: Pick<Delivery, 'attempts'>): boolean =>
  held.state === 'sending' && held.attempts === attempts;

export const failed = (delivery: Delivery, reason: string): Delivery => ended(delivery, 'failed', reason);

export const dropped = (delivery: Delivery, reason: string): Delivery => ended(delivery, 'dropped', reason);

export const delivered = (delivery: Delivery, reason: string): Delivery => ended(delivery, 'delivered', reason);

/**
 * After the provider's answer: sent, failed for good, or another try with growing pauses and jitter, as long as {@link triedUntil}
 * says. A provider that fell silent is asked again for P1 and P2 alone (U7).
 * `jitter` is from 0 up to but not including 1.
 */
export function concluded(delivery: Delivery, result: SendResult, now: Date, jitter: number): Outcome {
  switch (result.kind) {
    case 'accepted':
      return { delivery: ended(delivery, 'sent', result.response) };
    case 'permanent':
      return { delivery: ended(delivery, 'failed', result.reason) };
    case 'unknown':
      return isUrgent(delivery)
        ? retried(delivery, result.reason, now, jitter)
        : { delivery: ended(delivery, 'failed', `${result.reason} (it may have arrived, and is not sent twice)`) };
    case 'temporary':
      return retried(delivery, result.reason, now, jitter);
  }
}

/** Whether it will not be sent any more. */
export const isFinal = ({ state }: Delivery): boolean => state !== 'waiting' && state !== 'sending';

/** The message by itself: a part of no bundle. */
export function withoutBundle(delivery: Delivery): Delivery {
  const { bundle, ...rest } = delivery;
  return bundle === undefined ? delivery : rest;
}

/**
 * The message as it was before its first try. That one provider refused it, in a bundle or by itself, says nothing of the
 * next.
 */
export function untried(delivery: Delivery): Delivery {
  const { bundle, byItself, ...rest } = delivery;
  return { ...rest, ...UNTRIED };
}

/** For these a double page beats none (U7). */
export const isUrgent = (delivery: Delivery): boolean =>
  isPage(delivery) && (delivery.page.alert.priority === 'P1' || delivery.page.alert.priority === 'P2');

function retried(delivery: Delivery, reason: string, now: Date, jitter: number): Outcome {
  const retryAt = new Date(now.getTime() + pauseMs(triesOf(delivery), jitter));
  const limitAt = triedUntil(delivery);
  if (retryAt > limitAt) {
    const isForNextStep = limitAt < triesEndAt(delivery);
    const why = isForNextStep ? 'given up: the next step takes over' : 'given up after 15 minutes';
    return { delivery: ended(delivery, 'failed', `${reason} (${why})`) };
  }
  return { delivery: { ...delivery, state: 'waiting', reason: withoutSecret(delivery, reason) }, retryAt };
}

/** Of the tries at all providers together. */
const triesEndAt = ({ dueAt, triedSince = dueAt }: Delivery): Date => new Date(triedSince.getTime() + TRY_FOR_MS);

/**
 * The last instant at which it is tried: that of the next step, at most 15 minutes after it was due, or after its first try where
 * that was late (U7).
 */
export function triedUntil(delivery: Delivery): Date {
  const limitAt = triesEndAt(delivery);
  const nextStepAt = isNotice(delivery) ? undefined : delivery.nextStepAt;
  return nextStepAt !== undefined && nextStepAt < limitAt ? nextStepAt : limitAt;
}

/** The pause after so many tries, 1 or more: from 2 s to a minute, at least half of it. */
export function pauseMs(tries: number, jitter: number): number {
  const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.max(0, tries - 1));
  return Math.round(longest * (0.5 + jitter / 2));
}

/** A code is of no use once its message has come to an end, and is forgotten. */
function ended(delivery: Delivery, state: Exclude<DeliveryState, 'waiting' | 'sending'>, reason: string): Delivery {
  const end = { state, reason: withoutSecret(delivery, reason) };
  if (!isNotice(delivery)) return { ...delivery, ...end };
  const { notice } = delivery;
  return { ...delivery, ...end, notice: notice.kind === 'contact-verification' ? { ...notice, code: '' } : notice };
}

/** A server may repeat what it was given; a code does not reach a log by that way. */
function withoutSecret(delivery: Delivery, reason: string): string {
  if (!isNotice(delivery) || delivery.notice.kind !== 'contact-verification') return reason;
  const { code } = delivery.notice;
  return code === '' ? reason : reason.replaceAll(code, '[code]');
}
