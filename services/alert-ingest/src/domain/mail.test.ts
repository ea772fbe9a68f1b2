import { describe, expect, it } from '@jest/globals';
import { DELIVERY_ID_HEADER } from '@tocsin/contracts';
import { originOf, refusedAsLoop } from './mail.ts';

const header = (key: string, value: string) => [
  { key: 'subject', value: 'Disk full' },
  { key, value },
];

describe('what may make an alert (P10)', () => {
  it.each([
    ['auto-submitted', 'auto-replied', 'reply'],
    ['auto-submitted', 'Auto-Replied; owner-email="a@example.com"', 'reply'],
    ['precedence', 'auto_reply', 'reply'],
    ['x-autoreply', 'yes', 'reply'],
    ['x-autorespond', 'away', 'reply'],
    [DELIVERY_ID_HEADER.toLowerCase(), '7', 'own-notice'],
    ['auto-submitted', 'auto-generated', 'sender'],
    ['auto-submitted', 'no', 'sender'],
    ['precedence', 'bulk', 'sender'],
    ['x-autoreply', 'no', 'sender'],
    ['x-priority', '1', 'sender'],
  ])('a mail with %s: %s is of %s', (key, value, origin) => {
    expect(originOf(header(key, value))).toBe(origin);
  });

  it('is what a sender sent, not an answer of a machine, a notification of Tocsin or a report from nobody', () => {
    expect(refusedAsLoop({ origin: 'sender' }, 'a@example.com')).toBeUndefined();
    expect(refusedAsLoop({ origin: 'reply' }, 'a@example.com')).toContain('automatic reply');
    expect(refusedAsLoop({ origin: 'own-notice' }, 'a@example.com')).toContain('notification of Tocsin');
    expect(refusedAsLoop({ origin: 'sender' }, '')).toContain('sent by nobody');
  });
});
