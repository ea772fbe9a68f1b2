import { describe, expect, it } from '@jest/globals';
import type { UserState } from '@tocsin/events';
import { ada, deliveryOf, page } from '../testing/page-samples.ts';
import { checkBeforeSending } from './recheck.ts';

const delivery = deliveryOf(page());
const now = new Date(page().pagedAt);
const contact = (change: Partial<UserState['contacts'][number]>) =>
  ada({ contacts: [{ id: 'c1', method: 'email', to: 'ada@example.com', enabled: true, ...change }] });
const check = (user: UserState | undefined, of = delivery) => checkBeforeSending(of, { user, now });

describe('a delivery that is about to be sent', () => {
  it('goes to the address that its contact has today', () => {
    expect(check(contact({ to: 'new@example.com' }))).toEqual({ ...delivery, to: 'new@example.com' });
  });

  it('goes to the same address when the contact was made anew', () => {
    expect(check(contact({ id: 'c9' }))).toEqual(delivery);
    expect(check(contact({ id: 'c9', enabled: false }))).toMatchObject({ state: 'dropped' });
  });

  it.each([
    ['the contact does not exist any more', ada({ contacts: [] })],
    ['the contact is disabled', contact({ enabled: false })],
    ['the contact is not verified', contact({ unverified: true })],
    ['the user is blocked', ada({ blocked: true })],
  ])('is dropped when %s', (reason, user) => {
    expect(check(user)).toMatchObject({ state: 'dropped', reason });
  });

  const muted = ada({ mutedUntil: '2026-01-01T00:00:00.001Z' });
  const p2 = deliveryOf(page({ alert: { ...page().alert, priority: 'P2' } }));

  it('is dropped while its user is muted, to the millisecond, unless its alert is P1', () => {
    const reason = 'ada@example.com is muted until 2026-01-01T00:00:00.001Z';
    expect(check(muted, p2)).toMatchObject({ state: 'dropped', reason });
    expect(check(muted)).toEqual(delivery);
    expect(check(ada({ mutedUntil: now.toISOString() }), p2)).toEqual(p2);
  });

  it('is dropped by the cancel of its page, for each user, and the log says why (U5)', () => {
    const cancelled = { ...delivery, cancelReason: 'the alert was closed' };
    for (const user of [undefined, ada()])
      expect(check(user, cancelled)).toMatchObject({ state: 'dropped', reason: 'the alert was closed' });
  });

  it('goes out as it was planned while its user is not known here', () => {
    expect(check(undefined)).toBe(delivery);
  });

  it('is dropped once its user is deleted, whose contacts are deleted with them', () => {
    const gone = { user: undefined, isGone: true, now };
    expect(checkBeforeSending(delivery, gone)).toMatchObject({ state: 'dropped', reason: 'the user was deleted' });
  });
});
