import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  isSentInShadow,
  kindOf,
  keptAfter,
  type KeptSwitch,
  lacksEnd,
  NOTICES_IN_SHADOW,
  type PublishedState,
} from './shadow.ts';
import { UNTRIED, type WebhookDelivery } from '../messages/delivery.ts';
import { NOW, webhookCommand } from '../testing/webhook-samples.ts';

const at = '2026-01-01T00:00:00Z';
/** Of the first history; with another epoch of a new one, as after a restore. */
const published = (n: number, enabled: boolean, periodId?: string, epoch = 1): PublishedState => ({
  version: { epoch, n },
  state: { enabled, changedAt: at, ...(periodId !== undefined && { periodId }) },
});

describe('the messages of shadow (M2)', () => {
  it('are codes that people ask for, and answers to what they do', () => {
    expect(NOTICES_IN_SHADOW).toEqual(['contact-verification', 'sign-in']);
    expect(isSentInShadow('answer')).toBe(true);
  });

  it.each(['page', 'shift', 'invitation', 'readiness', 'webhook', 'chat', 'on-call', 'unknown'] as const)(
    'are never of kind %s',
    (kind) => {
      expect(isSentInShadow(kind)).toBe(false);
    },
  );

  it('are no events of chat, and no calls of webhooks', () => {
    const { integrationIds: _, ...event } = webhookCommand();
    const webhook = { ...event, integrationId: 'hook' };
    const delivery: WebhookDelivery = { ...UNTRIED, deliveryId: 'd', method: 'webhook', webhook, dueAt: NOW };
    expect(kindOf(delivery)).toBe('webhook');
    expect(kindOf({ ...delivery, webhook: { ...delivery.webhook, isChat: true } })).toBe('chat');
  });
});

describe('keptAfter (M3)', () => {
  const on = keptAfter(undefined, published(2, true, 'first'));

  it('keeps the first state', () => {
    expect(on).toEqual({ enabled: true, periodId: 'first', version: { epoch: 1, n: 2 } });
  });

  it('ends a period of another history by an end that names it alone', () => {
    expect(keptAfter(on, published(1, false, undefined, 2))).toBe(on);
    expect(keptAfter(on, published(1, false, 'other', 2))).toBe(on);
    expect(keptAfter(on, published(1, false, 'first', 2))).toMatchObject({ enabled: false });
  });

  it('ends a period by the end of a later one of its history, where all in between were missed', () => {
    expect(keptAfter(on, published(3, false, 'first'))).toMatchObject({ enabled: false });
    expect(keptAfter(on, published(5, false, 'second'))).toMatchObject({ enabled: false, periodId: 'second' });
  });

  it('takes nothing that is older or the same', () => {
    expect(keptAfter(on, published(1, false, 'first'))).toBe(on);
    expect(keptAfter(on, published(2, false, 'first'))).toBe(on);
  });

  it('takes a new period in place of one whose end was lost', () => {
    const again = keptAfter(on, published(9, true, 'second'));
    expect(keptAfter(again, published(10, false, 'second'))).toMatchObject({ enabled: false });
  });

  it('stays on after a period was begun, whatever comes that does not end it, in any order and however often', () => {
    const version = fc.integer({ min: 1, max: 99 });
    fc.assert(
      fc.property(fc.array(version), fc.array(version), (before, after) => {
        const others = (versions: readonly number[]) => versions.map((n) => published(1, false, `other ${n}`, n));
        const states = [
          ...others(before.filter((n) => n < 50)),
          published(2, true, 'begun', 50),
          ...others(after.filter((n) => n !== 50)),
        ];
        const kept = states.reduce<KeptSwitch | undefined>(keptAfter, undefined);
        expect(kept).toMatchObject({ enabled: true, periodId: 'begun' });
      }),
    );
  });
});

describe('lacksEnd (M3)', () => {
  const on = keptAfter(undefined, published(2, true, 'first'));

  it('is so where directory is off by a state of another history, or by one from before the begin', () => {
    expect(lacksEnd(on, published(1, false, undefined, 2))).toBe(true);
    expect(lacksEnd(on, published(1, false))).toBe(true);
    expect(lacksEnd(on, published(9, false, 'other', 0))).toBe(true);
  });

  it('is not so where directory is on, has ended the period, or shadow was off', () => {
    expect(lacksEnd(on, published(1, true, 'first'))).toBe(false);
    expect(lacksEnd(on, published(3, false, 'first'))).toBe(false);
    expect(lacksEnd(keptAfter(on, published(3, false, 'first')), published(1, false))).toBe(false);
  });
});
