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

describe('a page whose provider asks to wait', () => {
  const LIMITED: SendResult = { kind: 'temporary', reason: 'it answered 429', retryAfterMs: 3_600_000 };

  it('goes to the next one at once, as the same message, and so do those after it (U7)', async () => {
    const { answers, carriers, fireDue, settle, texts } = await withTwo();
    answers.push(LIMITED);
    await settle(page());
    await fireDue();
    await settle(page({ pageId: 'p2', alertId: 'a2' }));
    await fireDue();
    expect(carriers).toEqual(['one', 'two', 'two']);
    expect((await texts()).filter((text) => text.startsWith('The mail'))).toEqual([
      'The mail to ada@example.com is tried again at 2026-01-01T00:00:00.000Z: it answered 429 ([two] is asked next).',
      'The mail to ada@example.com was handed over: 250 ok.',
      'The mail to ada@example.com was handed over: 250 ok.',
    ]);
  });

  it('waits for a minute at most where no other is left', async () => {
    const { answers, carriers, clock, fireAll, settle, texts } = await setUp();
    answers.push(LIMITED);
    await settle(page());
    await fireAll();
    expect([carriers, clock.now().toISOString()]).toEqual([['smtp', 'smtp'], '2026-01-01T00:01:00.000Z']);
    expect((await texts()).slice(2)).toEqual([
      'The mail to ada@example.com is tried again at 2026-01-01T00:01:00.000Z: it answered 429.',
      'The mail to ada@example.com was handed over: 250 ok.',
    ]);
  });

  it('lets no other message through before then', async () => {
    const { answers, carriers, clock, fireAll, fireDue, settle, texts } = await setUp();
    answers.push(LIMITED);
    await settle(page());
    await fireDue();
    clock.advance(20_000);
    await settle(page({ pageId: 'p2', alertId: 'a2', pagedAt: clock.now().toISOString() }));
    await fireDue();
    expect(carriers).toHaveLength(1);
    await fireAll();
    expect([carriers.length, clock.now().toISOString()]).toEqual([3, '2026-01-01T00:01:00.000Z']);
    expect((await texts()).at(-1)).toBe('The mail to ada@example.com was handed over: 250 ok.');
  });
});
