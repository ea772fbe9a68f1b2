import { describe, expect, it } from '@jest/globals';
import { LinkSigner } from '@tocsin/http';
import { KNOWN_BROWSER_LIFETIME_MS, KnownBrowsers } from './known-browser.ts';

const KEY = 'a secret of tests, 32 characters';
const browsers = new KnownBrowsers(new LinkSigner([KEY], 'browser'));
const now = new Date('2026-01-01T00:00:00Z');
const after = (ms: number): Date => new Date(now.getTime() + ms);
const ID = 'b'.repeat(43);
const ADA = '0198c0de-5b1f-7c3a-9d1e-2b4f6a8c0e30';
const cookie = browsers.cookieOf(ADA, ID, now);

describe('a known browser (K20)', () => {
  it('is known for 90 days after a session began in it, to the millisecond', () => {
    expect(browsers.idOf(ADA, cookie, after(90 * 86_400_000 - 1))).toBe(ID);
    expect(browsers.idOf(ADA, cookie, after(KNOWN_BROWSER_LIFETIME_MS))).toBeUndefined();
  });

  it('is known for no other user', () => {
    expect(browsers.idOf(`${ADA}0`, cookie, now)).toBeUndefined();
    expect(browsers.idOf(ADA.slice(1), cookie, now)).toBeUndefined();
    expect(browsers.idOf('', cookie, now)).toBeUndefined();
    expect(browsers.userOf(cookie, now)).toBe(ADA);
    expect(browsers.userOf(cookie, after(KNOWN_BROWSER_LIFETIME_MS))).toBeUndefined();
  });

  it('is not known by a cookie with another id, user or date, or signed with another key or for another purpose', () => {
    const [subject = '', expires = '', signature = ''] = cookie.split('.');
    const forged = [
      `${'c'.repeat(43)}${subject.slice(43)}.${expires}.${signature}`,
      `${subject}0.${expires}.${signature}`,
      `${subject}.${Number(expires) + 1}.${signature}`,
      new KnownBrowsers(new LinkSigner(['another secret, of 32 characters'], 'browser')).cookieOf(ADA, ID, now),
      new KnownBrowsers(new LinkSigner([KEY], 'file')).cookieOf(ADA, ID, now),
      'x',
    ];
    for (const each of [...forged, undefined]) {
      expect(browsers.idOf(ADA, each, now)).toBeUndefined();
      expect(browsers.userOf(each, now)).toBeUndefined();
    }
  });
});
