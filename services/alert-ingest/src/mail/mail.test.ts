import { describe, expect, it } from '@jest/globals';
import { DELIVERY_ID_HEADER } from '@tocsin/events';
import { originOf } from './mail.ts';

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
    ['content-type', 'multipart/report; report-type=delivery-status', 'bounce'],
    ['content-type', 'multipart/mixed; name=multipart/report', 'sender'],
    ['from', 'Mail Delivery System <MAILER-DAEMON@mx.example.com>', 'bounce'],
    ['from', 'MAILER-DAEMON (Mail Delivery System)', 'bounce'],
    ['from', 'postmaster@example.com', 'bounce'],
    ['from', 'not-a-postmaster-at-all@example.com', 'sender'],
    ['x-failed-recipients', 'ada@example.com', 'bounce'],
  ])('a mail with %s: %s is of %s', (key, value, origin) => {
    expect(originOf(header(key, value))).toBe(origin);
  });
});
