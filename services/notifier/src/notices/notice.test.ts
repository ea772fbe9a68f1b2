import { describe, expect, it } from '@jest/globals';
import { anyCodePoint } from '@tocsin/testkit';
import fc from 'fast-check';
import type { NoticeCommand } from '@tocsin/events';
import { beginAttempt, applyResult, type SendResult } from '../messages/attempts.ts';
import { markDropped, type UserDelivery } from '../messages/delivery.ts';
import { writeMail, type Mail } from '../channels/email/message.ts';
import { planNotice } from './notice.ts';
import { invitation, openCode, signInCode, verification } from '../testing/notice-samples.ts';
import { checkBeforeSending } from '../messages/recheck.ts';

const EMAIL = new Set(['email'] as const);
const sender = {
  accountName: 'Ops of Example',
  messageIdHost: 'tocsin.example.com',
  publicUrl: 'https://tocsin.example.com',
  openCode,
};
const now = new Date('2026-01-01T00:00:01Z');
const unheard = { user: undefined };
const SEALED = verification().code;

function deliveryOf(notice: NoticeCommand): UserDelivery {
  const planned = planNotice(notice, EMAIL);
  if ('reason' in planned) throw new Error(planned.reason);
  return planned.delivery;
}
const mailOf = (notice: NoticeCommand): Mail => writeMail(deliveryOf(notice), sender);

describe('an invitation', () => {
  it('names the inviting user, the installation, and the address that is paged (U11)', () => {
    const { subject, text, to } = mailOf(invitation({ to: 'paged@example.com' }));
    expect(to).toBe('paged@example.com');
    expect(subject).toBe('owner@example.com invites you to Ops of Example');
    for (const part of [
      'Hello Ada,',
      'owner@example.com has made you a user of Ops of Example',
      'https://tocsin.example.com',
      'Your user name: ada@example.com',
      'Alerts are sent to: paged@example.com',
    ])
      expect(text).toContain(part);
  });

  it('links to the address of the settings alone, whatever its caller made of the Host header', () => {
    const { text } = mailOf(invitation({ url: 'https://evil.example.net' }));
    expect(text).toContain('Where: https://tocsin.example.com');
    expect(text).not.toContain('evil.example.net');
    const unset = writeMail(deliveryOf(invitation({ url: 'https://evil.example.net' })), {
      ...sender,
      publicUrl: undefined,
    });
    expect(unset.text).not.toMatch(/https?:|Where/);
  });

  it('has one id for every try, and one message however often it comes', () => {
    expect(deliveryOf(invitation())).toEqual(deliveryOf(invitation()));
    expect(mailOf(invitation()).messageId).toBe('<tocsin.notice.n1@tocsin.example.com>');
  });

  it('cannot be given further heads or lines by a name', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: anyCodePoint }),
        fc.constantFrom('\r\n', '\n', '\r', '\u2028', '\0'),
        (name, end) => {
          const forged = `${name}${end}Bcc: eve@example.com${end}${end}Pay here`;
          const mail = mailOf(invitation({ fullName: forged, invitedBy: forged, accountName: forged }));
          expect(mail.subject).not.toMatch(/[\r\n\u2028\0]/);
          expect(mail.text.split('\n')).toHaveLength(mailOf(invitation()).text.split('\n').length);
        },
      ),
    );
  });
});

describe('a code to sign in (K20)', () => {
  it('is mailed to the user name, with a link that has it behind the number sign, which no server gets', () => {
    const { headers, messageId, subject, text, to } = mailOf(signInCode());
    expect(to).toBe('ada@example.com');
    expect(text).toContain('\n2718 2818\n');
    expect(text).toContain('https://tocsin.example.com/console/sign-in#code=27182818');
    expect(text).toContain('until 2026-01-01T00:10:00Z');
    expect(JSON.stringify([subject, headers, messageId])).not.toMatch(/2718 ?2818/);
  });

  it('names the browser and the address that asked for it, and when', () => {
    const { text } = mailOf(signInCode());
    expect(text).toContain('Asked for with: Firefox on Linux\nFrom the address: 192.0.2.7\nAt: 2026-01-01T00:00:00Z\n');
    const older = mailOf(signInCode({ browser: undefined, address: undefined })).text;
    expect(older).toContain('At: 2026-01-01T00:00:00Z');
    expect(older).not.toMatch(/Asked for with|From the address/);
  });

  it('has no link where the settings have no address', () => {
    const { text } = writeMail(deliveryOf(signInCode()), { ...sender, publicUrl: undefined });
    expect(text).toContain('2718 2818');
    expect(text).not.toMatch(/https?:/);
  });

  it('is not sent any more from the instant on at which it expires, and is forgotten with its message', () => {
    const delivery = deliveryOf(signInCode());
    const at = (instant: string) => checkBeforeSending(delivery, { ...unheard, now: new Date(instant) });
    expect(at('2026-01-01T00:09:59.999Z')).toBe(delivery);
    const dropped = at('2026-01-01T00:10:00.000Z');
    expect(dropped).toMatchObject({ state: 'dropped', reason: 'the code has expired' });
    expect(JSON.stringify(dropped)).not.toMatch(/2718 ?2818/);
  });
});

describe('a verification code', () => {
  it('is in no message where it was sealed with another key', () => {
    expect(() => mailOf({ ...verification(), noticeId: 'n9' })).toThrow('The code cannot be read');
  });

  it('is in the text with the instant until which it is valid, and not in the subject', () => {
    const { headers, messageId, subject, text } = mailOf(verification());
    expect(text).toContain('\n314159\n');
    expect(text).toContain('until 2026-01-01T00:10:00Z');
    expect(text).toContain('email contact ada@example.org of ada@example.com');
    expect(JSON.stringify([subject, headers, messageId])).not.toContain('314159');
  });

  it('is not sent any more from the instant on at which it expires', () => {
    const delivery = deliveryOf(verification());
    const at = (instant: string) => checkBeforeSending(delivery, { ...unheard, now: new Date(instant) });
    expect(at('2026-01-01T00:09:59.999Z')).toBe(delivery);
    expect(at('2026-01-01T00:10:00.000Z')).toMatchObject({ state: 'dropped', reason: 'the code has expired' });
  });

  it.each(['sms', 'voice', 'mobile'] as const)('by %s is dropped while there is no channel', (method) => {
    expect(planNotice(verification({ method }), EMAIL)).toEqual({ reason: `there is no channel for ${method}` });
  });

  it.each<[string, SendResult]>([
    ['sent', { kind: 'accepted', response: `250 ok ${SEALED}` }],
    ['refused', { kind: 'permanent', reason: `550 spam: ${SEALED}` }],
    ['left', { kind: 'unknown', reason: `silent after ${SEALED}` }],
  ])('is forgotten once its message was %s, whatever the server repeats of it', (_, result) => {
    const { delivery } = applyResult(beginAttempt(deliveryOf(verification())), result, now, 0);
    expect(JSON.stringify(delivery)).not.toContain(SEALED);
  });

  it('is forgotten when it is dropped, and kept for another try, and in no reason', () => {
    expect(JSON.stringify(markDropped(deliveryOf(verification()), 'late'))).not.toContain(SEALED);
    const busy: SendResult = { kind: 'temporary', reason: `451 try ${SEALED} later` };
    const { delivery, retryAt } = applyResult(beginAttempt(deliveryOf(verification())), busy, now, 0);
    expect(retryAt).toEqual(new Date('2026-01-01T00:00:02Z'));
    expect(delivery.reason).toBe('451 try [code] later');
    expect(writeMail(delivery, sender).text).toContain('314159');
  });
});
