import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ALERT_ACTIONS } from '@tocsin/contracts';
import { NOW, webhookCommand } from '../../testing/webhook-samples.ts';
import type { SendResult } from '../attempts.ts';
import { firstOfEach, planWebhooks, triesEndAt, webhookOutcome } from './webhook-delivery.ts';

describe('what integrations are to be told by a batch of commands', () => {
  const command = fc.record({
    alertId: fc.constantFrom('a1', 'a2'),
    version: fc.integer({ min: 1, max: 5 }),
    action: fc.constantFrom(...ALERT_ACTIONS),
    integrationIds: fc.subarray(['hook', 'x', 'y']),
  });

  it('is one delivery for each command and integration, however often the command is there', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 8 }), (made) => {
        const commands = made.map(webhookCommand);
        const { deliveries } = planWebhooks([...commands, ...commands], NOW);
        const expected = commands.flatMap(({ commandId, integrationIds }) =>
          integrationIds.map((id) => `${commandId}:${id}`),
        );
        expect(deliveries.map(({ deliveryId }) => deliveryId).toSorted()).toEqual([...new Set(expected)].toSorted());
      }),
    );
  });

  it('is nothing of an alert that is deleted later, but that it is', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 8 }), (made) => {
        const { deleted, deliveries, erased } = planWebhooks(made.map(webhookCommand), NOW);
        for (const { deliveryId, told } of deliveries) {
          expect(erased.has(deliveryId)).toBe(told.version < (deleted.get(told.alertId) ?? 0));
        }
      }),
    );
  });

  it('is handed over side by side for different alerts alone, of each what happened first', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 12 }), (made) => {
        const { deliveries } = planWebhooks(made.map(webhookCommand), NOW);
        const first = firstOfEach(deliveries);
        expect(new Set(first.map(({ told }) => told.alertId)).size).toBe(first.length);
        for (const { told } of first) {
          const versions = deliveries
            .filter((each) => each.told.alertId === told.alertId)
            .map((each) => each.told.version);
          expect(told.version).toBe(Math.min(...versions));
        }
      }),
    );
  });
});

const LIMIT_MS = 15 * 60_000;

describe('a delivery', () => {
  const passing: readonly SendResult[] = [
    { kind: 'temporary', reason: 'it answered 503' },
    { kind: 'unknown', reason: 'it gave no answer' },
  ];

  it.each(passing)('is tried again within 15 minutes after %j, and not after that', (result) => {
    const tried = fc.record({
      attempts: fc.integer({ min: 0, max: 30 }),
      lateMs: fc.integer({ min: 0, max: 20 * 60_000 }),
      jitter: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    });
    fc.assert(
      fc.property(tried, ({ attempts, jitter, lateMs }) => {
        const now = new Date(NOW.getTime() + lateMs);
        const outcome = webhookOutcome({ attempts, since: NOW }, result, now, jitter);
        const retryAt = outcome.kind === 'retrying' ? outcome.retryAt : undefined;
        const pauseMs = retryAt === undefined ? 1_000 : retryAt.getTime() - now.getTime();
        expect(pauseMs).toBeGreaterThanOrEqual(1_000);
        expect(pauseMs).toBeLessThanOrEqual(60_000);
        expect((retryAt ?? NOW).getTime()).toBeLessThanOrEqual(triesEndAt(NOW).getTime());
        const isOver = lateMs > LIMIT_MS;
        const isEarly = lateMs < LIMIT_MS - 60_000;
        expect(isOver || isEarly ? outcome.kind : 'either').toBe(isOver ? 'failed' : isEarly ? 'retrying' : 'either');
      }),
    );
  });

  it('ends by an answer that is final', () => {
    const at = { attempts: 0, since: NOW };
    expect(webhookOutcome(at, { kind: 'accepted', response: 'it answered 200' }, NOW, 0).kind).toBe('told');
    expect(webhookOutcome(at, { kind: 'permanent', reason: 'it answered 404' }, NOW, 0).kind).toBe('failed');
  });
});
