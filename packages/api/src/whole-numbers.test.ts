import { describe, expect, it } from '@jest/globals';
import { digitsFrom, wholeNumber } from '@tocsin/events';
import fc from 'fast-check';
import { CreateEscalationBody } from './resources/escalations.ts';
import { CreateHeartbeatBody } from './resources/heartbeats.ts';
import { CreateIntegrationActionBody } from './resources/integration-actions.ts';
import { CreateNotificationRuleBody } from './resources/notification-rule-bodies.ts';
import { CreatePolicyBody, CreatePolicyV2Body, MovePolicyBody } from './resources/policy-bodies.ts';
import { CreateRotationBody } from './resources/rotations.ts';
import { CreateRoutingRuleBody } from './resources/routing-rules.ts';

const BODIES = [
  [CreateHeartbeatBody, (n: unknown) => ({ name: 'Backup', interval: n, intervalUnit: 'minutes', enabled: true })],
  [
    CreateRotationBody,
    (n: unknown) => ({
      startDate: '2026-01-01T00:00:00Z',
      type: 'daily',
      length: n,
      participants: [{ type: 'none' }],
      timeRestriction: { type: 'time-of-day', restriction: { startHour: n, startMin: n, endHour: n, endMin: 30 } },
    }),
  ],
  [
    CreateEscalationBody,
    (n: unknown) => ({
      name: 'Ops',
      rules: [{ delay: { timeAmount: n }, recipient: { type: 'team', name: 'Ops' } }],
      repeat: { waitInterval: n, count: n },
    }),
  ],
  [CreateRoutingRuleBody, (n: unknown) => ({ order: n, notify: { type: 'none' } })],
  [
    CreateNotificationRuleBody,
    (n: unknown) => ({ name: 'R', actionType: 'create-alert', enabled: true, order: n, repeat: { loopAfter: n } }),
  ],
  [
    CreatePolicyBody,
    (n: unknown) => ({ name: 'P', enabled: true, type: 'auto-restart-notifications', duration: n, maxRepeatCount: n }),
  ],
  [
    CreatePolicyV2Body,
    (n: unknown) => ({
      name: 'P',
      type: 'notification',
      delayAction: { delayOption: 'next-time', untilHour: n, untilMinute: n },
      deduplicationAction: { deduplicationActionType: 'value-based', count: n },
      autoCloseAction: { duration: { timeAmount: n, timeUnit: 'hours' } },
    }),
  ],
  [MovePolicyBody, (n: unknown) => ({ targetIndex: n })],
  [
    CreateIntegrationActionBody,
    (n: unknown) => ({
      type: 'create',
      name: 'A',
      alias: 'a',
      order: n,
      filter: {
        type: 'match-all-conditions',
        conditions: [{ field: 'message', operation: 'contains', expectedValue: 'a', order: n }],
      },
    }),
  ],
] as const;

describe('a whole number in a string (E12)', () => {
  it.each(BODIES)('is the number everywhere in %#', (body, withNumber) => {
    expect(body.parse(withNumber('10'))).toEqual(body.parse(withNumber(10)));
    for (const wrong of ['ten', '1.5', '', '-10', '10 000'])
      expect(body.safeParse(withNumber(wrong)).success).toBe(false);
  });

  it.each([
    [0, 23],
    [2, 100],
    [1, 10_000],
    [0, 9],
    [1, 525_600],
  ])('is described from %i to %i as it is read', (min, max) => {
    const read = wholeNumber({ min, max, refusal: 'no' });
    const described = new RegExp(digitsFrom(min, max));
    fc.assert(
      fc.property(
        fc.oneof(fc.integer({ min: 0, max: 2 * max }), fc.constantFrom(min - 1, min, max, max + 1)),
        (number) => {
          expect([number, described.test(String(number))]).toEqual([number, read.safeParse(String(number)).success]);
        },
      ),
    );
  });
});
