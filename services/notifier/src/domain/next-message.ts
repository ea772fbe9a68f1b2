import type { ContactMethod } from '@tocsin/contracts';
import { decideTogether } from './bundle.ts';
import { triesOf } from './attempts.ts';
import { isFinal, isPage, type Delivery } from './delivery.ts';
import { rankOf } from './turn.ts';

/** When the pages of a method are bundled, and how many fit into one message (U8). */
interface BundleLimit {
  /** Messages with pages that a contact gets within a minute; what comes beyond that is bundled. */
  readonly most: number;
  /** Pages that one message can list. */
  readonly size: number;
}

/** A method without a limit has no bundles. */
export type BundleLimits = ReadonlyMap<ContactMethod, BundleLimit>;

/** A message with pages that was begun lately, and may have reached its contact. */
export interface RecentMessage {
  /** The id of the contact. */
  readonly contact: string;
  readonly at: Date;
  /** Its {@link attemptIdOf}. */
  readonly attempt: string;
}

/** Names one attempt to send a message, by its first delivery. */
export const attemptIdOf = ({ attempts, deliveryId }: Pick<Delivery, 'attempts' | 'deliveryId'>): string =>
  `${deliveryId}:${attempts}`;

/** Whether an attempt came to nothing, so that its contact had no message by it. */
export const hasReachedNobody = ({ state }: Pick<Delivery, 'state'>): boolean =>
  state === 'waiting' || state === 'failed';

/** The contact of a message with a page, as {@link RecentMessage} names it; undefined of any other message. */
export const bundledContactOf = (delivery: Delivery): string | undefined =>
  isPage(delivery) ? delivery.contactId : undefined;

export interface BundleContext {
  /** The messages of the person and method whose turn it is. */
  readonly recent: readonly RecentMessage[];
  /** Whether what is due was held until now. */
  readonly wasHeld?: boolean;
  readonly limits: BundleLimits;
  readonly now: Date;
}

/** What is decided about a turn. The changes that are not final go out as one message. */
export interface DecidedTurn<C> {
  readonly changes: readonly C[];
  /** Nothing is sent: what is due waits until then, to be bundled. */
  readonly heldUntil?: Date;
}

/** Messages count for one minute, and a page is held for one at most. */
export const BUNDLED_WITHIN_MS = 60_000;
/**
 * A page of another contact may come while a turn is held for one. A page that has been due for less than this counts as such
 * a page.
 */
const SURELY_HELD_MS = 1_000;

interface Choice {
  /** Nothing where all that is due is held, or nothing is due. */
  readonly chosen: readonly Delivery[];
  readonly heldUntil?: Date;
}

/**
 * Which deliveries of a turn are sent next, as one message. `due` is what is due, in the order in which it is told. Nothing of what
 * the deliveries say is looked at.
 *
 * Up to a limit pages go out one by one. Once a contact has had so many within a minute, the next pages are held until the minute
 * is over, and are one message then. Pages that wait all at once beyond the limit are one message at once. Never held
 * are the first page of a P1, a page that was tried before, as many pages as fill a message, and what is no page (U8).
 */
export function chooseNext(due: readonly Delivery[], context: BundleContext): Choice {
  const held = new Map<string, Date>();
  for (const delivery of due) {
    const limit = isPage(delivery) && delivery.byItself !== true ? context.limits.get(delivery.method) : undefined;
    if (limit === undefined) return { chosen: [delivery] };
    const group = groupOf(delivery);
    if (held.has(group)) continue;
    const ofGroup = due.filter((each) => isPage(each) && each.byItself !== true && groupOf(each) === group);
    const { chosen, heldUntil } = chooseOf(delivery, ofGroup, limit, context);
    if (heldUntil === undefined) return { chosen };
    held.set(group, heldUntil);
  }
  const until = [...held.values()].toSorted((one, other) => one.getTime() - other.getTime());
  return { chosen: [], ...(until[0] && { heldUntil: until[0] }) };
}

/** Chooses what is sent next of a turn, and decides about it. Where nobody wants that, it chooses again of the rest. */
export function decideNext<C extends { readonly delivery: Delivery }>(
  due: readonly Delivery[],
  context: BundleContext,
  decide: (delivery: Delivery) => C,
): DecidedTurn<C> {
  const ended: C[] = [];
  for (let left = due; ;) {
    const { chosen, heldUntil } = chooseNext(left, context);
    if (chosen.length === 0) return { changes: ended, ...(heldUntil && { heldUntil }) };
    const changes = decideTogether(chosen, decide);
    if (changes.some(({ delivery }) => !isFinal(delivery))) return { changes: [...ended, ...changes] };
    ended.push(...changes);
    left = left.filter((each) => !chosen.includes(each));
  }
}

/** Pages that are begun in one transaction: it locks the turns of their people for as long as it takes (0074). */
const MOST_BEGUN = 300;

/**
 * Which of the choices of several turns are begun in one transaction: the first of them, and the smallest of the others, as many as
 * fit. The others wait for another transaction.
 */
export function begunTogether<C extends { readonly chosen: readonly unknown[] }>(choices: readonly C[]): readonly C[] {
  const [first, others] = [choices.slice(0, 1), choices.slice(1)];
  let pages = 0;
  return [...first, ...others.toSorted((one, other) => one.chosen.length - other.chosen.length)].filter(
    ({ chosen }, index) => {
      pages += chosen.length;
      return pages <= MOST_BEGUN || index === 0;
    },
  );
}

/** Pages of one message go to one contact by one provider. A message that was cut goes out again as it was. */
const groupOf = (delivery: Delivery): string =>
  delivery.state === 'sending'
    ? `cut ${delivery.bundle?.id ?? delivery.deliveryId}`
    : JSON.stringify([bundledContactOf(delivery), delivery.refusedBy ?? []]);

function chooseOf(
  first: Delivery,
  waiting: readonly Delivery[],
  { most, size }: BundleLimit,
  { now, recent, wasHeld = false }: BundleContext,
): Choice {
  if (first.state === 'sending') return { chosen: waiting };
  const lately = sentLately(first, recent, now);
  const oldestAt = Math.min(...waiting.map(({ dueAt }) => dueAt.getTime()));
  // The turn may have been held for another contact.
  const waited = wasHeld && oldestAt <= now.getTime() - SURELY_HELD_MS;
  if (!waited && lately.length + waiting.length <= most) return { chosen: [first] };
  const heldUntilAt = lately.length < most ? -Infinity : heldUntil(lately.slice(-most), oldestAt);
  if (heldUntilAt <= now.getTime() || waiting.length >= size) return { chosen: waiting.slice(0, size) };
  const pressing = waiting.filter(isNeverHeld);
  if (pressing.length > 0) return { chosen: pressing.slice(0, size) };
  return { chosen: [], heldUntil: new Date(heldUntilAt) };
}

/** Until the first of the messages is a minute old, or the page that waits longest has waited for one. */
const heldUntil = ([firstAt = -Infinity]: readonly number[], oldestAt: number): number =>
  Math.min(firstAt, oldestAt) + BUNDLED_WITHIN_MS;

/** When the contact of a page had its messages of the last minute, the oldest first. */
function sentLately(page: Delivery, recent: readonly RecentMessage[], now: Date): readonly number[] {
  const contact = bundledContactOf(page);
  return recent
    .filter((each) => each.contact === contact && Math.abs(now.getTime() - each.at.getTime()) < BUNDLED_WITHIN_MS)
    .map(({ at }) => at.getTime())
    .toSorted((one, other) => one - other);
}

/** What was tried before keeps the times of its tries. */
const isNeverHeld = (delivery: Delivery): boolean =>
  triesOf(delivery) > 0 || delivery.refusedBy !== undefined || rankOf(delivery) === FIRST_OF_P1;

/** The {@link rankOf} of the first page of a P1. */
const FIRST_OF_P1 = 0;
