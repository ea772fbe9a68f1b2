import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import nodemailer from 'nodemailer';
import { startMailbox, type Mailbox } from './index.ts';

let mailbox: Mailbox;
beforeEach(async () => {
  mailbox = await startMailbox();
});
afterEach(() => mailbox.stop());

async function send(to: string, subject: string): Promise<void> {
  await nodemailer.createTransport(mailbox.url).sendMail({ from: 'tocsin@example.com', to, subject, text: 'text' });
}

describe('a mailbox', () => {
  test('waits for a mail that comes later', async () => {
    const waiting = mailbox.received('ada@example.com', 'Disk full');
    await send('ada@example.com', 'Disk full on db-1');

    expect(await waiting).toMatchObject({ subject: 'Disk full on db-1' });
  });

  test('gives each mail once, the oldest first', async () => {
    await send('ada@example.com', 'page 1');
    await send('ada@example.com', 'page 2');

    expect(await mailbox.received('ada@example.com', /page/)).toMatchObject({ subject: 'page 1' });
    expect(await mailbox.received('Ada@Example.com', /page/)).toMatchObject({ subject: 'page 2' });
    await expect(mailbox.received('ada@example.com', /page/, { timeoutMs: 50 })).rejects.toThrow('page 2');
  });

  test('keeps the mails that no test asked for', async () => {
    await send('ada@example.com', 'expected');
    await send('grace@example.com', 'a surprise');
    await mailbox.received('ada@example.com');

    expect(mailbox.unexpected()).toMatchObject([{ to: ['grace@example.com'], subject: 'a surprise' }]);
    mailbox.clear();
    expect(mailbox.unexpected()).toEqual([]);
  });

  test('names the mails that came when the awaited one does not', async () => {
    await send('grace@example.com', 'for another');

    await expect(mailbox.received('ada@example.com', 'Disk', { timeoutMs: 50 })).rejects.toThrow(
      /No mail to ada@example.com that matches Disk[^]*grace@example.com: for another/,
    );
  });
});
