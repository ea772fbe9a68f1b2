import { describe, expect, it } from '@jest/globals';
import { sampleReceipt } from '../testing/stored-samples.ts';
import { mailReceipts, proves } from './mail-receipt.ts';

describe('the receipts of a decision', () => {
  it('are the mails that were sent', () => {
    expect(mailReceipts(sampleReceipt('ada'))).toEqual([{ userId: 'user-ada', to: 'ada@example.com' }]);
  });

  it.each([
    ['another stage', sampleReceipt('ada', { stage: 'page' })],
    ['a mail that failed', sampleReceipt('ada', {}, { outcome: 'failed' })],
    ['another method', sampleReceipt('ada', {}, { facts: { userId: 'user-ada', method: 'sms', to: '39-1' } })],
    ['no facts', sampleReceipt('ada', {}, { facts: undefined })],
    ['facts of another form', sampleReceipt('ada', {}, { facts: { userId: 7, method: 'email', to: [] } })],
  ])('are none for %s', (_, decision) => {
    expect(mailReceipts(decision)).toEqual([]);
  });

  it('prove the user whose user name is the address, in any case', () => {
    const ada = { id: 'user-ada', username: 'ada@example.com' };
    expect(proves({ userId: 'user-ada', to: 'Ada@Example.com' }, ada)).toBe(true);
    expect(proves({ userId: 'user-ada', to: 'ada@work.example.com' }, ada)).toBe(false);
    expect(proves({ userId: 'user-bob', to: 'ada@example.com' }, ada)).toBe(false);
  });
});
