import { describe, expect, it } from '@jest/globals';
import { OPERATIONS, takeTooLong } from '@tocsin/api';
import { MemoryReplica } from '@tocsin/kafka';
import {
  ALERT_LIMITS,
  MAX_SIMULATED,
  simulatedPages,
  type NotificationRuleState,
  type UserState,
} from '@tocsin/events';
import { type Caller, LinkSigner, PRINCIPAL_HEADER, PrincipalSigner } from '@tocsin/http';
import { accountKey, MAX_TURN_MS, measuredAnswer } from '@tocsin/testkit';
import { linking } from './channels/callbacks/links.ts';
import { setUpApp, SIGNING_KEY } from './testing/app-fixture.ts';
import { SimulatePages } from './pages/routes.ts';
import { ada, closing, deliveryOf, page } from './testing/page-samples.ts';

interface Read {
  readonly path: string;
  readonly caller: Caller;
}

/** Each read with the largest answer that it can give. */
const READS: Readonly<Record<string, () => Read>> = {
  'get-web-push': () => ({ path: '/v2/web-push', caller: accountKey }),
  'show-acknowledgement': () => {
    const { acknowledgeUrl } = linking('', new LinkSigner([SIGNING_KEY], 'acknowledge'));
    const delivery = deliveryOf(page(), { dueAt: new Date('2026-01-05T07:00:00Z'), method: 'email' });
    return { path: acknowledgeUrl?.(delivery) ?? '', caller: { service: 'gateway' } };
  },
};

const reads = OPERATIONS.filter(({ method, owner }) => method === 'GET' && owner === 'notifier');

describe('every read of the notifier', () => {
  it('is in this test', () => {
    expect(reads.map(({ id }) => id).sort()).toEqual(Object.keys(READS).sort());
  });

  it.each(Object.entries(READS))('blocks the event loop for at most 20 ms of processor time: %s', async (_, read) => {
    const { alertIs, app, clock } = setUpApp();
    alertIs({ message: '<'.repeat(ALERT_LIMITS.message) });
    const { caller, path } = read();
    const vouched = await new PrincipalSigner([SIGNING_KEY]).sign(caller, 'notifier', clock.now());
    const headers = { [PRINCIPAL_HEADER]: vouched };
    const { status, longestTurnMs } = await measuredAnswer({ app, path, headers });
    expect(status).toBe(200);
    expect(longestTurnMs).toBeLessThanOrEqual(MAX_TURN_MS);
  });
});

const many = <T>(count: number, of: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => of(index));

const [newAlert] = ada().notificationRules;
const [firstStep] = newAlert?.steps ?? [];
if (newAlert === undefined || firstStep === undefined) throw new Error('the sample has no step');
const stepAfter = (minutes: number) => ({ ...firstStep, id: `step-${minutes}`, sendAfterMinutes: minutes });
const ruleAt = (order: number, change: Partial<NotificationRuleState>): NotificationRuleState => ({
  ...newAlert,
  id: `rule-${order}`,
  order,
  ...change,
});
const repeat = { enabled: true, loopAfterMinutes: 1 };

/** A set that fails, after it has tried so many patterns. */
const dearSet = (count: number): NotificationRuleState['criteria'] => ({
  type: 'match-any-condition',
  conditions: many(count, (index) => ({
    field: 'description',
    not: false,
    operation: 'matches',
    expectedValue: `(a|b)*x${index}`,
  })),
});
/** As many of them as a user may write for one action type. */
const PATTERNS = many(200, (index) => index + 1).findLast((count) => !takeTooLong([dearSet(count)])) ?? 0;
const LATE = { type: 'time-of-day', restriction: { startHour: 23, startMin: 0, endHour: 23, endMin: 30 } } as const;

/** The rules that cost a simulation the most, and how many cancels come with the pages. */
const SIMULATED: Readonly<Record<string, readonly [readonly NotificationRuleState[], number]>> = {
  'a rule with the most steps, which are repeated': [[ruleAt(0, { steps: many(1_000, stepAfter), repeat })], 1],
  'messages that are compared with the most cancels': [[ruleAt(0, { repeat })], 1_000],
  'the most rules, none of which holds': [many(1_000, (order) => ruleAt(order, { timeRestriction: LATE })), 0],
  'the dearest patterns of one rule': [[ruleAt(0, { criteria: dearSet(PATTERNS) }), ruleAt(1, { repeat })], 0],
  'the dearest patterns of many rules': [many(PATTERNS, (order) => ruleAt(order, { criteria: dearSet(1) })), 0],
};

describe('a simulation, which takes the time of many pages,', () => {
  it.each(Object.entries(SIMULATED))(
    'blocks the event loop for at most 20 ms of processor time: %s',
    async (_, [notificationRules, cancels]) => {
      const users = new MemoryReplica<UserState>();
      const ids = many(MAX_SIMULATED.pages, (index) => `user-${index}`);
      for (const id of ids) users.put(id, ada({ id, notificationRules: structuredClone(notificationRules) as never }));
      const simulation = new SimulatePages({ users, channels: new Set(['email']) });
      const { app, clock } = setUpApp({ simulation });
      const alert = { ...page().alert, description: 'ab'.repeat(ALERT_LIMITS.description / 2) };
      const pages = ids.map((userId) => page({ pageId: `page:${userId}`, userId, alert }));
      const body = JSON.stringify(
        simulatedPages(
          pages,
          many(cancels, (index) => ({
            at: new Date(),
            cancel: closing(2, { userId: `user-${index % MAX_SIMULATED.pages}` }),
          })),
        ),
      );
      const vouched = await new PrincipalSigner([SIGNING_KEY]).sign(
        { service: 'alert-processor' },
        'notifier',
        clock.now(),
      );
      const headers = { [PRINCIPAL_HEADER]: vouched };
      const { status, longestTurnMs } = await measuredAnswer({ app, path: '/internal/simulate', headers, body });
      expect(status).toBe(200);
      expect(longestTurnMs).toBeLessThanOrEqual(MAX_TURN_MS);
    },
  );
});
