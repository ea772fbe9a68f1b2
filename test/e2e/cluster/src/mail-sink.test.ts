import { once } from 'node:events';
import { connect, type AddressInfo, type Server } from 'node:net';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { httpServer, smtpServer, type SunkMail, type SunkMails } from './mail-sink.ts';

const MAIL = [
  'MAIL FROM:<tocsin@example.com>',
  'RCPT TO:<Ada@example.com>',
  'RCPT TO:<bob@example.com>',
  'DATA',
  'Subject: [P3] run-1 (#7)\r\n\r\nSubject: of the text\r\n.',
];

describe('the mail sink of a cluster run', () => {
  let mails: SunkMail[];
  let smtp: Server;
  let page: Server;

  beforeEach(async () => {
    mails = [];
    smtp = smtpServer((mail) => mails.push(mail)).listen(0, '127.0.0.1');
    page = httpServer(mails).listen(0, '127.0.0.1');
    await Promise.all([once(smtp, 'listening'), once(page, 'listening')]);
  });

  afterEach(() => {
    smtp.close();
    page.close();
  });

  it('keeps the subject of each mail for each of its recipients', async () => {
    expect(await converse([...MAIL, ...MAIL])).toBe('220 250 250 250 354 250 250 250 250 354 250');
    const subject = '[P3] run-1 (#7)';
    expect(mails).toMatchObject([
      { to: 'ada@example.com', subject },
      { to: 'bob@example.com', subject },
      { to: 'ada@example.com', subject },
      { to: 'bob@example.com', subject },
    ]);
  });

  it('keeps nothing of a mail that breaks off before its end', async () => {
    await converse([...MAIL.slice(0, 4), 'Subject: half']);
    expect(mails).toEqual([]);
  });

  it('answers with what came since, so that a reader need not read everything again', async () => {
    await converse(MAIL);
    const response = await fetch(`http://127.0.0.1:${portOf(page)}/mails?from=1`);
    expect((await response.json()) as SunkMails).toMatchObject({ mails: [{ to: 'bob@example.com' }] });
  });

  /** The answers to the greeting and each line, as codes; the last line may have no answer. */
  async function converse(lines: readonly string[]): Promise<string> {
    const socket = connect(portOf(smtp), '127.0.0.1');
    const answers = createInterface({ input: socket })[Symbol.asyncIterator]();
    const heard = [await answers.next()];
    for (const line of lines) {
      socket.write(`${line}\r\n`);
      if (line !== 'Subject: half') heard.push(await answers.next());
    }
    socket.end();
    await once(socket, 'close');
    return heard.map(({ value }) => String(value).slice(0, 3)).join(' ');
  }
});

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
