import type { Block } from '../../messages/content.ts';
import { escapedHtml, oneLine, plainLines } from '../../messages/safe-text.ts';

const FONT = 'font-family:system-ui,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.4';
const QUOTE = 'margin:0 0 16px;padding:8px 12px;border-left:4px solid #bbb;color:#444;overflow-wrap:anywhere';
const BUTTON = 'display:inline-block;padding:12px 20px;border-radius:4px;background:#0b57d0;color:#fff';

/**
 * The blocks as an HTML page that a phone shows without loading anything: the styles are in the page. Texts of callers are never
 * markup. A text of several lines has a bar at its side, like a quote.
 */
export function writeHtml(blocks: readonly Block[], accountName: string): string {
  return [
    '<!DOCTYPE html>',
    '<html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"></head>',
    `<body style="margin:0;padding:16px;${FONT};color:#222;background:#fff">`,
    '<div style="max-width:600px">',
    ...blocks.map(markup),
    `<p style="margin:0;color:#777">${inOneLine(accountName)}</p>`,
    '</div></body></html>',
  ].join('\n');
}

function markup(block: Block): string {
  switch (block.kind) {
    case 'title':
      return `<h1 style="margin:0 0 16px;font-size:20px;overflow-wrap:anywhere">${inOneLine(block.text)}</h1>`;
    case 'code':
      return `<p style="margin:0 0 16px;font-size:28px;letter-spacing:4px">${inOneLine(block.text)}</p>`;
    case 'text':
      return `<p style="margin:0 0 16px">${block.lines.map(inOneLine).join('<br>')}</p>`;
    case 'quote':
      return `<div style="${QUOTE}">${inLines(block.text)}</div>`;
    case 'link':
      return `<p style="margin:0 0 16px"><a href="${escapedHtml(block.url)}" style="${BUTTON}">${inOneLine(block.text)}</a></p>`;
    case 'facts':
      return table(
        'margin:0 0 16px',
        block.rows.map(([name, value]) => [inOneLine(name), inOneLine(value)] as const),
      );
    case 'details':
      return table(
        QUOTE,
        block.rows.map(([name, value]) => [inOneLine(name), inLines(value)] as const),
      );
  }
}

/** Names and values are markup already. */
function table(style: string, rows: readonly (readonly [name: string, value: string])[]): string {
  const lines = rows.map(
    ([name, value]) =>
      `<tr><td style="padding:2px 12px 2px 0;color:#777;vertical-align:top">${name}</td>` +
      `<td style="padding:2px 0;overflow-wrap:anywhere">${value}</td></tr>`,
  );
  return `<table style="${style};border-collapse:collapse">${lines.join('')}</table>`;
}

const inOneLine = (text: string): string => escapedHtml(oneLine(text));

const inLines = (text: string): string => plainLines(text).map(escapedHtml).join('<br>');
