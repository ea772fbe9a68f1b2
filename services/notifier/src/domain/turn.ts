import type { ContactMethod } from '@tocsin/contracts';
import { isPage, userIdOf, type Delivery } from './delivery.ts';
import { isNews } from './wanted.ts';

/**
 * Whose turn a message waits for: one at a time is handed over for each person and method, so that messages come in order and
 * a storm for one person costs another at most one turn (F2).
 */
export const turnOf = (delivery: Delivery): string => `${delivery.method}:${userIdOf(delivery)}`;

/** The method of a turn by its id. */
export const methodOfTurn = (id: string): ContactMethod => id.slice(0, id.indexOf(':')) as ContactMethod;

/** Orders the messages of one turn that are due: by {@link rankOf}, then the oldest first. */
export const comesBefore = (one: Delivery, other: Delivery): number =>
  rankOf(one) - rankOf(other) ||
  one.dueAt.getTime() - other.dueAt.getTime() ||
  (one.deliveryId < other.deliveryId ? -1 : 1);

const PRIORITIES = ['P1', 'P2', 'P3', 'P4', 'P5'];
/** A notice, of a shift too, waits as long as a first page of middle priority. */
const OF_A_NOTICE = 4;
/** News wait behind everything else: whoever is told of them is called to nothing. */
const OF_NEWS = 2 * PRIORITIES.length;

/**
 * What comes first within a turn, the lower first: P1 before P2 and so on, a first page before repeats, and all of them before
 * news, which have an order of their own (F2).
 */
export function rankOf(delivery: Delivery): number {
  if (!isPage(delivery)) return OF_A_NOTICE;
  const { page, run = 0 } = delivery;
  const priority = PRIORITIES.indexOf(page.alert.priority);
  if (isNews(page)) return OF_NEWS + priority;
  return priority * 2 + (run > 0 || page.actionType === 'renotified-alert' ? 1 : 0);
}

/**
 * When a turn that has ended is due again: behind all who wait now, where `dueAt` is when its next delivery is due. Where its pages
 * are held, once they are not, or when something else falls due: `dueAt` is the first of that after now.
 */
export function nextTurnAt(dueAt: Date | undefined, heldUntil: Date | undefined, now: Date): Date | undefined {
  if (heldUntil !== undefined) return earlier(heldUntil, dueAt);
  return dueAt && later(dueAt, now);
}

export const earlier = (one: Date, other: Date | undefined): Date => (other !== undefined && other < one ? other : one);

export const later = (one: Date, other: Date): Date => (one > other ? one : other);
