import { describe, expect, it } from '@jest/globals';
import { consoleCookies, cookieValue } from './console-cookies.ts';

describe('the cookies of people who sign in (K22)', () => {
  it('are bound to the host and to https, and are read by no script and sent from no other site', () => {
    expect(consoleCookies('https://tocsin.example.com')).toEqual({
      session: '__Host-tocsin-session',
      flow: '__Host-tocsin-flow',
      browser: '__Host-tocsin-browser',
      attributes: 'Path=/; HttpOnly; Secure; SameSite=Strict',
    });
  });

  it.each(['http://127.0.0.1:8080', 'http://localhost', 'http://[::1]:8080', 'http://127.9.9.9'])(
    'have no prefix at %s, where no other machine reads them',
    (url) => {
      expect(consoleCookies(url)).toMatchObject({
        session: 'tocsin-session',
        attributes: 'Path=/; HttpOnly; SameSite=Strict',
      });
    },
  );

  it.each([
    'http://tocsin.example.com',
    'http://127.0.0.1.example.com',
    'http://localhost.example.com',
    'http://10.0.0.1',
    'ftp://localhost',
    'localhost',
    '',
  ])('do not exist at %s', (url) => {
    expect(consoleCookies(url)).toBeUndefined();
  });
});

describe('cookieValue', () => {
  it.each([
    ['a=1; tocsin=two; b=3', 'two'],
    ['tocsin=x=y', 'x=y'],
    ['tocsin=of this host; tocsin=of another host', undefined],
    ['\u00a0tocsin=of another host', undefined],
    ['a=1;\t tocsin=two', 'two'],
    ['__Host-tocsin=no; TOCSIN=no; my-tocsin=no', undefined],
    ['tocsin', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('finds in %j the cookie of that very name', (header, value) => {
    expect(cookieValue(header, 'tocsin')).toBe(value);
  });
});
