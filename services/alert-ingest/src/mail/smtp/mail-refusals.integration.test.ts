import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import { MAILBOX, openMailService, stopMail } from '../../testing/mail-fixture.ts';
import { MailAdmission } from './mail-admission.ts';
import { MAX_MAIL_BYTES, MAIL_LIMITS } from './mail-limits.ts';
import { CostlyMailError, SlowMailError } from '../parser/mail-reader.ts';

afterEach(stopMail);

const refused = (code: number) => expect.objectContaining({ responseCode: code });

describe('mail is refused', () => {
  it('on more connections of one IP than it may have, until one of them ends', async () => {
    const mail = await openMailService({ limits: { connectionsPerSender: 2 } });
    const [first] = [await mail.dial(), await mail.dial()];
    await expect(mail.send()).rejects.toEqual(refused(421));
    first.leave();
    let answer = '';
    // The end of a connection is seen a moment later.
    for (let tries = 0; tries < 50 && answer === ''; tries += 1)
      answer = await mail.send().then(
        (ok) => ok.response,
        () => '',
      );
    expect(answer).toMatch(/^250 /);
  });

  it('from one IP that keeps the readers busy with what cannot be read, also those that wait for a reader', async () => {
    const read = jest.fn((_: Uint8Array, __?: string, check: () => void = () => undefined): Promise<never> => {
      check();
      return Promise.reject(new CostlyMailError('costly'));
    });
    const mail = await openMailService({ reader: { read }, limits: { costlyPerSender: { burst: 1, perSecond: 0 } } });
    const waiting = await mail.dial();
    await waiting.envelope();
    await expect(mail.send()).rejects.toEqual(refused(554));
    expect(await waiting.ask('Subject: x\r\n\r\nx\r\n.')).toMatch(/^451 .*too long to read/);
    await expect(mail.send()).rejects.toEqual(refused(451));
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('for now, when it is not read in time: a busy machine is no fault of the mail', async () => {
    const read = () => Promise.reject(new SlowMailError('slow'));
    const mail = await openMailService({ reader: { read }, limits: { costlyPerSender: { burst: 1, perSecond: 0 } } });
    await expect(mail.send()).rejects.toEqual(refused(451));
    await expect(mail.send()).rejects.toThrow(/take too long to read/);
  });

  it('on a connection from an address that may not send mail, before a word is said', async () => {
    const mail = await openMailService({ allowedRanges: ['127.0.0.2', '10.0.0.0/8', 'fd00::/8'] });
    expect((await mail.dial('127.0.0.1')).greeting).toBe('554 No mail is taken from your address');
    expect((await mail.send({}, { localAddress: '127.0.0.2' })).response).toMatch(/^250 /);
    await expect(mail.send()).rejects.toEqual(refused(554));
  });

  it('on a connection that lasts too long, whatever is said on it', async () => {
    const mail = await openMailService({ limits: { connectionMs: 300 } });
    const dialogue = await mail.dial();
    let answer = '250 ';
    while (answer.startsWith('250 ')) answer = await dialogue.ask('NOOP');
    expect(answer).toBe('');
  });

  it('on a connection that names senders and addresses and sends nothing', async () => {
    const mail = await openMailService({ limits: { commandsPerMail: 3 } });
    const dialogue = await mail.dial();
    await dialogue.ask('EHLO client.example.com');
    await dialogue.ask('MAIL FROM:<ada@example.com>');
    for (let times = 0; times < 2; times += 1) expect(await dialogue.ask(`RCPT TO:<${MAILBOX}>`)).toMatch(/^250 /);
    expect(await dialogue.ask(`RCPT TO:<${MAILBOX}>`)).toMatch(/^421 /);
  });

  it.each([
    ['unknown@alerts.example.com', 'There is no such mailbox here'],
    ['ops+1@alerts.example.com', 'There is no such mailbox here'],
    ['ops@example.com', 'Mail is not relayed'],
    ['ops@sub.alerts.example.com', 'Mail is not relayed'],
    ['"ops@alerts.example.com"@example.com', 'Bad recipient address syntax'],
  ])('to %s', async (to, why) => {
    const mail = await openMailService();
    const dialogue = await mail.dial();
    await dialogue.ask('EHLO client.example.com');
    await dialogue.ask('MAIL FROM:<ada@example.com>');
    expect(await dialogue.ask(`RCPT TO:<${to}>`)).toMatch(new RegExp(`^5[05][01] .*${why}`));
    expect(await dialogue.ask('DATA')).toMatch(/^503 /);
    expect(mail.outcomes).toEqual([]);
  });

  it('for now, to an address of which an update cannot be read', async () => {
    const mail = await openMailService();
    mail.store.findMailbox = () => Promise.reject(new UnavailableError('unavailable'));
    await expect(mail.send()).rejects.toEqual(refused(451));
  });

  it('after too many addresses that are not there', async () => {
    const mail = await openMailService({ limits: { refusedRecipients: 2 } });
    const dialogue = await mail.dial();
    await dialogue.ask('EHLO client.example.com');
    await dialogue.ask('MAIL FROM:<ada@example.com>');
    const answers: string[] = [];
    for (const name of ['a', 'b', 'c']) answers.push(await dialogue.ask(`RCPT TO:<${name}@alerts.example.com>`));
    expect(answers.map((answer) => answer.slice(0, 3))).toEqual(['550', '550', '421']);
    expect(await dialogue.ask(`RCPT TO:<${MAILBOX}>`)).toBe('');
  });

  it('after too many addresses that are not there from one IP, on all its connections, to any address alike', async () => {
    const mail = await openMailService({ limits: { unknownPerSender: { burst: 3, perSecond: 0 } } });
    const answers: string[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'ops']) {
      const dialogue = await mail.dial();
      await dialogue.ask('EHLO client.example.com');
      await dialogue.ask('MAIL FROM:<ada@example.com>');
      answers.push((await dialogue.ask(`RCPT TO:<${name}@alerts.example.com>`)).slice(0, 3));
      dialogue.leave();
    }
    expect(answers).toEqual(['550', '550', '550', '451', '451']);
  });

  it.each([
    ['to one address', { perAddress: { burst: 2, perSecond: 0 } }],
    ['to one address from one IP', { perAddressAndSender: { burst: 2, perSecond: 0 } }],
    ['from one IP', { perSender: { burst: 2, perSecond: 0 } }],
  ])('for now, when too much of it comes %s', async (_, limits) => {
    const mail = await openMailService({ limits });
    await mail.send();
    await mail.send({ text: 'another' });
    await expect(mail.send({ text: 'a third' })).rejects.toEqual(refused(451));
    expect(mail.commands()).toHaveLength(2);
  });

  it('to an integration that is disabled, until it is enabled, and to one that is gone', async () => {
    const mail = await openMailService();
    const path = `/v2/integrations/${mail.integrationId}`;
    await mail.call('post', `${path}/disable`);
    await expect(mail.send()).rejects.toEqual(refused(550));
    await mail.call('post', `${path}/enable`);
    await mail.send();
    await mail.call('delete', path);
    await expect(mail.send()).rejects.toEqual(refused(550));
    expect(mail.commands()).toHaveLength(1);
  });

  it('when the integration is disabled between the address and the end of the mail', async () => {
    const mail = await openMailService();
    const dialogue = await mail.dial();
    await dialogue.envelope();
    await mail.call('post', `/v2/integrations/${mail.integrationId}/disable`);
    expect(await dialogue.ask('Subject: x\r\n\r\nx\r\n.')).toMatch(/^550 /);
    expect(mail.commands()).toEqual([]);
  });

  it('over 10 MB, and not at 10 MB', async () => {
    const mail = await openMailService();
    const raw = (bytes: number) => `Subject: x\r\n\r\n${'x'.repeat(bytes - 16)}\r\n`;
    const envelope = { from: 'ada@example.com', to: MAILBOX };
    expect((await mail.send({ raw: raw(MAX_MAIL_BYTES), envelope })).response).toMatch(/^250 /);
    await expect(mail.send({ raw: raw(MAX_MAIL_BYTES + 1), envelope })).rejects.toEqual(refused(552));
    expect(mail.commands()).toHaveLength(1);
    expect(mail.outcomes.map(({ bytes }) => bytes)).toEqual([MAX_MAIL_BYTES, MAX_MAIL_BYTES + 1]);
  });

  it('by the size that it announces, before it comes', async () => {
    const mail = await openMailService();
    const dialogue = await mail.dial();
    expect(await dialogue.ask('EHLO client.example.com')).toContain(`SIZE ${MAX_MAIL_BYTES}`);
    expect(await dialogue.ask(`MAIL FROM:<a@example.com> SIZE=${MAX_MAIL_BYTES + 1}`)).toMatch(/^552 /);
    expect(await dialogue.ask(`MAIL FROM:<a@example.com> SIZE=${MAX_MAIL_BYTES}`)).toMatch(/^250 /);
  });

  it('to more addresses than one mail may have, which its sender tries with another mail', async () => {
    const mail = await openMailService({ limits: { recipients: 1 } });
    await mail.call('post', '/v2/integrations', { type: 'Email', name: 'Other', emailUsername: 'other' });
    const { rejected } = await mail.send({ to: [MAILBOX, 'other@alerts.example.com'] });
    expect(rejected).toEqual(['other@alerts.example.com']);
    expect(mail.commands()).toHaveLength(1);
  });

  it('with 452 when too much of it comes at once', async () => {
    const mail = await openMailService({ limits: { heldBytesPerSender: 100_000 } });
    await expect(mail.send({ text: 'x'.repeat(200_000) })).rejects.toEqual(refused(452));
    for (let round = 0; round < 3; round += 1) await mail.send({ text: 'x'.repeat(60_000) });
    expect(mail.commands()).toHaveLength(3);
  });

  it('when it is no mail that can be read', async () => {
    const mail = await openMailService();
    const nested = Array.from(
      { length: 400 },
      (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`,
    );
    const raw = nested.join('');
    await expect(mail.send({ raw, envelope: { from: 'a@b.c', to: MAILBOX } })).rejects.toEqual(refused(554));
  });
});

describe('one sender takes nothing from others', () => {
  const [GREEDY, OTHER] = ['127.0.0.2', '127.0.0.3'];
  const fromOther = { localAddress: OTHER };

  it('by naming an address without sending a mail to it', async () => {
    const mail = await openMailService({ limits: { perAddress: { burst: 2, perSecond: 0 } } });
    const dialogue = await mail.dial(GREEDY);
    await dialogue.ask('EHLO client.example.com');
    for (let times = 0; times < 20; times += 1) {
      await dialogue.ask('MAIL FROM:<ada@example.com>');
      await dialogue.ask(`RCPT TO:<${MAILBOX}>`);
      await dialogue.ask('RSET');
    }
    expect((await mail.send({}, fromOther)).response).toMatch(/^250 /);
  });

  it('by mails to an address', async () => {
    const limits = { perAddress: { burst: 3, perSecond: 0 }, perAddressAndSender: { burst: 2, perSecond: 0 } };
    const mail = await openMailService({ limits });
    const greedy = () => mail.send({}, { localAddress: GREEDY });
    await greedy();
    await greedy();
    await expect(greedy()).rejects.toEqual(refused(451));
    expect((await mail.send({}, fromOther)).response).toMatch(/^250 /);
  });

  it('by connections', async () => {
    const mail = await openMailService({ limits: { connections: 4, connectionsPerSender: 3 } });
    for (let times = 0; times < 3; times += 1) expect((await mail.dial(GREEDY)).greeting).toMatch(/^220 /);
    expect((await mail.dial(GREEDY)).greeting).toBe('421 Too many connections from you');
    expect((await mail.dial(OTHER)).greeting).toMatch(/^220 /);
    expect((await mail.dial('127.0.0.4')).greeting).toBe('421 Too many connections, try again');
  });

  it('by the memory that its mails take', async () => {
    const mail = await openMailService({ limits: { heldBytes: 300_000, heldBytesPerSender: 200_000 } });
    const dialogues = await Promise.all([0, 1, 2, 3].map(() => mail.dial(GREEDY)));
    for (const dialogue of dialogues) {
      await dialogue.envelope();
      dialogue.say(`Subject: x\r\n\r\n${'x'.repeat(90_000)}`);
    }
    await expect(mail.send({ text: 'x'.repeat(210_000) }, { localAddress: GREEDY })).rejects.toEqual(refused(452));
    expect((await mail.send({ text: 'x'.repeat(60_000) }, fromOther)).response).toMatch(/^250 /);
  });
});

describe('a sender by IPv6', () => {
  it('is its /64 network, for each rate and share', () => {
    const inboundMail = { takes: () => Promise.resolve(false) };
    const once = { burst: 1, perSecond: 0 };
    const limits = { ...MAIL_LIMITS, perSender: once, unknownPerSender: once };
    const admission = new MailAdmission({ domain: 'alerts.example.com', inboundMail }, limits);
    const [one, neighbour, stranger] = ['2001:db8:0:1::1', '2001:db8:0:1::2', '2001:db8:0:2::1'].map(
      (remoteAddress) => ({
        id: remoteAddress,
        remoteAddress,
      }),
    );
    const codes = (sessions: readonly ({ id: string; remoteAddress: string } | undefined)[]) =>
      sessions.map((session) => session && admission.refusalOfSender(session)?.responseCode);
    expect(codes([one, neighbour, stranger])).toEqual([undefined, 451, undefined]);
  });
});
