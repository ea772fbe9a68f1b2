import { defineInternalRoute, type InternalRoute } from '@tocsin/http';
import type { ReadAlerts, ReaderKey } from '../application/read-alerts.ts';

const NOTIFIER: ReaderKey = { integrationId: 'notifier', teamId: undefined };

/** What the page of an acknowledge link shows of an alert (U9). */
export const toldAlertRoute = (alerts: Pick<ReadAlerts, 'get'>): InternalRoute =>
  defineInternalRoute({
    method: 'GET',
    path: '/internal/alerts/:alertId',
    handle: async ({ params }) => {
      const { message } = await alerts.get({ type: 'id', value: params['alertId'] ?? '' }, NOTIFIER);
      return { body: { data: { message } } };
    },
  });
