import { isNotice, type Delivery } from './delivery.ts';

/**
 * Whose turn a message waits for: one at a time is handed over for each person and method, so that messages come in order and
 * a storm for one person costs another at most one turn (F2).
 */
export const turnOf = (delivery: Delivery): string =>
  `${delivery.method}:${isNotice(delivery) ? delivery.notice.userId : delivery.page.userId}`;

/** Orders the messages of one turn that are due: by {@link rankOf}, then the oldest first. */
export const comesBefore = (one: Delivery, other: Delivery): number =>
  rankOf(one) - rankOf(other) ||
  one.dueAt.getTime() - other.dueAt.getTime() ||
  (one.deliveryId < other.deliveryId ? -1 : 1);

const PRIORITIES = ['P1', 'P2', 'P3', 'P4', 'P5'];
/** A notice waits as long as a first page of middle priority. */
const OF_A_NOTICE = 4;

/** What comes first within a turn, the lower first: P1 before P2 and so on, a first page before repeats (F2). */
export function rankOf(delivery: Delivery): number {
  if (isNotice(delivery)) return OF_A_NOTICE;
  const { page, run = 0 } = delivery;
  const isRepeat = run > 0 || page.actionType === 'renotified-alert';
  return PRIORITIES.indexOf(page.alert.priority) * 2 + (isRepeat ? 1 : 0);
}
