import { defineRoute, type Route } from '@tocsin/http';
import type { ReadRequestStatus } from '../application/read-request-status.ts';
import { requestStatusJson } from './alert-json.ts';

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
