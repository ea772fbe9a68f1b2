import { type AnswerOf, type ItemOf, serviceFindings } from '@tocsin/api';
import { type Clock, flatMapInSteps } from '@tocsin/core';
import { formatInstant } from '@tocsin/events';
import { defineInternalRoute, defineRoute, type InternalRoute, type Route } from '@tocsin/http';
import { z } from 'zod';
import type { Integrations } from '../integrations/operations.ts';
import { trafficFinding, type UsedIntegration } from './readiness.ts';
import type { TrafficStore } from './store.ts';
import { firstHour, type LastTraffic, type TrafficHour } from './traffic.ts';

interface TrafficHandlers {
  readonly clock: Clock;
  /** They decide what the caller may see. */
  readonly integrations: Pick<Integrations, 'get' | 'list'>;
  readonly store: Pick<TrafficStore, 'hours' | 'last'>;
}

/** `/v2/integrations/traffic` and `/v2/integrations/{id}/traffic` (P21). */
export const trafficRoutes = ({ clock, integrations, store }: TrafficHandlers): readonly Route[] => [
  defineRoute({
    operation: 'list-integration-traffic',
    handle: async ({ principal }) => {
      const listed = await integrations.list({}, principal);
      return { body: { data: (await store.last(listed.map(({ id }) => id))).values().map(lastView) } };
    },
  }),
  defineRoute({
    operation: 'get-integration-traffic',
    handle: async ({ params, principal }) => {
      const { id } = await integrations.get(params['integrationId'] ?? '', principal);
      const since = firstHour(clock.now());
      const [[last = NEVER_USED(id)], hours] = await Promise.all([store.last([id]), store.hours(id, since)]);
      return { body: { data: { ...lastView(last), since: formatInstant(since), hours: hours.map(hourView) } } };
    },
  }),
];

const NEVER_USED = (integrationId: string): LastTraffic => ({
  integrationId,
  lastRequestAt: undefined,
  lastAlertAt: undefined,
  lastRefusal: undefined,
});

function lastView({
  integrationId,
  lastAlertAt,
  lastRefusal,
  lastRequestAt,
}: LastTraffic): ItemOf<AnswerOf<'list-integration-traffic'>['data']> {
  return {
    integrationId,
    ...(lastRequestAt && { lastRequestAt: formatInstant(lastRequestAt) }),
    ...(lastAlertAt && { lastAlertAt: formatInstant(lastAlertAt) }),
    ...(lastRefusal && { lastRefusal: { ...lastRefusal, at: formatInstant(lastRefusal.at) } }),
  };
}

const hourView = ({ alerts, hour, refused, writes }: TrafficHour) => ({
  from: formatInstant(hour),
  writes,
  alerts,
  refused,
});

const count = z.int().min(0);

/** What a gateway reports. */
const TrafficReport = z.object({
  source: z.uuid(),
  counts: z
    .array(
      z.object({
        integrationId: z.string(),
        hour: z.coerce.date(),
        writes: count,
        alerts: count,
        refused: count,
        lastRequestAt: z.coerce.date(),
        lastAlertAt: z.coerce.date().optional(),
        lastRefusal: z.object({ at: z.coerce.date(), status: z.int(), operation: z.string() }).optional(),
      }),
    )
    .max(1_000),
});

export const internalTrafficRoute = (store: Pick<TrafficStore, 'store'>): InternalRoute =>
  defineInternalRoute({
    method: 'POST',
    path: '/internal/integrations/traffic',
    body: TrafficReport,
    handle: async ({ body: { counts, source } }) => {
      await store.store(
        source,
        counts.map(({ lastAlertAt, lastRefusal, ...rest }) => ({ ...rest, lastAlertAt, lastRefusal })),
      );
      return { body: { result: 'Stored' } };
    },
  });

export interface ReadinessHandlers {
  readonly clock: Clock;
  /** All of them. */
  readonly listIntegrations: () => Promise<readonly UsedIntegration[]>;
  readonly traffic: Pick<TrafficStore, 'last'>;
}

/** What the traffic of integrations says will go wrong, for scheduling, which lists it for callers (S17). */
export const internalReadinessRoute = ({ clock, listIntegrations, traffic }: ReadinessHandlers): InternalRoute =>
  defineInternalRoute({
    method: 'GET',
    path: '/internal/readiness',
    handle: async () => {
      const integrations = await listIntegrations();
      const last = await traffic.last(integrations.map(({ id }) => id));
      const byId = new Map(last.map((each) => [each.integrationId, each]));
      const now = clock.now();
      const findings = await flatMapInSteps(integrations, (integration) => {
        const finding = trafficFinding(integration, byId.get(integration.id), now);
        return finding === undefined ? [] : [finding];
      });
      return { body: serviceFindings(findings) };
    },
  });
