import { describe, expect, it } from '@jest/globals';
import { integrationOf } from '../testing/integration-samples.ts';
import { trafficFinding } from './readiness.ts';
import type { LastTraffic } from './traffic.ts';

const NOW = new Date('2026-06-01T00:00:00Z');
/** Created 151 days before. */
const integration = integrationOf('a', { name: 'Prometheus' });
const daysAgo = (days: number): Date => new Date(NOW.getTime() - days * 86_400_000);

const traffic = (change: Partial<LastTraffic>): LastTraffic => ({
  integrationId: 'a',
  lastRequestAt: daysAgo(1),
  lastAlertAt: undefined,
  lastRefusal: undefined,
  ...change,
});
const refused = (days: number, status = 422, operation = 'create-alert') => ({ at: daysAgo(days), status, operation });

describe('an integration', () => {
  it('that was not used for 90 days is a warning that says since when', () => {
    expect(trafficFinding(integration, undefined, NOW)).toEqual({
      kind: 'integration-unused',
      severity: 'warning',
      teamIds: ['team-1'],
      entity: { type: 'integration', id: 'a', name: 'Prometheus' },
      message:
        'Integration [Prometheus] was never used since it was created at 2026-01-01T00:00:00Z: where its tool has had alerts, these did not reach Tocsin and paged no user.',
      remedy: 'Send an alert with it from its tool, or disable or delete it.',
      path: '/v2/integrations/a',
    });
    const used = (days: number) => trafficFinding(integration, traffic({ lastRequestAt: daysAgo(days) }), NOW);
    expect(used(90)?.message).toContain('was last used at 2026-03-03T00:00:00Z');
    expect(used(89.9)).toBeUndefined();
  });

  it('whose last alert was refused, and none accepted since, is an error', () => {
    const found = trafficFinding(integration, traffic({ lastRefusal: refused(1), lastAlertAt: daysAgo(2) }), NOW);
    expect(found).toMatchObject({ kind: 'integration-refused', severity: 'error' });
    expect(found?.message).toContain('was refused with status 422 at 2026-05-31T00:00:00Z');
  });

  it.each([
    ['an alert was accepted since', { lastRefusal: refused(2), lastAlertAt: daysAgo(1) }],
    ['the refusal is old', { lastRefusal: refused(15) }],
    ['the sender was asked to wait', { lastRefusal: refused(1, 429) }],
    ['Tocsin itself failed', { lastRefusal: refused(1, 503) }],
    ['something else was refused', { lastRefusal: refused(1, 422, 'close-alert') }],
  ])('is no finding where %s', (_, change) => {
    expect(trafficFinding(integration, traffic(change), NOW)).toBeUndefined();
  });

  it.each([
    ['is disabled', { enabled: false }],
    ['only calls a URL', { type: 'Webhook' }],
    ['is new', { createdAt: daysAgo(89) }],
  ])('is no finding where it %s', (_, change) => {
    expect(trafficFinding({ ...integration, ...change }, undefined, NOW)).toBeUndefined();
  });

  it('concerns no team where it belongs to the account', () => {
    expect(trafficFinding({ ...integration, ownerTeam: undefined }, undefined, NOW)?.teamIds).toEqual([]);
  });
});
