import { describe, expect, it } from '@jest/globals';
import type { UserState } from '@tocsin/events';
import { invitation } from '../testing/notice-samples.ts';
import { ada, deliveryOf, page } from '../testing/page-samples.ts';
import { markDelivered, markDropped, markFailed, markSent, UNTRIED, type UserDelivery } from './delivery.ts';
import { verificationEventOf } from './after-attempt.ts';

const now = new Date('2026-01-01T00:00:05Z');
const mail = markSent(deliveryOf(page()), '250 ok');
const push = markSent(deliveryOf(page(), { method: 'mobile', to: 'topic-1' }), 'ok');
const unverified = ada({ unverified: true });

const withDevice = (change: Partial<UserState['contacts'][number]> = {}) =>
  ada({
    contacts: [{ id: 'd1', method: 'mobile', to: 'topic-1', enabled: true, unverifiedDevice: true, ...change }],
  });

const eventOf = (delivery: UserDelivery, user: UserState | undefined) => verificationEventOf(delivery, user, now);

describe('a message whose server accepted it', () => {
  it('may verify a user who is not verified, where it is a mail', () => {
    const event = { userId: 'ada', method: 'email', to: 'ada@example.com', at: now.toISOString() };
    expect(eventOf(mail, unverified)).toEqual(event);
    expect(eventOf({ ...mail, to: 'Ada@Example.com' }, unverified)).toEqual({ ...event, to: 'Ada@Example.com' });
  });

  it('may verify a device that is not verified or not known here yet, where it is a push to its topic', () => {
    const event = { userId: 'ada', method: 'mobile', to: 'topic-1', at: now.toISOString() };
    expect(eventOf(push, withDevice())).toEqual(event);
    expect(eventOf(push, withDevice({ to: 'topic-0' }))).toEqual(event);
    expect(eventOf(push, ada())).toEqual(event);
  });

  it('may verify a user whom notifier does not know yet', () => {
    const notice: UserDelivery = {
      ...UNTRIED,
      deliveryId: 'notice:n1',
      notice: invitation(),
      username: 'ada@example.com',
      method: 'email',
      to: 'ada@example.com',
      dueAt: now,
    };
    expect(eventOf(markSent(notice, '250 ok'), undefined)).toMatchObject({ userId: 'ada', to: 'ada@example.com' });
    expect(eventOf(push, undefined)).toMatchObject({ userId: 'ada', to: 'topic-1' });
  });

  it.each<[string, UserDelivery, UserState | undefined]>([
    ['the user is verified', mail, ada()],
    ['the device is verified', push, ada({ contacts: [{ id: 'd1', method: 'mobile', to: 'topic-1', enabled: true }] })],
    ['a text was sent', { ...mail, method: 'sms', to: '39-1' }, undefined],
    ['a call was made', { ...mail, method: 'voice', to: '39-1' }, undefined],
    ['it waits to be tried again', { ...mail, state: 'waiting' }, unverified],
    ['it failed', markFailed(mail, 'no'), unverified],
    ['it was dropped', markDropped(mail, 'no'), undefined],
    ['it was delivered', markDelivered({ ...mail, method: 'sms' }, 'ok'), undefined],
  ])('verifies nothing where %s', (_, delivery, user) => {
    expect(eventOf(delivery, user)).toBeUndefined();
  });
});
