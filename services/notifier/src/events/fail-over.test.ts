import { describe, expect, it } from '@jest/globals';
import type { SendResult } from '../domain/attempts.ts';
import { setUp } from '../testing/component-fixture.ts';
import { invitation } from '../testing/notice-samples.ts';
import { ada, page } from '../testing/page-samples.ts';

const NO: SendResult = { kind: 'permanent', reason: 'no such address' };
const BUSY: SendResult = { kind: 'temporary', reason: 'busy' };
const withTwo = () => setUp([ada()], ['one', 'two']);

describe('a page whose provider refuses it for good', () => {
  it('goes to the next one at once, as one message, and the log tells of both', async () => {
    const { answers, carriers, fireDue, mails, said, settle, store, texts } = withTwo();
    answers.push(NO);
    await settle(page());
    await fireDue();
    await fireDue();
    expect([carriers, mails.length]).toEqual([['one', 'two'], 2]);
    expect(said().slice(2)).toEqual(['delivery failed', 'delivery sent']);
    expect(texts().slice(2)).toEqual([
      'The email to ada@example.com failed by [one] and goes to another provider: no such address.',
      'The email to ada@example.com was handed over by [two]: 250 ok.',
    ]);
    const { pageId } = page();
    const facts = store.decisions.slice(-2).map(({ verdicts }) => verdicts[0]?.facts);
    expect(facts).toMatchObject([
      { deliveryId: pageId, provider: 'one', successorId: `${pageId}@2` },
      { deliveryId: `${pageId}@2`, provider: 'two', attempts: 1 },
    ]);
  });

  it('has failed once all have refused it', async () => {
    const { answers, carriers, fireDue, said, settle } = withTwo();
    answers.push(NO, NO);
    await settle(page());
    await fireDue();
    expect(carriers).toEqual(['one', 'two']);
    expect(said().slice(2)).toEqual(['delivery failed', 'delivery failed']);
  });

  it('does not go to the next one after an acknowledgement', async () => {
    const { alertIs, answers, carriers, clock, fireDue, said, settle } = withTwo();
    answers.push(NO, BUSY);
    await settle(page());
    await fireDue();
    await alertIs(2, { acknowledged: true });
    clock.advance(60_000);
    await fireDue();
    expect(carriers).toEqual(['one', 'two']);
    expect(said().slice(2)).toEqual(['delivery failed', 'delivery retrying', 'delivery dropped']);
  });

  it('does nothing more when it comes again', async () => {
    const { answers, carriers, fireDue, settle } = withTwo();
    answers.push(NO);
    await settle(page());
    await fireDue();
    await settle(page());
    await fireDue();
    expect(carriers).toEqual(['one', 'two']);
  });
});

describe('a notice whose provider refuses it for good', () => {
  it('goes to the next one, and is told of', async () => {
    const { answers, carriers, fireDue, news, notify } = withTwo();
    answers.push(NO);
    await notify(invitation());
    await fireDue();
    expect(carriers).toEqual(['one', 'two']);
    expect(news.map(({ outcome }) => outcome)).toEqual(['failed', 'sent']);
  });
});

describe('a page whose provider takes nothing for a while', () => {
  it('goes to the next one once the tries of the first have ended', async () => {
    const { answers, carriers, clock, fireDue, said, settle } = withTwo();
    for (let count = 0; count < 60; count += 1) answers.push(BUSY);
    await settle(page());
    for (let second = 0; second < 1_000; second += 1) {
      await fireDue();
      clock.advance(1_000);
    }
    const ofOne = carriers.lastIndexOf('one') + 1;
    expect(carriers.slice(0, ofOne)).toEqual(Array<string>(ofOne).fill('one'));
    expect(new Set(carriers.slice(ofOne))).toEqual(new Set(['two']));
    expect(said().filter((each) => each === 'delivery failed')).toHaveLength(2);
  });
});
