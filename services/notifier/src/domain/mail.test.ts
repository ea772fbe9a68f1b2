import { describe, expect, it } from '@jest/globals';
import { writeMail } from './mail.ts';
import { deliveryOf, page } from './page.samples.ts';

const sender = { accountName: 'Ops of Example', messageIdHost: 'tocsin.example.com' };

describe('writeMail', () => {
  const mail = writeMail(deliveryOf(page()), sender);

  it('says what happened, how urgent it is, and why this person is told', () => {
    expect(mail.subject).toBe('[P1] Disk full (#7)');
    for (const part of [
      'No space left on /var',
      'Priority: P1',
      'host: db-7',
      'You are told because: responder user.',
      '-- Ops of Example',
    ])
      expect(mail.text).toContain(part);
    expect(mail.text).not.toContain('Entity:');
  });

  it('keeps the same id for every try, so that a repeat can be folded', () => {
    expect(writeMail(deliveryOf(page(), { attempts: 3 }), sender).messageId).toBe(mail.messageId);
    expect(mail.messageId).toMatch(/^<[A-Za-z0-9.-]+@tocsin\.example\.com>$/);
  });

  it('says that no person wrote it, and is known as ours by whoever takes mail for us (P10)', () => {
    expect(mail.headers).toMatchObject({
      'Auto-Submitted': 'auto-generated',
      'X-Tocsin-Delivery-Id': deliveryOf(page()).deliveryId,
    });
  });

  it('cannot be given further headers by a message', () => {
    const forged = page({ alert: { ...page().alert, message: 'Disk\r\nBcc: eve@example.com' } });
    expect(writeMail(deliveryOf(forged), sender).subject).toBe('[P1] Disk Bcc: eve@example.com (#7)');
  });
});
