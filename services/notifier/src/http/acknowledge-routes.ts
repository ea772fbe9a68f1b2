import { defineRoute, type Route } from '@tocsin/http';
import type { AcknowledgeByLink, LinkOutcome } from '../application/acknowledge-by-link.ts';
import { pageReply, type PageText } from './acknowledge-page.ts';

/** The page of an acknowledge link: reading it changes nothing, only its button acts (U14). */
export function acknowledgeRoutes(links: AcknowledgeByLink, accountName: string): readonly Route[] {
  return [
    defineRoute({
      operation: 'show-acknowledgement',
      handle: async ({ params }) => {
        const found = await links.look(params['token'] ?? '');
        return pageReply(found.kind === 'closed' ? 200 : STATUSES[found.kind], textOf(found), accountName);
      },
    }),
    defineRoute({
      operation: 'acknowledge-by-link',
      handle: async ({ params }) => {
        const done = await links.follow(params['token'] ?? '');
        return pageReply(STATUSES[done.kind], textOf(done), accountName);
      },
    }),
  ];
}

const STATUSES = {
  open: 200,
  taken: 202,
  repeated: 200,
  acknowledged: 200,
  forged: 404,
  closed: 409,
  deleted: 410,
  expired: 410,
  nobody: 410,
} as const satisfies Record<LinkOutcome['kind'], number>;

function textOf(found: LinkOutcome): PageText {
  if (!('alert' in found)) return REFUSALS[found.kind];
  const { alert } = found;
  const message = 'message' in found ? found.message : undefined;
  const quote = message === undefined ? {} : { quote: message };
  return { title: `Alert #${alert.tinyId} (${alert.priority})`, ...quote, ...knownText(found) };
}

const REFUSALS = {
  forged: {
    title: 'This link is not valid',
    lines: ['Something of it may be missing. Please open it from the message again.'],
  },
  expired: {
    title: 'This link has expired',
    lines: [
      'A link works for 7 days. Nothing was changed.',
      'If the alert is still open, use the link in the newest message about it.',
    ],
  },
} as const satisfies Record<'forged' | 'expired', PageText>;

/** Who acts, what comes of it, and what to do next. */
function knownText(found: Extract<LinkOutcome, { alert: object }>): Omit<PageText, 'title'> {
  switch (found.kind) {
    case 'open':
      return {
        lines: [
          `The button acknowledges this alert as ${found.username}.`,
          'Its escalation then stops, but for rules that page until the alert is closed.',
        ],
        button: 'Acknowledge',
      };
    case 'taken':
      return {
        lines: [
          `Your acknowledgement is taken, ${found.username}. The log of the alert says when it is carried out.`,
          'Next, find the cause. The alert stays open until it is closed.',
        ],
      };
    case 'repeated':
      return {
        lines: [
          `You have acknowledged it already, ${found.username}.`,
          'Where the alert calls again, use the newest message.',
        ],
      };
    case 'acknowledged':
      return {
        lines: ['The alert is acknowledged already. There is nothing left to do here.', 'Its log says by which user.'],
      };
    case 'closed':
      return {
        lines: [
          'The alert is closed. There is nothing left to acknowledge.',
          'Its log says which user closed it, and why.',
        ],
      };
    case 'deleted':
      return { lines: ['The alert was deleted.', 'There is nothing left to do here.'] };
    case 'nobody':
      return {
        lines: [
          'The user whom this message paged was deleted or blocked. Nothing was changed.',
          'If you are on call, use the link in your own message about this alert.',
        ],
      };
  }
}
