import { describe, expect, it } from '@jest/globals';
import { withDevice } from '../contacts/user-contacts.ts';
import { sampleUser } from '../testing/stored-samples.ts';
import { applyProof, proofOf } from './proof.ts';

const push = { userId: 'user-ada', method: 'mobile', to: 'topic-1' } as const;
const mail = { userId: 'user-ada', method: 'email', to: 'ada@example.com' } as const;

describe('the proof by a message', () => {
  const ada = sampleUser('ada');

  it('verifies the user whose user name is the address, in any case', () => {
    expect(proofOf(ada, [{ ...mail, to: 'Ada@Example.com' }])).toEqual({ verifiesUser: true, topics: [] });
    expect(proofOf(ada, [{ ...mail, to: 'ada@work.example.com' }])).toBeUndefined();
    expect(proofOf(ada, [{ ...mail, userId: 'user-bob' }])).toBeUndefined();
    expect(proofOf(ada, [{ ...mail, method: 'mobile' }])).toBeUndefined();
    expect(proofOf({ ...ada, verified: true }, [mail])).toBeUndefined();
  });

  it('verifies the device of its topic, once', () => {
    const one = withDevice(ada, { id: 'd1', name: 'Phone', topic: 'topic-1' }) ?? ada;
    const user = withDevice(one, { id: 'd2', name: 'Tablet', topic: 'topic-2' }) ?? one;
    const proof = proofOf(user, [
      push,
      push,
      { ...push, to: 'topic-3' },
      { ...push, userId: 'user-bob', to: 'topic-2' },
    ]);
    expect(proof).toEqual({ verifiesUser: false, topics: ['topic-1'] });
    const known = applyProof(user, proof ?? { verifiesUser: false, topics: [] });
    expect(known.contacts.map(({ device }) => device?.verified)).toEqual([undefined, true, false]);
    expect(known.verified).toBe(false);
    expect(proofOf(known, [push])).toBeUndefined();
  });

  it('verifies nothing where the user has another address by now', () => {
    const before = withDevice(ada, { id: 'd1', name: 'Phone', topic: 'topic-1' }) ?? ada;
    const after = withDevice(ada, { id: 'd2', name: 'Phone', topic: 'topic-2' }) ?? ada;
    expect(proofOf(before, [push])).toEqual({ verifiesUser: false, topics: ['topic-1'] });
    expect(proofOf(after, [push])).toBeUndefined();
    expect(proofOf({ ...ada, username: 'ada@new.example.com' }, [mail])).toBeUndefined();
  });
});
