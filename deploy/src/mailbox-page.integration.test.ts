import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { freePort, SmtpSink } from '@tocsin/local-stack';
import nodemailer from 'nodemailer';
import { MailboxPage, pageOf } from './mailbox-page.ts';

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

  test('tells an open page of a new mail', async () => {
    const events = await fetch(`${page.url}/events`);
    const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader();

    await send('Disk full');

    expect(await reader?.read()).toEqual({ done: false, value: 'data: 1\n\n' });
  });

  test('knows no other path', async () => {
    expect((await fetch(`${page.url}/favicon.ico`)).status).toBe(404);
  });

  test('shows what a mail contains as text', () => {
    const mail = { id: 1, receivedAt: new Date(0), from: 'a', to: ['b'], subject: '<script>', text: '"&\'', html: '' };

    expect(pageOf([mail])).toContain('&#60;script&#62;');
    expect(pageOf([mail])).toContain('&#34;&#38;&#39;');
  });
});
