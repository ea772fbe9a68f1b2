import { resource, type Rules, SMALL_BODY } from '../operation.ts';

/** A paged user answers: the path is signed, and a limit holds their address (U9, U14). An operation of Tocsin. */
const link = { right: 'link', domain: 'alert', owner: 'notifier' } as const;
const ACKNOWLEDGE = '/acknowledge/{token}';

const mediaType = 'text/html';
const REFUSED = {
  404: 'A page that says that the link is unknown or was changed.',
  410: 'A page that says that the link has expired, or that its alert or its user is gone.',
} as const;

const RULES: Rules = {
  U9: [
    'A mail and a push about an alert link to `<PUBLIC_URL>/acknowledge/{token}` (an operation of Tocsin, [reasons](subjects/answers.md#links)). There is no link without `PUBLIC_URL`, and none in a text message, in a call, or in a status update. A mail also links to the alert in the console, for users who sign in; a status update too.',
    "The page shows the alert's tiny id, priority and message (the message where alert-processor can be asked), the user as whom its button acknowledges, the result and what to do next.",
    'Where the user of the link is signed in to the console in the browser, the page leads to the page of the alert there, whose button acknowledges it. Otherwise it stays, with a link to that page.',
    'The 7 days count from when the message was due. All links of one page are one act.',
    '404: not a link of this installation. 410: expired, or the alert or its user was deleted, or the user is blocked. 409: the alert is closed.',
    'The log of the alert says which user acknowledged, and by the link of which kind of message. Requests are limited by address, like links to files (F6).',
  ],
  U14: [
    'Opening a link does not change `isSeen` either: only the POST of its button acts. The button of a push on a device of ntfy sends this POST itself, and a message whose POST succeeded goes.',
  ],
};

/** The answers of users to their messages (U9, U14). */
export const ACKNOWLEDGE_LINKS = resource('Acknowledge links', RULES, {
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
