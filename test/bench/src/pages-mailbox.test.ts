import { connect } from 'node:net';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { numbersOf, pagingBodies } from './ingest-alerts.ts';
import { PagesMailbox } from './pages-mailbox.ts';

const numbersIn = (mail: string): readonly number[] => [...numbersOf(mail)];

describe('the mailbox of the bench', () => {
  let mailbox: PagesMailbox;

  beforeEach(async () => {
    mailbox = await PagesMailbox.start();
  });

  afterEach(() => {
    mailbox.stop();
  });

  it('takes mails over one connection, and knows of which alerts they are, each once', async () => {
    const said = [
      'EHLO here',
      'MAIL FROM:<a@b.c>',
      'RCPT TO:<d@e.f>',
      'DATA',
      'Subject: [P2] Page 7: Disk\r\n\r\nx\r\n.',
    ];
    const socket = connect(Number(new URL(mailbox.url).port), '127.0.0.1');
    const answers = createInterface({ input: socket })[Symbol.asyncIterator]();
    const heard = [await answers.next()];
    for (const line of [...said, ...said.slice(1), 'QUIT']) {
      socket.write(`${line}\r\n`);
      heard.push(await answers.next());
    }
    expect(heard.map(({ value }) => String(value).slice(0, 3)).join(' ')).toBe(
      '220 250 250 250 354 250 250 250 354 250 221',
    );
    expect([[...mailbox.arrivals.keys()], mailbox.mails, mailbox.mentions]).toEqual([[7], 2, 2]);
    socket.end();
    await once(socket, 'close');
  });

  it('finds again in a mail the number that an alert was given', () => {
    const bodyOf = pagingBodies(['ada@example.com', 'bob@example.com']);
    const [first, second] = [0, 1].map((index) => JSON.parse(bodyOf(index)) as Record<string, unknown>);
    expect(first).toMatchObject({ responders: [{ type: 'user', username: 'ada@example.com' }] });
    expect(second).toMatchObject({ responders: [{ type: 'user', username: 'bob@example.com' }] });
    expect(numbersIn(`From: x\r\nSubject: [P2] ${String(second?.['message'])} (#9)\r\n\r\n`)).toEqual([1]);
  });

  it('finds each alert of a bundle once, however its text is encoded and its lines are broken', () => {
    const lines = 'P2 #1: Page 11: Disk\r\nP2 #2: Pa=\r\nge 12: Disk\r\nP2 #3: Page\r\n 13: Disk\r\n';
    expect(numbersIn(`Subject: 3 alerts\r\n\r\n${lines}<p>Page 11: Disk</p>`)).toEqual([11, 12, 13]);
    const encoded = Buffer.from('• Page 21: Disk\n• Page 22: Disk').toString('base64');
    const header = 'Subject: 2 alerts\r\nContent-Transfer-Encoding: base64\r\nMIME-Version: 1.0\r\n\r\n';
    expect(numbersIn(`${header}${encoded.slice(0, 20)}\r\n${encoded.slice(20)}\r\n--x`)).toEqual([21, 22]);
  });
});
