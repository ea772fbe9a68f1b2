import { describe, expect, it } from '@jest/globals';
import type { ConsumedRecord, PageMessage } from '@tocsin/events';
import { useComponent } from '../testing/component-fixture.ts';
import { ada, closing, page } from '../testing/page-samples.ts';
import { verification } from '../testing/notice-samples.ts';

const setUp = useComponent();

const [newAlert] = ada().notificationRules;
if (newAlert === undefined) throw new Error('the sample has no rule');
/** No instant is so far away. */
const NEVER_MINUTES = 1e15;
const neverDue = newAlert.steps.map((step) => ({ ...step, sendAfterMinutes: NEVER_MINUTES }));
const unreadable = { notificationRules: [{ ...newAlert, steps: neverDue }] };
const eve = ada({ id: 'eve', username: 'eve@example.com', ...unreadable });
const MINUTE_MS = 60_000;

const record = <T>(
  value: T | undefined,
): ConsumedRecord<T | undefined> & { readonly topic: string } & {
  readonly partition: number;
  readonly clusterId: string;
} => ({ offset: 0, key: 'k', timestampMs: 0, value, topic: 't', partition: 0, clusterId: 'c1' });

describe('a page on which our own code fails', () => {
  it('is refused for good with those that came with it, and nothing of them is done', async () => {
    const { settle, stores } = await setUp([ada(), eve]);
    const settlement = await settle(page(), page({ pageId: 'second', userId: 'eve' }));
    expect(settlement).toMatchObject({ outcome: 'refused', reason: expect.stringContaining('RangeError') });
    expect([await stores.rows(), await stores.decisions()]).toEqual([[], []]);
  });

  it('is said in the log of its alert once it stands alone and is a dead letter', async () => {
    const { deadLetter, stores } = await setUp([ada(), eve]);
    expect(await deadLetter.page(record(page({ userId: 'eve' })), 'RangeError: no such instant')).toEqual({
      outcome: 'done',
    });
    expect(await stores.decisions()).toMatchObject([
      {
        decisionId: `dead-letter:page:${page().pageId}`,
        alertId: 'a1',
        findings: [
          { subject: 'page', outcome: 'dead-letter', text: expect.stringContaining('RangeError: no such instant') },
        ],
      },
    ]);
  });

  it('is not logged where its bytes are no page, because there is no alert with a log', async () => {
    const { deadLetter, stores } = await setUp();
    expect(await deadLetter.page(record<PageMessage>(undefined), 'no JSON')).toEqual({ outcome: 'done' });
    expect(await stores.decisions()).toEqual([]);
  });
});

describe('a notice that is a dead letter', () => {
  it('is said in the log, without its code', async () => {
    const { deadLetter, stores } = await setUp();
    const { code } = verification();
    await deadLetter.notice(record(verification()), `TypeError: ${code} is odd`);
    expect(await stores.decisions()).toMatchObject([
      { userId: 'ada', findings: [{ subject: 'notice', outcome: 'dead-letter' }] },
    ]);
    expect(JSON.stringify(await stores.decisions())).not.toContain(code);
  });
});

describe('a cancel that is a dead letter', () => {
  it('is said in the log of its alert, because messages are sent all the same', async () => {
    const { deadLetter, stores } = await setUp();
    await deadLetter.page(record(closing(3)), 'TypeError: odd');
    expect(await stores.decisions()).toMatchObject([
      {
        decisionId: 'dead-letter:cancel:a1:ada:3',
        alertId: 'a1',
        findings: [{ subject: 'cancel', outcome: 'dead-letter' }],
      },
    ]);
  });
});

describe('a message on which our own code fails', () => {
  it('fails with the reason in the log, and holds up none that is due with it', async () => {
    const { settle, fireDue, mails, texts } = await setUp();
    const broken = { ...page().alert, tags: undefined as unknown as string[] };
    await settle(page({ pageId: 'broken', alert: broken }), page({ pageId: 'whole' }));
    await fireDue();
    expect(mails).toHaveLength(1);
    expect(await texts()).toContainEqual(
      expect.stringMatching(/^The mail to ada@example.com failed: it cannot be written/),
    );
    await fireDue();
    expect(mails).toHaveLength(1);
  });
});

describe('a repetition on which our own code fails', () => {
  it('ends with the reason in the log, and holds up none that is due with it', async () => {
    const repeat = { enabled: true, loopAfterMinutes: 10 };
    const repeating = { notificationRules: [{ ...newAlert, repeat }] };
    const { settle, fireDue, userIs, mails, texts, stores, clock } = await setUp([
      ada(repeating),
      ada({ ...eve, ...repeating }),
    ]);
    await settle(page(), page({ pageId: 'second', userId: 'eve' }));
    await fireDue();
    userIs({ ...eve, notificationRules: [{ ...newAlert, repeat, steps: neverDue }] });
    clock.advance(10 * MINUTE_MS);
    await fireDue();
    expect(mails).toHaveLength(3);
    expect(await texts()).toContainEqual(
      expect.stringMatching(/^The steps for eve@example.com are not repeated any more/),
    );
    expect((await stores.repetitions()).map((each) => each.page.pageId)).toEqual([page().pageId]);
  });
});
