import { createHash } from 'node:crypto';
import { defineRoute, type Route, type WrittenReply } from '@tocsin/http';
import { escapedHtml, oneLine } from '../messages/safe-text.ts';
import type { AcknowledgeByLink, LinkOutcome } from './link-operations.ts';

/** The page of an acknowledge link: reading it changes nothing, only its button acts (U14). */
export function acknowledgeRoutes(links: AcknowledgeByLink, accountName: string): readonly Route[] {
  return [
    defineRoute({
      operation: 'show-acknowledgement',
      handle: async ({ params }) => {
        const found = await links.look(params['token'] ?? '');
        const status = found.kind === 'closed' ? 200 : STATUSES[found.kind];
        return pageReply(status, { ...textOf(found), isEntry: true }, accountName);
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
  'no-user': 410,
} as const satisfies Record<LinkOutcome['kind'], number>;

function textOf(found: LinkOutcome): PageText {
  if (!('alert' in found)) return REFUSALS[found.kind];
  const { alert } = found;
  const message = 'message' in found ? found.message : undefined;
  const quote = message === undefined ? {} : { quote: message };
  const inConsole =
    'username' in found && found.kind !== 'deleted' ? { alertId: alert.alertId, username: found.username } : undefined;
  return {
    title: `Alert #${alert.tinyId} (${alert.priority})`,
    ...quote,
    ...knownText(found),
    ...(inConsole && { inConsole }),
  };
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

/** The user who acts, the result, and what the user can do next. */
function knownText(found: Extract<LinkOutcome, { alert: object }>): Omit<PageText, 'title'> {
  switch (found.kind) {
    case 'open':
      return {
        lines: [
          `The button acknowledges this alert as ${found.username}.`,
          'Its escalation then stops, except for rules that page until the alert is closed.',
        ],
        button: 'Acknowledge',
      };
    case 'taken':
      return {
        lines: [
          `Your acknowledgement is accepted, ${found.username}. The log of the alert says when it is carried out.`,
          'Next, find the cause. The alert stays open until it is closed.',
        ],
      };
    case 'repeated':
      return {
        lines: [
          `You have acknowledged it already, ${found.username}.`,
          'If the alert pages you again, use the newest message.',
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
    case 'no-user':
      return {
        lines: [
          'The user whom this message paged was deleted or blocked. Nothing was changed.',
          'If you are on call, use the link in your own message about this alert.',
        ],
      };
  }
}

/** The content of a page. All of it may contain texts of callers. */
interface PageText {
  readonly title: string;
  /** A text of a caller, shown behind a bar, like a quote. */
  readonly quote?: string;
  readonly lines: readonly string[];
  /** The label of the button that submits the page; absent where the user can do nothing. */
  readonly button?: string;
  /** The alert whose page of the console it links to, and the user of the link. */
  readonly inConsole?: { readonly alertId: string; readonly username: string };
  /** Whether the link of a message led here, and not the button of the page. */
  readonly isEntry?: boolean;
}

const STYLE =
  'body{margin:0;padding:24px 16px;font:18px/1.4 system-ui,Helvetica,Arial,sans-serif;color:#222;background:#fff}' +
  'main{max-width:480px;margin:0 auto;overflow-wrap:anywhere}h1{font-size:24px;margin:0 0 16px}' +
  'blockquote{margin:0 0 16px;padding:8px 12px;border-left:4px solid #bbb}' +
  'a{color:#0b57d0}button{width:100%;padding:16px;border:0;border-radius:6px;font:inherit;color:#fff;background:#0b57d0}footer{color:#666}';

/**
 * Leads who is signed in to the console in this browser as the user of the link to the page of the alert. It is a script, because a browser
 * sends the cookie of a session with no request that another site begins, and so not with the one for this page.
 */
const SCRIPT =
  "const link=document.getElementById('console');" +
  "fetch('/console/api/session',{headers:{'X-Tocsin-Console':'1'}}).then(async(answer)=>{" +
  'if(answer.ok&&(await answer.json()).data.user.username===link.dataset.user)location.replace(link.href)}).catch(()=>undefined)';

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The page runs one script and asks this installation alone, no site can show it in a frame, and its form goes to the page itself alone. */
const POLICY = [
  "default-src 'none'",
  `script-src ${hashOf(SCRIPT)}`,
  "connect-src 'self'",
  `style-src ${hashOf(STYLE)}`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The address of the page is a secret of the user: browsers send it to no other site, and cache nothing. */
const HEADERS = {
  'Content-Security-Policy': POLICY,
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** A page that a phone shows as it is. */
const pageReply = (status: number, text: PageText, accountName: string): WrittenReply => ({
  status,
  headers: HEADERS,
  written: { type: 'text/html; charset=utf-8', content: markup(text, accountName) },
});

function markup({ button, inConsole, isEntry, lines, quote, title }: PageText, accountName: string): string {
  return [
    '<!DOCTYPE html>',
    '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">',
    `<meta name="robots" content="noindex"><title>${plain(title)}</title><style>${STYLE}</style></head><body><main>`,
    `<h1>${plain(title)}</h1>`,
    ...(quote === undefined ? [] : [`<blockquote>${plain(quote)}</blockquote>`]),
    ...lines.map((line) => `<p>${plain(line)}</p>`),
    ...(button === undefined ? [] : [`<form method="post"><button type="submit">${plain(button)}</button></form>`]),
    ...(inConsole === undefined ? [] : [consoleLink(inConsole)]),
    `<footer><p>${plain(accountName)}</p></footer></main>${isEntry === true && inConsole !== undefined ? `<script>${SCRIPT}</script>` : ''}</body></html>`,
    '',
  ].join('\n');
}

/** The page of the alert in the console, with its button to acknowledge in focus. */
function consoleLink({ alertId, username }: NonNullable<PageText['inConsole']>): string {
  const path = `/console/alerts/${encodeURIComponent(alertId)}?ready=acknowledge`;
  return `<p><a id="console" data-user="${plain(username)}" href="${path}">Open the alert in the console</a></p>`;
}

const plain = (text: string): string => escapedHtml(oneLine(text));
