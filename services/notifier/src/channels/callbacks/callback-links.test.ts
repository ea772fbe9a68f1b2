import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tocsin/core';
import { LinkSigner } from '@tocsin/http';
import { anyCodePoint } from '@tocsin/testkit';
import fc from 'fast-check';
import { CallbackLinks } from './links.ts';

const KEY = 'the signing key of the installation';
const clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
const links = new CallbackLinks({
  baseUrl: 'https://tocsin.example.com',
  links: new LinkSigner([KEY], 'callback'),
  clock,
});
const about = { method: 'sms', deliveryId: 'a1:1:user:ada:-:0:ada:create-alert@2', attempt: 3 } as const;
const tokenOf = (url: string) => new URL(url).searchParams.get('token') ?? '';

describe('the URL at which a provider calls back', () => {
  it('names its provider, and by its token one attempt at one message, whatever their ids', () => {
    expect(links.urlOf('twilio', about)).toMatch(/^https:\/\/tocsin\.example\.com\/callbacks\/twilio\?token=[\w.-]+$/);
    fc.assert(
      fc.property(fc.string({ unit: anyCodePoint, maxLength: 300 }), fc.nat(), (deliveryId, attempt) => {
        const each = { method: 'voice', deliveryId: deliveryId.toWellFormed(), attempt } as const;
        const url = links.urlOf('http', each);
        expect(links.read('http', tokenOf(url))).toEqual(each);
        expect(links.urlWith('http', tokenOf(url))).toBe(url);
      }),
    );
  });

  it('works for no other provider, and not for what others have signed', () => {
    const token = tokenOf(links.urlOf('twilio', about));
    expect(links.read('http', token)).toBe('forged');
    expect(links.read('twilio', `${token}x`)).toBe('forged');
    const file = new LinkSigner([KEY], 'file').sign('42', new Date('2026-02-01T00:00:00Z'));
    expect(links.read('twilio', file)).toBe('forged');
  });

  it('works for three days', () => {
    const token = tokenOf(links.urlOf('twilio', about));
    clock.advance(3 * 86_400_000 - 1_000);
    expect(links.read('twilio', token)).toEqual(about);
    clock.advance(1_000);
    expect(links.read('twilio', token)).toBe('expired');
  });
});
