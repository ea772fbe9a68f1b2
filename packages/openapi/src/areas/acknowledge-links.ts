import { area } from '../description.ts';

const mediaType = 'text/html';
const REFUSED = {
  404: 'A page that says that this is no link of ours, or not as it was sent.',
  410: 'A page that says that the link has expired, or that its alert or its user is gone.',
} as const;

/** What people do by the messages that they get (U9, U14). */
export const ACKNOWLEDGE_LINKS = area({
  'show-acknowledgement': {
    description:
      'The path stands in messages about an alert; it needs no key, and works for 7 days. Nothing is changed by opening it.',
    success: { mediaType, description: 'A page that shows the alert, with a button where it can be acknowledged.' },
    pages: REFUSED,
  },
  'acknowledge-by-link': {
    description:
      'The alert is acknowledged as the user whom the message told. A link works once: whoever uses it again is told so, and nothing more comes of it.',
    success: { status: 202, mediaType, description: 'A page that says that the acknowledgement is taken.' },
    pages: {
      200: 'A page that says that its user has acknowledged before, by whatever message, or that the alert is acknowledged already.',
      ...REFUSED,
      409: 'A page that says that the alert is closed.',
    },
  },
});
