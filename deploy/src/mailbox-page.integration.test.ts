import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { freePort, SmtpSink } from '@tocsin/testkit';
import nodemailer from 'nodemailer';
import { MailboxPage, pageOf } from '../../charts/tocsin/files/mailbox-page.mjs';

let sink: SmtpSink;
let page: MailboxPage;
beforeEach(async () => {
  sink = await new SmtpSink({ now: () => new Date('2026-01-01T00:00:00Z') }).start();
  page = await new MailboxPage(sink).start(await freePort());
});
afterEach(async () => {
  await page.stop();
  await sink.stop();
});

const send = (subject: string): Promise<unknown> =>
  nodemailer
    .createTransport(sink.url)
    .sendMail({ from: 'tocsin@example.com', to: 'ada@example.com', subject, text: 'on db-1' });

const statusFor = (path: string, host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    http
      .get(`${page.url}${path}`, { headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
      .once('error', reject);
  });

describe('the mailbox page', () => {
  test('shows the mails that came, and says when there are none', async () => {
    expect(await (await fetch(page.url)).text()).toContain('No mail yet.');

    await send('Disk full');

    const shown = await (await fetch(page.url)).text();
    expect(shown).toContain('Disk full');
    expect(shown).toContain('ada@example.com');
  });

  test('gives the mails as JSON and forgets them on request', async () => {
    await send('Disk full');

    expect(await (await fetch(`${page.url}/api/mails`)).json()).toMatchObject([
      { to: ['ada@example.com'], subject: 'Disk full' },
    ]);
    expect((await fetch(`${page.url}/api/mails`, { method: 'DELETE' })).status).toBe(204);
    expect(await (await fetch(`${page.url}/api/mails`)).json()).toEqual([]);
  });

  test('shows a new mail on an open page', async () => {
    const events = await fetch(`${page.url}/events`);
    const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader();

    await send('Disk full');

    expect(await reader?.read()).toEqual({ done: false, value: 'data: 1\n\n' });
  });

  test('knows no other path', async () => {
    expect((await fetch(`${page.url}/favicon.ico`)).status).toBe(404);
  });

  test.each([
    ['127.0.0.1:8025', 200],
    ['localhost:8025', 200],
    ['[::1]', 200],
    ['mailbox.example.com:8025', 421],
    ['127.0.0.1.example.com', 421],
    ['localhost.example.com:8025', 421],
  ])(
    'answers a request for the host %j with %d, so that no foreign name leads a browser here',
    async (host, status) => {
      for (const path of ['/', '/api/mails']) expect(await statusFor(path, host)).toBe(status);
    },
  );

  test('lets a browser run and load nothing but the page itself', async () => {
    const { headers } = await fetch(page.url);

    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('shows what a mail contains as text', () => {
    const mail = { id: 1, receivedAt: new Date(0), from: 'a', to: ['b'], subject: '<script>', text: '"&\'', html: '' };

    expect(pageOf([mail])).toContain('&#60;script&#62;');
    expect(pageOf([mail])).toContain('&#34;&#38;&#39;');
  });
});

test('the mailbox page has the addresses of a mail as links, and no others', () => {
  const text = 'Open http://127.0.0.1/console/?a=1&b=2, or "javascript:alert(1)" <https://example.com>';
  const mail = {
    id: 1,
    receivedAt: new Date(0),
    from: 'a',
    to: ['b'],
    subject: 'https://example.com/c',
    text,
    html: '',
  };
  expect(pageOf([mail]).match(/<a [^>]*>/g)).toEqual([
    '<a href="http://127.0.0.1/console/?a=1&#38;b=2,">',
    '<a href="https://example.com">',
  ]);
});

describe('the mailbox of the demo of the chart', () => {
  const fileOf = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
  let mailbox: ChildProcess;
  let smtpPort: number;
  let httpPort: number;

  beforeEach(async () => {
    smtpPort = await freePort();
    httpPort = await freePort();
    mailbox = spawn(process.execPath, [fileOf('charts/tocsin/files/mailbox.mjs')], {
      env: { SMTP_PORT: String(smtpPort), HTTP_PORT: String(httpPort), MODULES: fileOf('package.json') },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(mailbox.stdout ?? mailbox, 'data');
  });

  afterEach(async () => {
    const ended = once(mailbox, 'exit');
    mailbox.kill();
    await ended;
  });

  test('takes a mail and shows it', async () => {
    await nodemailer
      .createTransport(`smtp://127.0.0.1:${smtpPort}`)
      .sendMail({ from: 'tocsin@example.com', to: 'Ada@example.com', subject: 'Disk full', text: 'on db-1' });
    expect(await (await fetch(`http://127.0.0.1:${httpPort}/api/mails`)).json()).toMatchObject([
      { id: 1, from: 'tocsin@example.com', to: ['ada@example.com'], subject: 'Disk full', text: 'on db-1\n' },
    ]);
  });
});
