import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, startMailbox, type Mailbox } from '@tocsin/testkit';
import type { Mail } from './message.ts';
import { SmtpMailProvider, type SmtpSettings } from './smtp-mail-provider.ts';

const mail: Mail = {
  to: 'ada@example.com',
  subject: '[P1] Disk full (#7)',
  text: 'No space left',
  html: '<p>No space left</p>',
  messageId: '<d1@tocsin.invalid>',
  headers: { 'X-Tocsin-Alert-Id': 'a1' },
};

const settings = (url: string, change: Partial<SmtpSettings> = {}): SmtpSettings => ({
  url,
  username: undefined,
  password: undefined,
  tls: 'auto',
  verifyCertificate: true,
  from: 'Tocsin <tocsin@example.com>',
  ...change,
});

/** A server that answers RCPT with `answer`. */
async function refusingServer(answer: string): Promise<{ url: string; close: () => void }> {
  return smtpServer((line) => (line.startsWith('RCPT') ? answer : line.startsWith('QUIT') ? '221 bye' : '250 ok'));
}

async function smtpServer(
  answerTo: (line: string, socket: Socket) => string | undefined,
): Promise<{ url: string; close: () => void }> {
  const server = createServer((socket) => {
    socket.write('220 hello\r\n');
    socket.on('data', (data) => {
      const answer = answerTo(data.toString(), socket);
      if (answer !== undefined) socket.write(`${answer}\r\n`);
    });
    socket.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `smtp://127.0.0.1:${port}`, close: () => server.close() };
}

describe('SmtpMailProvider', () => {
  let mailbox: Mailbox;
  let provider: SmtpMailProvider | undefined;

  beforeEach(async () => {
    mailbox = await startMailbox();
  });

  afterEach(async () => {
    await provider?.close();
    await mailbox.stop();
  });

  it('hands a mail to the server and answers with its word', async () => {
    provider = new SmtpMailProvider(settings(mailbox.url));
    expect(await provider.send(mail)).toMatchObject({ kind: 'accepted' });
    const received = await mailbox.received('ada@example.com', 'Disk full');
    expect(received).toMatchObject({ from: 'tocsin@example.com', subject: '[P1] Disk full (#7)' });
    expect(mailbox.unexpected()).toEqual([]);
  });

  it('sends nothing once another process has the queue, also from a moment during the connect on', async () => {
    provider = new SmtpMailProvider(settings(mailbox.url));
    const attempt = { deliveryId: 'd1', attempt: 1, isLeased: () => false };
    expect(await provider.send(mail, attempt)).toEqual({
      kind: 'temporary',
      reason: 'it was held up before it was sent',
    });
    expect(mailbox.mails).toEqual([]);
    expect(await provider.send(mail, { ...attempt, isLeased: () => true })).toMatchObject({ kind: 'accepted' });
  });

  it('sends many over a few connections', async () => {
    provider = new SmtpMailProvider(settings(mailbox.url));
    const sender = provider;
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, index) => sender.send({ ...mail, messageId: `<d${index}@tocsin.invalid>` })),
    );
    expect(results.every(({ kind }) => kind === 'accepted')).toBe(true);
    expect(mailbox.mails).toHaveLength(40);
  });

  it.each([
    ['550 5.1.1 no such user', 'permanent'],
    ['451 4.7.1 try again later', 'temporary'],
  ])('takes %j for a %s refusal', async (answer, kind) => {
    const server = await refusingServer(answer);
    provider = new SmtpMailProvider(settings(server.url));
    expect(await provider.send(mail)).toMatchObject({ kind });
    server.close();
  });

  it.each([
    ['450 4.2.0 Greylisted, see http://postgrey.example.com, try again in 300 seconds', 300_000],
    ['451 4.7.1 Greylisting in action, please come back later. Retry in 00:05', undefined],
    ['450 4.7.1 You are greylisted for 5 minutes', 300_000],
    ['452 4.5.3 try later', undefined],
    ['550 5.7.1 wait 300 seconds', undefined],
  ])('after %j says when the mail to this recipient is tried again', async (answer, retryAfterMs) => {
    const server = await refusingServer(answer);
    provider = new SmtpMailProvider(settings(server.url));
    const result = await provider.send(mail);
    expect('retryAfterMs' in result ? result.retryAfterMs : undefined).toBe(retryAfterMs);
    expect('isLimitOfRecipient' in result).toBe(retryAfterMs !== undefined);
    server.close();
  });

  it.each([
    ['530 5.7.0 authentication required', 'temporary'],
    ['553 5.7.1 sender not owned by this login', 'temporary'],
    ['552 5.3.4 message too large', 'permanent'],
  ])(
    'takes %j to our sender for a %s refusal: what is wrong with the settings is no fault of one mail',
    async (answer, kind) => {
      const server = await smtpServer((line) => (line.startsWith('MAIL') ? answer : '250 ok'));
      provider = new SmtpMailProvider(settings(server.url));
      expect(await provider.send(mail)).toMatchObject({ kind, reason: expect.stringContaining(answer) as unknown });
      server.close();
    },
  );

  it('reports an unknown outcome of a mail whose server did not answer after the body', async () => {
    const server = await smtpServer((line) => {
      if (line.startsWith('DATA')) return '354 go on';
      return line.includes('\r\n.\r\n') ? undefined : '250 ok';
    });
    provider = new SmtpMailProvider(settings(server.url, { silenceLimitMs: 3_000 }));
    expect(await provider.send(mail)).toMatchObject({ kind: 'unknown' });
    server.close();
  });

  it.each(['EHLO', 'MAIL', 'RCPT', 'DATA'])(
    'may send a mail again whose server fell silent at %s, when no byte of it was sent (U17)',
    async (command) => {
      const server = await smtpServer((line) => (line.startsWith(command) ? undefined : '250 ok'));
      provider = new SmtpMailProvider(settings(server.url, { silenceLimitMs: 200 }));
      expect(await provider.send(mail)).toMatchObject({ kind: 'temporary', reason: 'the mail server fell silent' });
      server.close();
    },
  );

  it.each([
    ['MAIL', 'temporary'],
    ['RCPT', 'temporary'],
    ['DATA', 'temporary'],
    ['.', 'unknown'],
  ])('takes an answer to %s that is no reply of SMTP for no refusal, but for %s', async (command, kind) => {
    const server = await smtpServer((line) => {
      const isEnd = line.endsWith('\r\n.\r\n');
      if (isEnd ? command === '.' : line.startsWith(command)) return 'Service is restarting';
      return line.startsWith('DATA') ? '354 go on' : '250 ok';
    });
    provider = new SmtpMailProvider(settings(server.url));
    expect(await provider.send(mail)).toMatchObject({ kind });
    server.close();
  });

  it('refuses for good to send to an address that no mail can have', async () => {
    provider = new SmtpMailProvider(settings(mailbox.url));
    expect(await provider.send({ ...mail, to: '' })).toMatchObject({ kind: 'permanent' });
  });

  it('ends at a deadline, also where a server sends without end', async () => {
    let ended = 0;
    const server = await smtpServer((line, socket) => {
      if (!line.startsWith('EHLO')) return '250 ok';
      const trickle = setInterval(() => socket.write('250-more\r\n'), 20);
      socket.on('close', () => {
        ended += 1;
        clearInterval(trickle);
      });
      return undefined;
    });
    provider = new SmtpMailProvider(settings(server.url, { sendLimitMs: 3_000 }));
    expect(await provider.send(mail)).toMatchObject({ kind: 'temporary', reason: 'the mail server took too long' });
    await eventually(() => {
      expect(ended).toBe(1);
    });
    server.close();
  });

  it('hands a mail over once where the connection breaks before the last answer, and reports that', async () => {
    let bodies = 0;
    const server = await smtpServer((line, socket) => {
      if (line.startsWith('DATA')) return '354 go on';
      if (!line.includes('\r\n.\r\n')) return '250 ok';
      bodies += 1;
      socket.destroy();
      return undefined;
    });
    provider = new SmtpMailProvider(settings(server.url));
    expect(await provider.send(mail)).toMatchObject({ kind: 'temporary' });
    expect(bodies).toBe(1);
    server.close();
  });

  it('logs in over TLS alone where the server is on another machine', async () => {
    const said: string[] = [];
    const server = await smtpServer((line) => {
      said.push(line);
      return line.startsWith('EHLO') ? '250-here\r\n250 AUTH PLAIN' : '250 ok';
    });
    // An address of this machine that is not known as one.
    const url = server.url.replace('127.0.0.1', '0.0.0.0');
    provider = new SmtpMailProvider(settings(url, { username: 'tocsin', password: 'secret' }));
    expect(await provider.send(mail)).toMatchObject({ kind: 'temporary' });
    expect(said.join('')).not.toMatch(/AUTH|MAIL/);
    server.close();
  });

  it('reports an unreachable server as a temporary failure', async () => {
    const { url } = mailbox;
    await mailbox.stop();
    provider = new SmtpMailProvider(settings(url));
    expect(await provider.send(mail)).toMatchObject({ kind: 'temporary' });
    mailbox = await startMailbox();
  });

  it('sends nothing without TLS when TLS is required and not offered', async () => {
    provider = new SmtpMailProvider(settings(mailbox.url, { tls: 'required' }));
    expect(await provider.send(mail)).toMatchObject({ kind: 'temporary' });
    expect(mailbox.mails).toEqual([]);
  });
});
