import { formatInstant } from '@tocsin/events';
import { defineRoute, type Route } from '@tocsin/http';
import type { ReadinessMails } from './operations.ts';

/** Who gets the weekly mail of readiness, as its user changes it (U23). */
export function readinessMailRoutes(mails: ReadinessMails): readonly Route[] {
  return [
    defineRoute({
      operation: 'create-readiness-mail',
      handle: async ({ params, principal }) => {
        const { nextAt } = await mails.create(params['identifier'] ?? '', principal);
        return { status: 201, body: { result: 'Created', data: { nextAt: formatInstant(nextAt) } } };
      },
    }),
    defineRoute({
      operation: 'get-readiness-mail',
      handle: async ({ params }) => {
        const mail = await mails.get(params['identifier'] ?? '');
        return { body: { data: { isActive: mail !== undefined, nextAt: mail && formatInstant(mail.nextAt) } } };
      },
    }),
    defineRoute({
      operation: 'delete-readiness-mail',
      handle: async ({ params, principal }) => {
        await mails.remove(params['identifier'] ?? '', principal);
        return { body: { result: 'Deleted' } };
      },
    }),
  ];
}
