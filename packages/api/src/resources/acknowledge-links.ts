import { resource, SMALL_BODY } from '../operation.ts';

/** A paged user answers: the path is signed, and a limit holds their address (U9, U14). An operation of Tocsin. */
const link = { right: 'link', domain: 'alert', owner: 'notifier' } as const;
const ACKNOWLEDGE = '/acknowledge/{token}';

const mediaType = 'text/html';
const REFUSED = {
  404: 'A page that says that the link is unknown or was changed.',
  410: 'A page that says that the link has expired, or that its alert or its user is gone.',
} as const;

/** What people do by the messages that they get (U9, U14). */
export const ACKNOWLEDGE_LINKS = resource({
  'show-acknowledgement': {
    ...link,
    method: 'GET',
    path: ACKNOWLEDGE,
    summary: 'Shows the page of an acknowledge link, and changes nothing',
    description:
      'The path is in messages about an alert; it needs no key, and works for 7 days. Opening it changes nothing.',
    success: { mediaType, description: 'A page that shows the alert, with a button where it can be acknowledged.' },
    pages: REFUSED,
  },
  'acknowledge-by-link': {
    ...link,
    ...SMALL_BODY,
    method: 'POST',
    path: ACKNOWLEDGE,
    summary: 'Acknowledges the alert of an acknowledge link',
    description:
      'The alert is acknowledged as the user who got the message. A link works once: a second use is answered so and changes nothing.',
    success: { status: 202, mediaType, description: 'A page that says that the acknowledgement is accepted.' },
    pages: {
      200: 'A page that says that its user has acknowledged before, by whatever message, or that the alert is acknowledged already.',
      ...REFUSED,
      409: 'A page that says that the alert is closed.',
    },
  },
});
