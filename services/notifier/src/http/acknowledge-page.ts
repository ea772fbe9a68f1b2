import { createHash } from 'node:crypto';
import type { WrittenReply } from '@tocsin/http';
import { escapedHtml } from '../domain/escaped-markup.ts';
import { oneLine } from '../domain/one-line.ts';

/** What a page says. All of it may hold what others wrote. */
export interface PageText {
  readonly title: string;
  /** What somebody else wrote; behind a bar, as quotes are. */
  readonly quote?: string;
  readonly lines: readonly string[];
  /** What its one button says, which sends the page back; absent where there is nothing to do. */
  readonly button?: string;
}

const STYLE =
  'body{margin:0;padding:24px 16px;font:18px/1.4 system-ui,Helvetica,Arial,sans-serif;color:#222;background:#fff}' +
  'main{max-width:480px;margin:0 auto;overflow-wrap:anywhere}h1{font-size:24px;margin:0 0 16px}' +
  'blockquote{margin:0 0 16px;padding:8px 12px;border-left:4px solid #bbb}' +
  'button{width:100%;padding:16px;border:0;border-radius:6px;font:inherit;color:#fff;background:#0b57d0}footer{color:#666}';

/** The page runs nothing, fetches nothing, is shown in no frame, and sends its form nowhere else. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Its address is a secret of its reader: nobody else is told of it, and nothing is kept. */
const HEADERS = {
  'Content-Security-Policy': POLICY,
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** A page that a phone shows as it is. */
export const pageReply = (status: number, text: PageText, accountName: string): WrittenReply => ({
  status,
  headers: HEADERS,
  written: { type: 'text/html; charset=utf-8', content: markup(text, accountName) },
});

function markup({ button, lines, quote, title }: PageText, accountName: string): string {
  return [
    '<!DOCTYPE html>',
    '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">',
    `<meta name="robots" content="noindex"><title>${plain(title)}</title><style>${STYLE}</style></head><body><main>`,
    `<h1>${plain(title)}</h1>`,
    ...(quote === undefined ? [] : [`<blockquote>${plain(quote)}</blockquote>`]),
    ...lines.map((line) => `<p>${plain(line)}</p>`),
    ...(button === undefined ? [] : [`<form method="post"><button type="submit">${plain(button)}</button></form>`]),
    `<footer><p>${plain(accountName)}</p></footer></main></body></html>`,
    '',
  ].join('\n');
}

const plain = (text: string): string => escapedHtml(oneLine(text));
