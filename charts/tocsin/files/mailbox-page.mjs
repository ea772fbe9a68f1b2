// The page of the mailbox of every installation: the demo of the chart runs it, and `npm start` imports it. Its types are in mailbox-page.d.mts.
import http from 'node:http';

/** Nothing but what the page itself holds is run, loaded or asked, and no page frames it. */
const POLICY = [
  ...["default-src 'none'", "style-src 'unsafe-inline'", "script-src 'unsafe-inline'", "connect-src 'self'"],
  ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
].join('; ');

export class MailboxPage {
  #sink;
  #server;
  #viewers = new Set();
  #forget;

  constructor(sink) {
    this.#sink = sink;
    this.#server = http.createServer((request, response) => {
      this.#answer(request, response);
    });
    this.#forget = sink.onMail((mail) => {
      for (const viewer of this.#viewers) viewer.write(`data: ${mail.id}\n\n`);
    });
  }

  get url() {
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  async start(port, host = '127.0.0.1') {
    await new Promise((resolve, reject) => {
      this.#server.once('error', reject).listen(port, host, resolve);
    });
    return this;
  }

  async stop() {
    this.#forget();
    for (const viewer of this.#viewers) viewer.end();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(request, response) {
    if (!isLoopback(request.headers.host)) {
      response.writeHead(421).end();
      return;
    }
    response.setHeader('content-security-policy', POLICY).setHeader('x-content-type-options', 'nosniff');
    switch (`${request.method ?? ''} ${request.url ?? ''}`) {
      case 'GET /':
        response.setHeader('content-type', 'text/html; charset=utf-8').end(pageOf(this.#sink.mails));
        return;
      case 'GET /api/mails':
        response.setHeader('content-type', 'application/json').end(JSON.stringify(this.#sink.mails));
        return;
      case 'DELETE /api/mails':
        this.#sink.forgetAll();
        response.writeHead(204).end();
        return;
      case 'GET /events':
        response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
        this.#viewers.add(response);
        request.on('close', () => this.#viewers.delete(response));
        return;
      default:
        response.writeHead(404).end();
    }
  }
}

export function pageOf(mails) {
  return `<!doctype html><meta charset="utf-8"><title>Mailbox (${mails.length})</title>
<style>body{font:16px system-ui;margin:2rem auto;max-width:60rem;padding:0 1rem}
article{border:1px solid #ccc;border-radius:6px;padding:1rem;margin:1rem 0}pre{white-space:pre-wrap;overflow-wrap:anywhere}</style>
<h1>Mailbox</h1>${mails.map(articleOf).join('\n') || '<p>No mail yet.</p>'}
<script>new EventSource('/events').onmessage = () => location.reload()</script>`;
}

/** With a port or without one: through a tunnel it is another than here. */
function isLoopback(host = '') {
  return /^(127\.0\.0\.1|localhost|\[::1\])(:\d+)?$/i.test(host);
}

function articleOf(mail) {
  const line = `${mail.from} → ${mail.to.join(', ')}, ${mail.receivedAt.toISOString()}`;
  return `<article><b>${escaped(mail.subject)}</b><br><small>${escaped(line)}</small><pre>${withLinks(mail.text)}</pre></article>`;
}

/** A text with its web addresses as links. */
function withLinks(text) {
  return text
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map((part, index) => (index % 2 === 0 ? escaped(part) : `<a href="${escaped(part)}">${escaped(part)}</a>`))
    .join('');
}

function escaped(text) {
  return text.replace(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`);
}
