import { describe, expect, it } from '@jest/globals';
import { OPERATIONS } from '@tocsin/api';
import { ALERT_LIMITS } from '@tocsin/events';
import { type Caller, LinkSigner, PRINCIPAL_HEADER, PrincipalSigner } from '@tocsin/http';
import { accountKey, MAX_TURN_MS, measuredGet } from '@tocsin/testkit';
import { linking } from './channels/callbacks/links.ts';
import { setUpApp, SIGNING_KEY } from './testing/app-fixture.ts';
import { deliveryOf, page } from './testing/page-samples.ts';

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
    const { status, longestTurnMs } = await measuredGet({ app, path, headers });
    expect(status).toBe(200);
    expect(longestTurnMs).toBeLessThanOrEqual(MAX_TURN_MS);
  });
});
