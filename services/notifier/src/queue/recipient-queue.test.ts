import { describe, expect, it } from '@jest/globals';
import type { Page } from '@tocsin/events';
import { invitation } from '../testing/notice-samples.ts';
import { deliveryOf, page } from '../testing/page-samples.ts';
import { shift } from '../testing/shift-samples.ts';
import { type Delivery, UNTRIED } from '../messages/delivery.ts';
import { comesBefore, rankOf } from './recipient-queue.ts';

const LONG_AGO = new Date('2025-12-31T00:00:00Z');
const MESSAGE = { ...UNTRIED, username: 'ada@example.com', method: 'email', to: 'ada@example.com' } as const;
const PRIORITIES = ['P1', 'P2', 'P3', 'P4', 'P5'] as const;
const STATUS_UPDATES = ['add-note', 'acknowledged-alert', 'closed-alert', 'assigned-alert'] as const;

function pageOf(actionType: Page['actionType'], priority: Page['alert']['priority'], run?: number): Delivery {
  const of = page({ pageId: `${actionType} ${priority}`, actionType });
  return deliveryOf({ ...of, alert: { ...of.alert, priority } }, run === undefined ? {} : { run });
}

const code: Delivery = {
  ...MESSAGE,
  deliveryId: 'notice',
  notice: invitation(),
  dueAt: new Date('2026-01-01T00:00:00Z'),
};
const shiftNotice: Delivery = {
  ...MESSAGE,
  deliveryId: 'shift',
  shift: shift(),
  contactId: 'c1',
  dueAt: new Date('2026-01-01T07:45:00Z'),
};

const inOrder = (...deliveries: readonly Delivery[]): readonly string[] =>
  deliveries.toSorted(comesBefore).map(({ deliveryId }) => deliveryId);

describe('within the queue of a person (F2)', () => {
  it.each(STATUS_UPDATES)('a P1 %s that is due for long comes after each page, notices and shifts', (actionType) => {
    const update: Delivery = { ...pageOf(actionType, 'P1'), dueAt: LONG_AGO };
    const others = [
      ...PRIORITIES.flatMap((priority) => [
        pageOf('create-alert', priority),
        pageOf('create-alert', priority, 1),
        pageOf('renotified-alert', priority),
      ]),
      code,
      shiftNotice,
    ];
    for (const other of others) expect(inOrder(update, other)).toEqual([other.deliveryId, update.deliveryId]);
  });

  it.each(['create-alert', 'renotified-alert', 'add-note'] as const)('P1 comes before P2 and so on, of %s', (type) => {
    const ranks = PRIORITIES.map((priority) => rankOf(pageOf(type, priority)));
    expect(ranks).toEqual([...new Set(ranks)].toSorted((a, b) => a - b));
  });

  it('a first page comes before a repeat of its priority, and that before a first page of the next', () => {
    const repeats = [pageOf('renotified-alert', 'P2'), pageOf('create-alert', 'P2', 1)].map(rankOf);
    for (const repeat of repeats) {
      expect(repeat).toBeGreaterThan(rankOf(pageOf('create-alert', 'P2')));
      expect(repeat).toBeLessThan(rankOf(pageOf('create-alert', 'P3')));
    }
  });

  it('the oldest of equal rank comes first', () => {
    const late: Delivery = { ...pageOf('add-note', 'P1'), deliveryId: 'a', dueAt: new Date('2026-01-01T00:00:01Z') };
    expect(inOrder(late, pageOf('add-note', 'P1'))).toEqual(['add-note P1', 'a']);
  });
});
