import { once } from 'node:events';
import { connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { httpServer, type MailConduct, smtpServer, type SunkMail, type SunkMails } from './mail-sink.ts';

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
  let conduct: MailConduct;

  beforeEach(async () => {
    [mails, conduct] = [[], 'accepts'];
    smtp = smtpServer(
      (mail) => mails.push(mail),
      () => conduct,
    ).listen(0, '127.0.0.1');
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

  it('refuses for now, or cuts the connection after a mail that it keeps, as it is set', async () => {
    conduct = 'refuses';
    expect(await codesOf(MAIL)).toEqual(['421']);
    expect(mails).toEqual([]);
    conduct = 'cuts after the mail';
    expect(await codesOf(MAIL)).toEqual(['220', '250', '250', '250', '354']);
    expect(mails.map(({ to }) => to)).toEqual(['ada@example.com', 'bob@example.com']);
  });

  it('answers nothing while it is silent', async () => {
    conduct = 'is silent';
    const socket = connect(portOf(smtp), '127.0.0.1');
    const [served] = (await once(smtp, 'connection')) as [Socket];
    socket.write('EHLO client\r\n');
    await once(served, 'data');
    conduct = 'accepts';
    socket.write('NOOP\r\n');
    expect(String((await once(socket, 'data'))[0])).toBe('250 ok\r\n');
    socket.destroy();
  });

  it('answers with what came since, so that a reader need not read everything again', async () => {
    await converse(MAIL);
    const response = await fetch(`http://127.0.0.1:${portOf(page)}/mails?from=1`);
    expect((await response.json()) as SunkMails).toMatchObject({ mails: [{ to: 'bob@example.com' }] });
  });

  /** The codes of all answers until the server ends the connection. */
  async function codesOf(lines: readonly string[]): Promise<readonly string[]> {
    const socket = connect(portOf(smtp), '127.0.0.1').on('error', () => undefined);
    socket.write(`${lines.join('\r\n')}\r\n`);
    return [...(await text(socket)).matchAll(/^\d{3}/gm)].map(([code]) => code);
  }

  /** The answers to the greeting and each line, as codes; the last line may have no answer. */
  async function converse(lines: readonly string[]): Promise<string> {
    const socket = connect(portOf(smtp), '127.0.0.1');
    const answers = createInterface({ input: socket })[Symbol.asyncIterator]();
    const replies = [await answers.next()];
    for (const line of lines) {
      socket.write(`${line}\r\n`);
      if (line !== 'Subject: half') replies.push(await answers.next());
    }
    socket.end();
    await once(socket, 'close');
    return replies.map(({ value }) => String(value).slice(0, 3)).join(' ');
  }
});

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
