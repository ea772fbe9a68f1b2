import { describe, expect, it } from '@jest/globals';
import type { SendResult } from './attempts.ts';
import { useComponent } from '../testing/component-fixture.ts';
import { invitation } from '../testing/notice-samples.ts';
import { ada, cancel, page } from '../testing/page-samples.ts';

const setUp = useComponent();

const NO: SendResult = { kind: 'permanent', reason: 'no such address' };
const BUSY: SendResult = { kind: 'temporary', reason: 'busy' };
const withTwo = () => setUp([ada()], ['one', 'two']);

describe('a page whose provider refuses it for good', () => {
  it('goes to the next one at once, as one message, and the log names both', async () => {
    const { answers, carriers, fireDue, mails, said, settle, stores, texts } = await withTwo();
    answers.push(NO);
    await settle(page());
    await fireDue();
    await fireDue();
    expect([carriers, mails.length]).toEqual([['one', 'two'], 2]);
    expect((await said()).slice(2)).toEqual(['delivery failed', 'delivery sent']);
    expect((await texts()).slice(2)).toEqual([
      'The mail to ada@example.com failed by [one] and goes to another provider: no such address.',
      'The mail to ada@example.com was handed over by [two]: 250 ok.',
    ]);
    const { pageId } = page();
    const facts = (await stores.decisions()).slice(-2).map(({ findings }) => findings[0]?.facts);
    expect(facts).toMatchObject([
      { deliveryId: pageId, provider: 'one', successorId: `${pageId}@2` },
      { deliveryId: `${pageId}@2`, provider: 'two', attempts: 1 },
    ]);
  });

  it('has failed once all have refused it', async () => {
    const { answers, carriers, fireDue, said, settle } = await withTwo();
    answers.push(NO, NO);
    await settle(page());
    await fireDue();
    expect(carriers).toEqual(['one', 'two']);
    expect((await said()).slice(2)).toEqual(['delivery failed', 'delivery failed']);
  });

  it('does not go to the next one after an acknowledgement', async () => {
    const { answers, carriers, clock, fireDue, said, settle } = await withTwo();
    answers.push(NO, BUSY);
    await settle(page());
    await fireDue();
    await settle(cancel());
    clock.advance(60_000);
    await fireDue();
    expect(carriers).toEqual(['one', 'two']);
    expect((await said()).slice(2)).toEqual(['delivery failed', 'delivery retrying', 'delivery dropped']);
  });

  it('does nothing more when it comes again', async () => {
    const { answers, carriers, fireDue, settle } = await withTwo();
    answers.push(NO);
    await settle(page());
    await fireDue();
    await settle(page());
    await fireDue();
    expect(carriers).toEqual(['one', 'two']);
  });
});

describe('a notice whose provider refuses it for good', () => {
  it('goes to the next one, and both outcomes are reported', async () => {
    const { answers, carriers, fireDue, outcomes, notify } = await withTwo();
    answers.push(NO);
    await notify(invitation());
    await fireDue();
    expect(carriers).toEqual(['one', 'two']);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['failed', 'sent']);
  });
});

describe('a page whose provider refuses all for a while', () => {
  it('goes to the next one once the tries of the first have ended', async () => {
    const { answers, carriers, fireAll, said, settle } = await withTwo();
    for (let count = 0; count < 60; count += 1) answers.push(BUSY);
    await settle(page());
    await fireAll();
    const ofOne = carriers.lastIndexOf('one') + 1;
    expect(carriers.slice(0, ofOne)).toEqual(Array<string>(ofOne).fill('one'));
    expect(new Set(carriers.slice(ofOne))).toEqual(new Set(['two']));
    expect((await said()).filter((each) => each === 'delivery failed')).toHaveLength(2);
  });
});
