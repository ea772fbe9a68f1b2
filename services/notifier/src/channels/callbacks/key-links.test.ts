import { describe, expect, it } from '@jest/globals';
import { ManualClock } from '@tocsin/core';
import { LinkSigner } from '@tocsin/http';
import { anyCodePoint } from '@tocsin/testkit';
import fc from 'fast-check';
import { CallbackLinks, KeyLinks } from './links.ts';

const KEY = 'the signing key of the installation';
const clock = new ManualClock(new Date('2026-01-01T00:00:00Z'));
const parts = { baseUrl: 'https://tocsin.example.com', clock };
const keys = new KeyLinks({ ...parts, links: new LinkSigner([KEY], 'call-key') });
const receipts = new CallbackLinks({ ...parts, links: new LinkSigner([KEY], 'callback') });
const about = { alertId: 'a1', page: 'p1', userId: 'ada', tinyId: '7', to: '1-5551234567' };
const question = { about, asked: 1 };
const tokenOf = (url: string) => new URL(url).searchParams.get('token') ?? '';

describe('the URL at which a provider reports a key', () => {
  it('names its provider, and by its token one question about one page, whatever their ids', () => {
    expect(keys.urlOf('twilio', question)).toMatch(
      /^https:\/\/tocsin\.example\.com\/callbacks\/twilio\?token=[\w.-]+$/,
    );
    fc.assert(
      fc.property(fc.string({ unit: anyCodePoint, maxLength: 100 }), fc.nat(), (any, asked) => {
        const each = { about: { ...about, alertId: any.toWellFormed(), tinyId: any.toWellFormed() }, asked };
        expect(keys.read('twilio', tokenOf(keys.urlOf('twilio', each)))).toEqual(each);
      }),
    );
  });

  it('works for no other provider, and not as a URL for receipts, nor the other way round', () => {
    const token = tokenOf(keys.urlOf('twilio', question));
    expect(keys.read('http', token)).toBe('forged');
    expect(receipts.read('twilio', token)).toBe('forged');
    const receipt = receipts.urlOf('twilio', { method: 'voice', deliveryId: 'd1', attempt: 1 });
    expect(keys.read('twilio', tokenOf(receipt))).toBe('forged');
  });

  it('works for three days', () => {
    const token = tokenOf(keys.urlOf('twilio', question));
    clock.advance(3 * 86_400_000 - 1_000);
    expect(keys.read('twilio', token)).toEqual(question);
    clock.advance(1_000);
    expect(keys.read('twilio', token)).toBe('expired');
  });
});
