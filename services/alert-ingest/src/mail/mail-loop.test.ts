import { describe, expect, it } from '@jest/globals';
import { ownMessageId } from '@tocsin/events';
import { refusedAsLoop } from './mailed-alert.ts';

const ALARM = { origin: 'sender', answers: '' } as const;
const OWN = ownMessageId('d1', 'tocsin.example.com');

describe('a mail of which nothing may come (P10)', () => {
  it.each([
    ['is a notification of Tocsin', { ...ALARM, origin: 'own-notice' }, 'ada@example.com'],
    ['answers a notification of Tocsin', { ...ALARM, answers: OWN }, 'ada@example.com'],
    ['answers a notification of Tocsin', { ...ALARM, answers: `<1@example.com>\t${OWN} <2@example.com>` }, ''],
    ['is an automatic reply', { ...ALARM, origin: 'reply' }, 'ada@example.com'],
    ['is the report of a mail system', { ...ALARM, origin: 'bounce' }, ''],
  ] as const)('%s: %j from %j', (why, mail, sender) => {
    expect(refusedAsLoop(mail, sender)).toContain(why);
  });

  it.each([
    [ALARM, 'ada@example.com'],
    [ALARM, ''],
    [{ ...ALARM, answers: '<1@tocsin.example.com>' }, 'ada@example.com'],
    [{ ...ALARM, origin: 'bounce' }, 'root@db-1.example.com'],
  ] as const)('is not %j from %j', (mail, sender) => {
    expect(refusedAsLoop(mail, sender)).toBeUndefined();
  });
});
