import { describe, expect, it } from '@jest/globals';
import { namesOwnMessage } from '@tocsin/events';
import { anyCodePoint } from '@tocsin/testkit';
import fc from 'fast-check';
import { describeChannel } from '../providers/channel.contract.ts';
import { writeMail } from './message.ts';
import { deliveryOf, page } from '../../testing/page-samples.ts';

const sender = { accountName: 'Ops of Example', messageIdHost: 'tocsin.example.com', publicUrl: undefined };

describeChannel('mail', {
  method: 'email',
  write: (delivery, given) => writeMail(delivery, { ...sender, ...given }),
  lines: ({ headers, messageId, subject, to }) => [to, subject, messageId, ...Object.values(headers)],
  text: ({ text }) => text,
  // The parts of an alert are limited where it is created; the subject is cut.
  longest: 2_000_000,
});

describe('writeMail', () => {
  const mail = writeMail(deliveryOf(page()), sender);

  it('says what happened, how urgent it is, and why this user is notified', () => {
    expect(mail.subject).toBe('[P1] Disk full (#7)');
    for (const part of [
      'No space left on /var',
      'Priority: P1',
      'host: db-7',
      'You get this message because: responder user.',
      '-- Ops of Example',
    ])
      expect(mail.text).toContain(part);
    expect(mail.text).not.toContain('Entity:');
  });

  it('keeps the same id for every try, so that a repeat can be folded', () => {
    expect(writeMail(deliveryOf(page(), { attempts: 3 }), sender).messageId).toBe(mail.messageId);
    expect(mail.messageId).toMatch(/^<tocsin\.[A-Za-z0-9.-]+@tocsin\.example\.com>$/);
  });

  it('is named by every answer to it as a mail of Tocsin (P10)', () => {
    expect(namesOwnMessage(`<1@example.com> ${mail.messageId}`)).toBe(true);
    expect(namesOwnMessage(mail.headers['References'] ?? '')).toBe(true);
    expect(namesOwnMessage('<1@tocsin.example.com>')).toBe(false);
  });

  it('is marked as automatic, and is recognised by the service that receives mail (P10)', () => {
    expect(mail.headers).toMatchObject({
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      'X-Tocsin-Delivery-Id': deliveryOf(page()).deliveryId,
    });
  });

  it('says what has happened to the alert, and quotes the note, so that no line of it looks like one of Tocsin', () => {
    const statusUpdate = {
      kind: 'closed',
      actor: 'eve\nClosed by grace.',
      note: 'Was the fan\n-- Ops of Example',
    } as const;
    const { html, subject, text } = writeMail(deliveryOf(page({ statusUpdate })), sender);
    expect(subject).toBe('[P1] Disk full (#7): closed by eve Closed by grace.');
    expect(text).toContain('\nClosed by eve Closed by grace.:\n\n> Was the fan\n> -- Ops of Example\n');
    expect(html).toMatch(/border-left[^>]*>Was the fan<br>-- Ops of Example</);
  });

  it('is in one thread with every other mail about its alert, and with none about another', () => {
    const of = (alertId: string, pageId: string) => writeMail(deliveryOf(page({ alertId, pageId })), sender);
    const [first, second, other] = [of('a1', 'p1'), of('a1', 'p2'), of('a2', 'p3')];
    expect(first.headers).toMatchObject({
      References: '<tocsin.alert.a1@tocsin.example.com>',
      'In-Reply-To': '<tocsin.alert.a1@tocsin.example.com>',
    });
    expect(second.headers['References']).toBe(first.headers['References']);
    expect(second.messageId).not.toBe(first.messageId);
    expect(other.headers['References']).not.toBe(first.headers['References']);
  });

  it('cannot be given further headers by a message', () => {
    const forged = page({ alert: { ...page().alert, message: 'Disk\r\nBcc: eve@example.com' } });
    expect(writeMail(deliveryOf(forged), sender).subject).toBe('[P1] Disk Bcc: eve@example.com (#7)');
  });

  /** The lines that Tocsin wrote: quoted lines are of another author. */
  const ownLines = (text: string): readonly string[] => text.split('\n').filter((line) => !line.startsWith('>'));

  it.each(['\n', '\r\n', '\r', '\v', '\f', '\u0085', '\u2028', '\u2029'])(
    'quotes the lines of a description and of details, so that none passes for one of Tocsin, after %j',
    (end) => {
      const forged = `first${end}Acknowledge: https://evil.example.net${end}-- Ops of Example`;
      const hostile = { ...page().alert, description: forged, details: { [forged]: forged, Priority: 'P5' } };
      const { text } = writeMail(deliveryOf(page({ alert: hostile })), sender);
      const plain = writeMail(deliveryOf(page({ alert: { ...page().alert, details: {} } })), sender);
      expect(ownLines(text).filter((line) => line !== '')).toEqual(ownLines(plain.text).filter((line) => line !== ''));
      expect(text.split('\n')).toContain('> Acknowledge: https://evil.example.net');
    },
  );

  it('keeps values in their lines, and out of the lines of others, whatever they are', () => {
    const count = (text: string) => ownLines(text).length;
    fc.assert(
      fc.property(fc.string({ unit: anyCodePoint }), fc.constantFrom('\r\n', '\n', '\u2028', '\0'), (name, end) => {
        const value = `x${name}${end}Priority: P5${end}`;
        const { alias, entity, message, source, tags } = {
          alias: value,
          entity: value,
          message: value,
          source: value,
          tags: [value],
        };
        const alert = { ...page().alert, alias, entity, message, source, tags };
        const { headers, subject, text } = writeMail(deliveryOf(page({ alert, why: value, alertId: value })), sender);
        const plain = writeMail(deliveryOf(page({ alert: { ...page().alert, entity: 'e' } })), sender);
        expect(count(text)).toBe(count(plain.text));
        expect(JSON.stringify([subject, ...Object.values(headers)])).not.toMatch(/\\[rnu]/);
        expect(ownLines(text).filter((line) => line.startsWith('Priority:'))).toEqual(['Priority: P1']);
      }),
    );
  });

  it('shows no mark that reverses the order of letters, and keeps emoji whole', () => {
    const alert = { ...page().alert, message: 'in\u202evoice\u2066 👩\u200d🚒', description: 'a\u202eb\u200f\tc\0' };
    const { subject, text } = writeMail(deliveryOf(page({ alert })), sender);
    expect(subject).toBe('[P1] invoice 👩\u200d🚒 (#7)');
    expect(text).toContain('> ab c');
    expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200e\u200f\0]/u);
  });

  it('has no link where the installation has no public address', () => {
    expect(mail.text).not.toMatch(/https?:/);
  });
});
