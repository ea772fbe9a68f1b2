import { describe, expect, it } from '@jest/globals';
import { deliveryOf, page } from '../testing/page-samples.ts';
import { changeAfter } from './after-attempt.ts';
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
