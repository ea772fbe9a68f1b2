import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ALERT_ACTIONS } from '@tocsin/events';
import { NOW, webhookCommand } from '../testing/webhook-samples.ts';
import { beginAttempt, type SendResult, TRY_FOR_MS } from '../messages/attempts.ts';
import { MAX_CALLS_PER_INTEGRATION, queueIdOf } from '../queue/recipient-queue.ts';
import { afterCall, beginOrFail, planWebhooks } from './webhook-delivery.ts';

describe('the webhooks that are planned for a batch of commands', () => {
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

  it('has nothing of an alert that is deleted later, except the deletion', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 8 }), (made) => {
        const { deleted, deliveries, erased } = planWebhooks(made.map(webhookCommand), NOW);
        for (const { deliveryId, webhook } of deliveries) {
          expect(erased.has(deliveryId)).toBe(webhook.version < (deleted.get(webhook.alertId) ?? 0));
        }
      }),
    );
  });

  it('waits in one queue for each integration and alert, of 8 for each integration', () => {
    const ids = fc.array(fc.uuid(), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(ids, (alertIds) => {
        const commands = alertIds.flatMap((alertId) =>
          [1, 2].map((version) => webhookCommand({ alertId, version, integrationIds: ['hook', 'x'] })),
        );
        const { deliveries } = planWebhooks(commands, NOW);
        const queues = Map.groupBy(deliveries, queueIdOf);
        for (const { deliveryId, webhook } of deliveries) {
          const same = deliveries.filter(
            (each) => each.webhook.alertId === webhook.alertId && each.webhook.integrationId === webhook.integrationId,
          );
          expect([deliveryId, new Set(same.map(queueIdOf)).size]).toEqual([deliveryId, 1]);
        }
        for (const [queue, of] of queues)
          expect([queue, new Set(of.map(({ webhook }) => webhook.integrationId)).size]).toEqual([queue, 1]);
        expect(queues.size).toBeLessThanOrEqual(2 * MAX_CALLS_PER_INTEGRATION);
      }),
    );
  });
});

describe('a call', () => {
  const [waiting] = planWebhooks([webhookCommand()], NOW).deliveries;
  if (waiting === undefined) throw new Error('there is no call');
  const passing: readonly SendResult[] = [
    { kind: 'temporary', reason: 'it answered 503' },
    { kind: 'unknown', reason: 'it gave no answer' },
  ];

  it.each(passing)('is tried again for 15 minutes after its first try after %j, and not after that', (result) => {
    const tried = fc.record({
      lateMs: fc.integer({ min: 0, max: 60 * 60_000 }),
      afterMs: fc.integer({ min: 0, max: 20 * 60_000 }),
      attempts: fc.integer({ min: 1, max: 30 }),
      jitter: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    });
    fc.assert(
      fc.property(tried, ({ afterMs, attempts, jitter, lateMs }) => {
        const firstAt = new Date(NOW.getTime() + lateMs);
        const now = new Date(firstAt.getTime() + afterMs);
        const { delivery, retryAt } = afterCall({ ...beginAttempt(waiting, firstAt), attempts }, result, now, jitter);
        expect(delivery.state).toBe(retryAt === undefined ? 'failed' : 'waiting');
        const pauseMs = retryAt === undefined ? 1_000 : retryAt.getTime() - now.getTime();
        expect(pauseMs).toBeGreaterThanOrEqual(1_000);
        expect(pauseMs).toBeLessThanOrEqual(60_000);
        expect((retryAt ?? firstAt).getTime()).toBeLessThanOrEqual(firstAt.getTime() + TRY_FOR_MS);
        const isOver = afterMs > TRY_FOR_MS;
        const isEarly = afterMs < TRY_FOR_MS - 60_000;
        expect(isOver || isEarly ? retryAt === undefined : 'either').toBe(isOver ? true : isEarly ? false : 'either');
      }),
    );
  });

  it('ends by an answer that is final', () => {
    const calling = beginAttempt(waiting, NOW);
    expect(afterCall(calling, { kind: 'accepted', response: 'it answered 200' }, NOW, 0).delivery.state).toBe('sent');
    expect(afterCall(calling, { kind: 'permanent', reason: 'it answered 404' }, NOW, 0).delivery.state).toBe('failed');
  });

  it('fails unsent after 15 minutes of calls of its receiver, and not where no process called it', () => {
    const now = new Date(NOW.getTime() + TRY_FOR_MS);
    const busy = { since: NOW, lastAt: now };
    const longAgo = { since: NOW, lastAt: new Date(now.getTime() - 5 * 60_000) };
    expect(beginOrFail(waiting, busy, now).state).toBe('failed');
    expect(beginOrFail(waiting, { ...busy, since: new Date(NOW.getTime() + 1) }, now).state).toBe('sending');
    expect(beginOrFail(waiting, longAgo, now).state).toBe('sending');
    expect(beginOrFail(waiting, undefined, now).state).toBe('sending');
    expect(beginOrFail(waiting, busy, new Date(now.getTime() - 1)).state).toBe('sending');
  });

  it.each(['Create', 'Delete'] as const)('of a channel of chat about %s is tried for 24 hours (C8)', (action) => {
    const [event] = planWebhooks([webhookCommand({ action })], NOW, () => true).deliveries;
    if (event === undefined) throw new Error('there is no event');
    const after = (hours: number): Date => new Date(NOW.getTime() + hours * 3_600_000);
    const busy = (now: Date) => ({ since: NOW, lastAt: now });
    const [late, over] = [after(23), after(24)];
    expect(beginOrFail(event, busy(late), late).state).toBe('sending');
    expect(beginOrFail(event, busy(over), over)).toMatchObject({
      state: 'failed',
      reason: 'it was not taken in 24 hours',
    });
    const tried = beginAttempt(event, NOW);
    expect(afterCall(tried, { kind: 'temporary', reason: 'busy' }, late, 0).delivery.state).toBe('waiting');
    expect(afterCall(tried, { kind: 'temporary', reason: 'busy' }, over, 0).delivery).toMatchObject({
      state: 'failed',
      reason: 'busy (given up after 24 hours)',
    });
  });
});
