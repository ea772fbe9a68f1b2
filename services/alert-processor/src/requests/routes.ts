import type { AnswerOf } from '@tocsin/api';
import { formatInstant } from '@tocsin/events';
import { defineRoute, type Route } from '@tocsin/http';
import type { ReadRequestStatus } from './operations.ts';
import type { RequestStatus } from './request-status.ts';

/** Part 1, 2.3: the status of an accepted request. */
export function requestRoutes(requests: ReadRequestStatus): readonly Route[] {
  return [
    defineRoute({
      operation: 'get-request-status',
      handle: async ({ params, principal }) => {
        const status = await requests.read((params['requestId'] ?? '').toLowerCase(), principal);
        return { body: { data: requestStatusJson(status) } };
      },
    }),
  ];
}

/** Part 1, 2.3. */
function requestStatusJson(processed: RequestStatus): AnswerOf<'get-request-status'>['data'] {
  const { success, action, integrationId, status, alertId, alias } = processed;
  const processedAt = formatInstant(processed.processedAt);
  return { success, action, processedAt, integrationId, isSuccess: success, status, alertId, alias };
}
