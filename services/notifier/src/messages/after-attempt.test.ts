import { describe, expect, it } from '@jest/globals';
import type { HandedOver } from '../channels/channel.ts';
import { deliveryOf, page } from '../testing/page-samples.ts';
import { changeAfter, subscriptionEventOf } from './after-attempt.ts';
import { beginAttempt } from './attempts.ts';
import { ofUser } from './delivery.ts';

const NOW = new Date('2026-01-01T00:00:30Z');
const SILENT = { provider: 'smtp', result: { kind: 'unknown', reason: 'the mail server took too long' } } as const;
const after = (hasLostLease: boolean) => ({ hasLostLease, now: NOW, jitter: 0, providers: ['smtp'] });
const ofPriority = (priority: 'P1' | 'P3') =>
  ofUser(beginAttempt(deliveryOf(page({ alert: { ...page().alert, priority } }))));

describe('a message whose provider did not answer in time', () => {
  it('is not sent twice below P2 (U17)', () => {
    expect(changeAfter(ofPriority('P3'), SILENT, after(false)).delivery).toMatchObject({ state: 'failed' });
  });

  it.each(['P1', 'P3'] as const)(
    'is sent again at once with %s where the lease of its queue ended, as in a process that was frozen, five times at most (U17)',
    (priority) => {
      let delivery = ofPriority(priority);
      for (let repeat = 1; repeat <= 5; repeat += 1) {
        const change = changeAfter(delivery, SILENT, after(true));
        expect(change).toMatchObject({ retryAt: NOW, delivery: { state: 'waiting', interruptions: repeat } });
        delivery = ofUser(beginAttempt(change.delivery, NOW));
      }
      expect(changeAfter(delivery, SILENT, after(true))).toMatchObject({ delivery: { state: 'failed' } });
    },
  );

  it('counts as any other where the provider answered although the lease ended', () => {
    const accepted = { provider: 'smtp', result: { kind: 'accepted', response: '250 ok' } } as const;
    expect(changeAfter(ofPriority('P3'), accepted, after(true)).delivery).toMatchObject({ state: 'sent' });
  });
});

describe('a message that its provider may accept before its time (U7)', () => {
  const refused = { provider: 'smtp', result: { kind: 'temporary', reason: '451 busy' } } as const;
  const earlyAfter = (earlyRetry: 'allowed' | 'used' | undefined, handedOver: HandedOver) =>
    changeAfter({ ...ofPriority('P1'), ...(earlyRetry && { earlyRetry }) }, handedOver, after(false)).delivery;

  it('is tried early after each refusal, and once between two tries of its own back-off', () => {
    expect(earlyAfter(undefined, refused)).toMatchObject({ state: 'waiting', earlyRetry: 'allowed' });
    expect(earlyAfter('allowed', refused)).toMatchObject({ earlyRetry: 'allowed' });
    expect(earlyAfter('used', refused)).not.toHaveProperty('earlyRetry');
  });

  it('is tried early after silence where it is tried again at all', () => {
    expect(earlyAfter(undefined, SILENT)).toMatchObject({ state: 'waiting', earlyRetry: 'allowed' });
    expect(changeAfter(ofPriority('P3'), SILENT, after(false)).delivery).not.toHaveProperty('earlyRetry');
  });

  it.each<[string, HandedOver]>([
    ['its provider said when', { ...refused, result: { ...refused.result, retryAfterMs: 5_000 } }],
    ['no provider got it', { ...refused, provider: undefined }],
    ['it was accepted', { ...refused, result: { kind: 'accepted', response: '250 ok' } }],
  ])('is not tried early where %s', (_, handedOver) => {
    expect(earlyAfter('allowed', handedOver)).not.toHaveProperty('earlyRetry');
  });

  it('keeps what it may while its provider is at its rate', () => {
    const busy = { ...refused, isOverRate: true };
    expect([earlyAfter('used', busy).earlyRetry, earlyAfter('allowed', busy).earlyRetry]).toEqual(['used', 'allowed']);
  });
});

describe('a message to a browser that is no longer subscribed', () => {
  const ended = {
    provider: 'web-push',
    takenBy: ['web-push'],
    result: { kind: 'permanent', reason: 'it answered 410', isUnsubscribed: true },
  } as const;
  const bundled = { ...ofPriority('P1'), to: 'browser-1', bundle: { id: 'b', attempt: 1, size: 3 } };
  const context = { ...after(false), providers: ['ntfy', 'web-push'] };

  it('has failed, also as a part of a bundle, and goes to no provider of other devices', () => {
    const change = changeAfter(bundled, ended, context);
    expect(change).toMatchObject({ delivery: { state: 'failed', reason: 'it answered 410' } });
    expect(change).not.toHaveProperty('successor');
    expect(change).not.toHaveProperty('retryAt');
  });

  it('tells directory the name of the subscription', () => {
    expect(subscriptionEventOf(bundled, ended, NOW)).toEqual({
      userId: 'ada',
      to: 'browser-1',
      at: NOW.toISOString(),
    });
  });

  it('tells directory nothing after any other result', () => {
    const refused = { ...ended, result: { kind: 'permanent', reason: 'it answered 403' } } as const;
    for (const other of [SILENT, refused]) expect(subscriptionEventOf(bundled, other, NOW)).toBeUndefined();
  });
});
