import { formatInstant } from '@tocsin/events';
import { defineRoute, type Route } from '@tocsin/http';
import type { CalendarLinks } from './operations.ts';

/** The links to the calendars of users, as their users change them (S16). */
export function calendarLinkRoutes(links: CalendarLinks): readonly Route[] {
  return [
    defineRoute({
      operation: 'create-calendar-link',
      handle: async ({ params, principal, publicUrl }) => {
        const { createdAt, token } = await links.create(params['identifier'] ?? '', principal);
        const url = `${publicUrl}/v2/calendars/${token}.ics`;
        return { status: 201, body: { result: 'Created', data: { url, createdAt: formatInstant(createdAt) } } };
      },
    }),
    defineRoute({
      operation: 'get-calendar-link',
      handle: async ({ params }) => {
        const link = await links.get(params['identifier'] ?? '');
        const known = link && { createdAt: formatInstant(link.createdAt) };
        return { body: { data: { isActive: link !== undefined, ...known } } };
      },
    }),
    defineRoute({
      operation: 'delete-calendar-link',
      handle: async ({ params, principal }) => {
        await links.remove(params['identifier'] ?? '', principal);
        return { body: { result: 'Deleted' } };
      },
    }),
  ];
}
