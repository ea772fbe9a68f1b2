import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { anyCodePoint, eventually } from '@tocsin/testkit';
import fc from 'fast-check';
import { generate } from 'selfsigned';
import { MAILBOX, openMailService, stopMail } from '../../testing/mail-fixture.ts';
import type { Certificate } from './mail-listener.ts';

afterEach(stopMail);

let certificate: Certificate;
beforeAll(async () => {
  const made = await generate([{ name: 'commonName', value: 'alerts.example.com' }], { keySize: 2048 });
  certificate = { cert: made.cert, key: made.private };
});

describe('the protocol', () => {
  it('offers neither a login nor encryption without a certificate', async () => {
    const dialogue = await (await openMailService()).dial();
    expect(await dialogue.ask('EHLO client.example.com')).not.toMatch(/AUTH|STARTTLS/);
    expect(await dialogue.ask('AUTH PLAIN AAAA')).toMatch(/^500 /);
    expect(await dialogue.ask('STARTTLS')).toMatch(/^500 /);
    expect(await dialogue.ask('VRFY ops')).toMatch(/^252 /);
  });

  it('names the domain, not the machine', async () => {
    const dialogue = await (await openMailService()).dial();
    expect(await dialogue.ask('EHLO client.example.com')).toContain('alerts.example.com');
  });

  it('is encrypted from STARTTLS on with a certificate, and takes mail without it too', async () => {
    const mail = await openMailService({ certificate });
    const dialogue = await mail.dial();
    expect(await dialogue.ask('EHLO client.example.com')).toContain('STARTTLS');
    const tls = { ca: certificate.cert, servername: 'alerts.example.com', checkServerIdentity: () => undefined };
    expect((await mail.send({}, { ignoreTLS: false, requireTLS: true, tls })).response).toMatch(/^250 /);
    expect((await mail.send()).response).toMatch(/^250 /);
    expect(mail.commands()).toHaveLength(2);
  });

  it('outlives a handshake that fails', async () => {
    const mail = await openMailService({ certificate });
    const dialogue = await mail.dial();
    await dialogue.ask('EHLO client.example.com');
    expect(await dialogue.ask('STARTTLS')).toMatch(/^220 /);
    dialogue.say('no handshake at all');
    await dialogue.answer();
    expect((await mail.send()).response).toMatch(/^250 /);
  });

  it('takes several mails on one connection, after a reset too', async () => {
    const mail = await openMailService();
    const dialogue = await mail.dial();
    await dialogue.envelope();
    expect(await dialogue.ask('Subject: one\r\n\r\nx\r\n.')).toMatch(/^250 /);
    await dialogue.ask('MAIL FROM:<a@example.com>');
    await dialogue.ask('RSET');
    await dialogue.envelope();
    expect(await dialogue.ask('Subject: two\r\n\r\n..dot\r\n.')).toMatch(/^250 /);
    expect(mail.commands()).toMatchObject([{ alert: { message: 'one' } }, { alert: { description: '.dot' } }]);
  });

  it('turns away who comes when all connections are taken', async () => {
    const mail = await openMailService({ limits: { connections: 1 } });
    const first = await mail.dial();
    await expect(mail.send()).rejects.toMatchObject({ responseCode: 421 });
    await first.ask('QUIT');
    // The end of the connection is seen a moment later.
    await eventually(async () => {
      expect((await mail.send()).response).toMatch(/^250 /);
    });
  });

  it('ends a connection that says nothing', async () => {
    const mail = await openMailService({ limits: { idleMs: 300 } });
    const idle = await mail.dial();
    expect(await idle.answer()).toMatch(/^421 /);
  });

  it('ends a mail that does not end', async () => {
    const mail = await openMailService({ limits: { transferMs: 200 } });
    const slow = await mail.dial();
    await slow.envelope();
    slow.say('Subject: x');
    expect(await slow.answer()).toMatch(/^421 /);
    expect(mail.commands()).toEqual([]);
    expect(mail.listener.underWay).toBe(0);
  });

  it('makes nothing of a mail whose sender goes away in the middle of it', async () => {
    const mail = await openMailService();
    const dialogue = await mail.dial();
    await dialogue.envelope();
    dialogue.say('Subject: x\r\n\r\nhalf');
    dialogue.leave();
    await eventually(() => {
      expect(mail.outcomes).toMatchObject([{ requestIds: [], refusal: { responseCode: 421 } }]);
    });
    expect([mail.commands(), mail.listener.underWay]).toEqual([[], 0]);
  });
});

describe('a stop', () => {
  it('answers the mail under way, then ends every connection and listens no more', async () => {
    const mail = await openMailService();
    const publish = mail.publisher.publish.bind(mail.publisher);
    const asked = Promise.withResolvers<undefined>();
    const held = Promise.withResolvers<undefined>();
    mail.publisher.publish = async (topic, messages) => {
      asked.resolve(undefined);
      await held.promise;
      return publish(topic, messages);
    };
    const [idle, sending] = [await mail.dial(), mail.send()];
    await asked.promise;
    const stopping = mail.stop();
    expect(await idle.ask('EHLO late.example.com')).toMatch(/^250/);
    expect(await idle.ask('MAIL FROM:<late@example.com>')).toMatch(/^421 /);
    held.resolve(undefined);
    expect((await sending).response).toMatch(/^250 /);
    await stopping;
    expect(mail.listener.listening).toBe(false);
    await expect(mail.send()).rejects.toMatchObject({ code: 'ESOCKET' });
  });

  it('answers idle connections that it stops', async () => {
    const mail = await openMailService();
    const idle = await mail.dial();
    await mail.stop();
    expect(await idle.answer()).toMatch(/^421 /);
  });

  it('waits for no client for ever', async () => {
    const mail = await openMailService({ limits: { drainMs: 50 } });
    const slow = await mail.dial();
    await slow.envelope();
    await mail.stop();
    expect(await slow.answer()).toMatch(/^421 /);
  });
});

describe('hostile mail', () => {
  it('is answered, whatever its bytes are, and the next one is taken', async () => {
    const mail = await openMailService();
    const dialogue = await mail.dial();
    const line = fc.oneof(
      fc.constantFrom('Content-Type: multipart/mixed; boundary=b', '--b', '--b--', '', '.', 'Subject: =?utf-8?Q?=FF?='),
      fc.constantFrom('Content-Type: message/rfc822', 'From: <<>>,;:', 'Message-ID: ', 'Content-Type: text/html'),
      fc.string({ unit: anyCodePoint, maxLength: 80 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 40 }), fc.uint8Array({ maxLength: 300 }), async (lines, bytes) => {
        await dialogue.ask('RSET');
        await dialogue.envelope();
        const stuffed = Buffer.concat([Buffer.from(lines.join('\r\n')), bytes])
          .toString('latin1')
          .replaceAll(/(^|\n)\./g, '$1..');
        // 451: the machine was too busy to read it in time.
        expect(await dialogue.ask(Buffer.from(`${stuffed}\r\n.`, 'latin1'))).toMatch(/^(250|451|554) /);
      }),
      { numRuns: 40 },
    );
    expect((await mail.send()).response).toMatch(/^250 /);
  });

  it.each([
    ['10 000 header lines', Array.from({ length: 10_000 }, (_, n) => `X-${n}: v`).join('\r\n')],
    ['a subject of 500 000 words', `Subject: ${'word '.repeat(500_000)}`],
    ['a subject of nothing but Re:', `Subject: ${'Re: '.repeat(100_000)}`],
    ['100 000 senders', `From: ${'a@example.com, '.repeat(100_000)}`],
    ['messages in messages', 'Content-Type: message/rfc822\r\n\r\n'.repeat(2_000)],
    ['parts without end', `Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(20_000)}`],
    ['HTML without end', `Content-Type: text/html\r\n\r\n${'<div>'.repeat(30_000)}`],
  ])('of %s is answered', async (_, raw) => {
    const mail = await openMailService();
    const outcome = await mail.send({ raw, envelope: { from: 'a@b.c', to: MAILBOX } }).then(
      ({ response }) => Number(response.slice(0, 3)),
      (error: unknown) => (error as { responseCode?: number }).responseCode,
    );
    // 451: the machine was too busy to read it in time.
    expect([250, 451, 554]).toContain(outcome);
    expect((await mail.send()).response).toMatch(/^250 /);
  });
});
