import { describe, expect, it } from '@jest/globals';
import { sampleReceipt, sampleUser } from '../testing/stored-samples.ts';
import { proofOf, proven, receiptsOf } from './receipt.ts';
import { withDevice } from './device.ts';

const push = { userId: 'user-ada', method: 'mobile', to: 'topic-1' } as const;
const mail = { userId: 'user-ada', method: 'email', to: 'ada@example.com' } as const;

describe('the receipts of a decision', () => {
  it('are the mails and pushes that were sent', () => {
    expect(receiptsOf(sampleReceipt('ada'))).toEqual([mail]);
    expect(receiptsOf(sampleReceipt('ada', {}, { facts: push }))).toEqual([push]);
  });

  it.each([
    ['another stage', sampleReceipt('ada', { stage: 'page' })],
    ['a mail that failed', sampleReceipt('ada', {}, { outcome: 'failed' })],
    ['another method', sampleReceipt('ada', {}, { facts: { userId: 'user-ada', method: 'sms', to: '39-1' } })],
    ['no facts', sampleReceipt('ada', {}, { facts: undefined })],
    ['facts of another form', sampleReceipt('ada', {}, { facts: { userId: 7, method: 'email', to: [] } })],
  ])('are none for %s', (_, decision) => {
    expect(receiptsOf(decision)).toEqual([]);
  });
});

describe('what receipts prove', () => {
  const ada = sampleUser('ada');

  it('is the user whose user name is the address, in any case', () => {
    expect(proofOf(ada, [{ ...mail, to: 'Ada@Example.com' }])).toEqual({ verifiesUser: true, topics: [] });
    expect(proofOf(ada, [{ ...mail, to: 'ada@work.example.com' }])).toBeUndefined();
    expect(proofOf(ada, [{ ...mail, userId: 'user-bob' }])).toBeUndefined();
    expect(proofOf(ada, [{ ...mail, method: 'mobile' }])).toBeUndefined();
    expect(proofOf({ ...ada, verified: true }, [mail])).toBeUndefined();
  });

  it('is the device to whose topic it went, once', () => {
    const one = withDevice(ada, { id: 'd1', name: 'Phone', topic: 'topic-1' }) ?? ada;
    const user = withDevice(one, { id: 'd2', name: 'Tablet', topic: 'topic-2' }) ?? one;
    const proof = proofOf(user, [
      push,
      push,
      { ...push, to: 'topic-3' },
      { ...push, userId: 'user-bob', to: 'topic-2' },
    ]);
    expect(proof).toEqual({ verifiesUser: false, topics: ['topic-1'] });
    const known = proven(user, proof ?? { verifiesUser: false, topics: [] });
    expect(known.contacts.map(({ device }) => device?.verified)).toEqual([undefined, true, false]);
    expect(known.verified).toBe(false);
    expect(proofOf(known, [push])).toBeUndefined();
  });
});
