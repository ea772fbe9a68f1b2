import { describe, expect, test } from '@jest/globals';
import {
  browserName,
  type BrowserState,
  type Contact,
  deviceState,
  deviceText,
  readRegistration,
  subscribeText,
} from './push-state.ts';

const KEY = 'key-of-the-installation';
const browser = (change: Partial<BrowserState> = {}): BrowserState => ({
  support: 'supported',
  permission: 'granted',
  subscribedWith: KEY,
  ...change,
});
const contact = (status: Contact['status'] = { enabled: true }): Contact => ({
  id: 'c1',
  method: 'mobile',
  to: 'browser-1',
  applyOrder: 1,
  status,
  device: { name: 'Chrome on Android', kind: 'web-push', verified: true },
});
const own = { userId: 'ada', username: 'ada@example.com', contactId: 'c1' };
const facts = (change: Partial<Parameters<typeof deviceState>[0]> = {}) => ({
  browser: browser(),
  publicKey: KEY,
  registration: own,
  userId: 'ada',
  contacts: [contact()],
  ...change,
});

describe('a browser', () => {
  test('It shows the pages of its person once it is subscribed and its contact is used.', () => {
    expect(deviceState(facts())).toEqual({ kind: 'subscribed', contact: contact() });
  });

  test.each([
    ['it is not subscribed any more', facts({ browser: browser({ subscribedWith: undefined }) })],
    ['it has subscribed with another key', facts({ browser: browser({ subscribedWith: 'older' }) })],
    [
      'its push service says that it has ended',
      facts({ contacts: [contact({ enabled: true, disabledReason: 'The browser is no longer subscribed.' })] }),
    ],
    [
      'its person disabled it',
      facts({ contacts: [contact({ enabled: false, disabledReason: 'Contact is disabled.' })] }),
    ],
  ])('It shows none where %s, and can be registered in the place of its contact.', (_, given) => {
    const state = deviceState(given);
    expect(state).toMatchObject({ kind: 'ended', contact: { id: 'c1' } });
    expect(subscribeText(state)).toBe('Page me on this device');
  });

  test.each([
    ['it was never registered', facts({ registration: undefined })],
    ['its contact was deleted', facts({ contacts: [] })],
    [
      'it was that of another person, and is not subscribed any more',
      facts({ registration: { ...own, userId: 'bob' }, browser: browser({ subscribedWith: undefined }) }),
    ],
  ])('It can be registered where %s.', (_, given) => {
    expect(deviceState(given)).toEqual({ kind: 'ready' });
  });

  test('It says whose pages it shows, and can be taken over.', () => {
    const state = deviceState(facts({ registration: { ...own, userId: 'bob', username: 'bob@example.com' } }));
    expect(deviceText(state)).toContain('bob@example.com');
    expect(subscribeText(state)).toBe('Page me here instead');
  });

  test.each([
    ['insecure', facts({ browser: browser({ support: 'insecure' }) }), /https/],
    ['home-screen', facts({ browser: browser({ support: 'home-screen' }) }), /home screen/],
    ['unsupported', facts({ browser: browser({ support: 'unsupported' }) }), /cannot/],
    ['not-set-up', facts({ publicKey: undefined }), /VAPID_PRIVATE_KEY/],
    ['denied', facts({ browser: browser({ permission: 'denied' }) }), /allow notifications/],
  ] as const)('It cannot be registered where it is %s, and the page says what to do.', (kind, given, text) => {
    const state = deviceState(given);
    expect(state).toEqual({ kind });
    expect(deviceText(state)).toMatch(text);
    expect(subscribeText(state)).toBeUndefined();
  });
});

describe('what the browser keeps of its registration', () => {
  test('It is read as it was written, and nothing else is.', () => {
    expect(readRegistration(JSON.stringify({ ...own, more: 1 }))).toEqual(own);
    for (const kept of [undefined, '', 'null', '{}', JSON.stringify({ ...own, userId: 7 })])
      expect(readRegistration(kept)).toBeUndefined();
  });
});

describe('the name of a browser', () => {
  test.each([
    [
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/130.0.0.0 Mobile Safari/537.36',
      'Chrome on Android',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1',
      'Safari on iPhone',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0', 'Firefox on Linux'],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0', 'Edge on Windows'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.0 Safari/605.1.15', 'Safari on Mac'],
    ['', 'Browser on a device'],
  ])('%s: %s', (userAgent, name) => {
    expect(browserName(userAgent)).toBe(name);
  });
});
