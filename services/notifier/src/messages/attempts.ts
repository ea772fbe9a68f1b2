import {
  markFailed,
  isOfChat,
  isPage,
  isFinal,
  isShift,
  isUrgent,
  markSent,
  withoutBundle,
  withoutSecret,
  type Delivery,
  type UserDelivery,
} from './delivery.ts';

/** For how long a delivery is tried, and how that is said in a log. */
interface TryPeriod {
  readonly ms: number;
  readonly text: string;
}

/** How long a message is tried (U7). */
export const TRY_FOR_MS = 15 * 60_000;
const OF_MESSAGE: TryPeriod = { ms: TRY_FOR_MS, text: '15 minutes' };
/** A post is brought up to date however late, because no later event may do so (C8). */
const OF_CHAT: TryPeriod = { ms: 24 * 60 * 60_000, text: '24 hours' };

export const tryPeriodOf = (delivery: Delivery): TryPeriod => (isOfChat(delivery) ? OF_CHAT : OF_MESSAGE);

/** A first try that begins later than this after its message was due is late: then the next step does not end the tries. */
const LATE_MS = 60_000;
const FIRST_PAUSE_MS = 2_000;
/** The pause of a message whose provider is at its rate: short for rates of several messages a second, long enough for slow rates. */
const POSTPONED_MS = 500;
const MAX_PAUSE_MS = 60_000;

/** How often a message is sent again after an attempt without a result (U17). */
const MAX_RESENDS = 5;

/** How a provider answered a message (U7). */
export type SendResult =
  | { readonly kind: 'accepted'; readonly response: string }
  | TemporaryRefusal
  /** It did not answer: the message may have arrived. */
  | { readonly kind: 'unknown'; readonly reason: string }
  /** `isUnsubscribed`: the push service does not know the browser any more (U22). */
  | { readonly kind: 'permanent'; readonly reason: string; readonly isUnsubscribed?: true };

/** A refusal that may pass. */
interface TemporaryRefusal {
  readonly kind: 'temporary';
  readonly reason: string;
  /** After how many milliseconds the message is tried again, where the provider says so; 0: at once, at another provider. */
  readonly retryAfterMs?: number;
  /** `retryAfterMs` is about messages to this recipient, and not about all messages to the provider. */
  readonly isLimitOfRecipient?: true;
}

/** The result of an attempt for its delivery; with `retryAt` where the delivery is tried again. */
export interface Outcome<D extends Delivery = Delivery> {
  readonly delivery: D;
  readonly retryAt?: Date;
}

/** The number of real tries. `attempts` also counts the ones in which nothing was sent. */
export const triesOf = ({ attempts, postponements }: Pick<Delivery, 'attempts' | 'postponements'>): number =>
  attempts - postponements;

/**
 * The delivery with its next attempt, which is made at `now`. If the process dies from here on, it is not known whether the
 * message was sent. The process that claims the queue next sends it again, whatever its priority, at most {@link MAX_RESENDS}
 * times (U17).
 */
export function beginAttempt<D extends Delivery>(waiting: D, now = waiting.dueAt): D {
  const delivery = hasNoResult(waiting) ? { ...waiting, triedSince: now } : waiting;
  if (delivery.state !== 'sending') return { ...delivery, state: 'sending', attempts: delivery.attempts + 1 };
  const interrupted = countInterruption(delivery);
  return isFinal(interrupted) ? interrupted : { ...interrupted, attempts: delivery.attempts + 1 };
}

/** The delivery after an attempt without a result. It has failed where there were too many of these. */
function countInterruption<D extends Delivery>(delivery: D): D {
  const interruptions = delivery.interruptions + 1;
  if (interruptions > MAX_RESENDS)
    return markFailed(
      { ...delivery, interruptions },
      `its sending was interrupted ${interruptions} times; it may have arrived`,
    );
  const reason = `its sending was interrupted and it may have arrived; repeat ${interruptions} of at most ${MAX_RESENDS}`;
  return { ...delivery, interruptions, reason };
}

/**
 * The delivery after an attempt whose process was frozen until its lease ended: the provider may have answered, and the process did not read
 * the answer. It is tried again at once, as after the death of its process (U17).
 */
export function retryInterrupted<D extends Delivery>(delivery: D, now: Date): Outcome<D> {
  const interrupted = countInterruption(delivery);
  return isFinal(interrupted)
    ? { delivery: interrupted }
    : { delivery: { ...interrupted, state: 'waiting' }, retryAt: now };
}

/** Whether no try has a result: none was made, or the process died in each. */
function hasNoResult(delivery: Delivery): boolean {
  const interrupted = delivery.interruptions + Number(delivery.state === 'sending');
  return triesOf(delivery) === interrupted && delivery.refusedBy === undefined;
}

/** Whether this attempt is the one that is under way. The result of any other attempt does not count (U17). */
export const isCurrentAttempt = (stored: Delivery, { attempts }: Pick<Delivery, 'attempts'>): boolean =>
  stored.state === 'sending' && stored.attempts === attempts;

/**
 * The delivery after the provider's answer: sent, failed, or to be tried again after a growing pause with jitter, until
 * {@link triedUntil}. Where the provider says when, it is tried then, and at the end of its time where that is earlier. If the provider did not answer, only P1 and P2 are tried again (U17).
 * `jitter` is from 0 up to but not including 1.
 */
export function applyResult<D extends Delivery>(
  delivery: D,
  result: SendResult,
  now: Date,
  jitter: number,
): Outcome<D> {
  switch (result.kind) {
    case 'accepted':
      return { delivery: markSent(delivery, result.response) };
    case 'permanent':
      return { delivery: markFailed(delivery, result.reason) };
    case 'unknown':
      return isUrgent(delivery)
        ? retryLater(delivery, { kind: 'temporary', reason: result.reason }, now, jitter)
        : { delivery: markFailed(delivery, `${result.reason} (it may have arrived, and is not sent twice)`) };
    case 'temporary':
      return retryLater(delivery, result, now, jitter);
  }
}

/** A page of a bundle that was refused for good is tried by itself at once. */
export const retryAlone = (delivery: UserDelivery, reason: string, now: Date): Outcome<UserDelivery> => ({
  delivery: { ...withoutBundle(delivery), state: 'waiting', byItself: true, reason },
  retryAt: now,
});

/** The delivery where the provider is at its rate: nothing was sent, and it waits for half a second, which counts as no try. */
export const postpone = <D extends Delivery>(delivery: D, reason: string, now: Date): Outcome<D> => ({
  delivery: { ...delivery, state: 'waiting', reason, postponements: delivery.postponements + 1 },
  retryAt: new Date(now.getTime() + POSTPONED_MS),
});

function retryLater<D extends Delivery>(
  delivery: D,
  { reason, retryAfterMs }: TemporaryRefusal,
  now: Date,
  jitter: number,
): Outcome<D> {
  const limitAt = triedUntil(delivery);
  const plannedAt = new Date(now.getTime() + (retryAfterMs ?? pauseMs(triesOf(delivery), jitter)));
  const retryAt = retryAfterMs !== undefined && now < limitAt && plannedAt > limitAt ? limitAt : plannedAt;
  if (retryAt > limitAt) {
    const isForNextStep = limitAt < triesEndAt(delivery);
    const why = isForNextStep ? 'given up: the next step takes over' : `given up after ${tryPeriodOf(delivery).text}`;
    return { delivery: markFailed(delivery, `${reason} (${why})`) };
  }
  return { delivery: { ...delivery, state: 'waiting', reason: withoutSecret(delivery, reason) }, retryAt };
}

/** For all providers together. */
function triesEndAt(delivery: Delivery): Date {
  const { dueAt, triedSince = dueAt } = delivery;
  return new Date(triedSince.getTime() + tryPeriodOf(delivery).ms);
}

/**
 * The last instant of a try: the time of the next step, or the end of the {@link tryPeriodOf} after the first try, the earlier of both. After a late first
 * try the next step does not count (U7).
 */
export function triedUntil(delivery: Delivery): Date {
  const limitAt = triesEndAt(delivery);
  const hasSteps = isPage(delivery) || isShift(delivery);
  const nextStepAt = hasSteps && !isLate(delivery) ? delivery.nextStepAt : undefined;
  return nextStepAt !== undefined && nextStepAt < limitAt ? nextStepAt : limitAt;
}

const isLate = ({ dueAt, triedSince = dueAt }: Delivery): boolean => triedSince.getTime() - dueAt.getTime() > LATE_MS;

/** The pause after so many tries, 1 or more: from 2 s to a minute, at least half of it. */
export function pauseMs(tries: number, jitter: number): number {
  const longest = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.max(0, tries - 1));
  return Math.round(longest * (0.5 + jitter / 2));
}
