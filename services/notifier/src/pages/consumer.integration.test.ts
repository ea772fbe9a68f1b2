import { describe, expect, it } from '@jest/globals';
import { collectionOf } from '@tocsin/mongo';
import { DELIVERIES } from '../messages/delivery-document.ts';
import { isFinal } from '../messages/delivery.ts';
import { useComponent } from '../testing/component-fixture.ts';
import { ada, cancel, closing, page } from '../testing/page-samples.ts';

const setUp = useComponent();

const planned = ['notification-rule matched', 'step scheduled'];
const [newAlert] = ada().notificationRules;
if (newAlert === undefined) throw new Error('the sample has no rule');
const later = ada({
  notificationRules: [{ ...newAlert, steps: newAlert.steps.map((step) => ({ ...step, sendAfterMinutes: 5 })) }],
});
const MINUTE_MS = 60_000;

describe('a page', () => {
  it('becomes a mail to the user, once, and the log says so', async () => {
    const { settle, fireDue, mails, said, stores, handedOver, clock } = await setUp();
    clock.advance(250);
    await settle(page());
    await settle(page());
    await fireDue();
    await fireDue();
    expect(mails.map(({ to }) => to)).toEqual(['ada@example.com']);
    expect(await said()).toEqual([...planned, 'delivery sent']);
    expect(handedOver).toEqual([0.25]);
    expect((await stores.decisions()).at(-1)).toMatchObject({
      alertId: 'a1',
      findings: [{ facts: { userId: 'ada', method: 'email', to: 'ada@example.com' } }],
    });
  });

  it('that comes with its cancel is not sent, and the log says why', async () => {
    const { settle, fireDue, mails, said, texts } = await setUp();
    await settle(page(), cancel());
    expect(await said()).toEqual([...planned, 'delivery dropped']);
    expect((await texts()).at(-1)).toBe('The mail to ada@example.com was not sent: the alert was acknowledged.');
    await fireDue();
    expect(mails).toEqual([]);
  });

  it('is sent when its step says, and not before (U4)', async () => {
    const { settle, fireDue, mails, clock } = await setUp([later]);
    await settle(page());
    clock.advance(5 * MINUTE_MS - 1);
    await fireDue();
    expect(mails).toEqual([]);
    clock.advance(1);
    await fireDue();
    expect(mails).toHaveLength(1);
  });

  it('is not sent after an acknowledgement, and the log says why', async () => {
    const { settle, fireDue, mails, said, clock } = await setUp([later]);
    await settle(page());
    await settle(cancel());
    clock.advance(5 * MINUTE_MS);
    await fireDue();
    expect(mails).toEqual([]);
    expect(await said()).toEqual([...planned, 'delivery dropped']);
  });

  it('that only a close ends is sent after an acknowledgement and not after a close', async () => {
    const { settle, fireDue, mails, clock } = await setUp([later]);
    await settle(page({ cancelOn: 'close' }), page({ pageId: 'second', cancelOn: 'close', alertVersion: 3 }));
    await settle(cancel());
    clock.advance(4 * MINUTE_MS);
    await settle(closing(3));
    clock.advance(MINUTE_MS);
    await fireDue();
    expect(mails).toHaveLength(1);
  });

  it('does not reach a contact that was disabled after it was planned, and the log says why', async () => {
    const { settle, userIs, fireDue, mails, texts, clock } = await setUp([later]);
    await settle(page());
    userIs({ ...later, contacts: later.contacts.map((contact) => ({ ...contact, enabled: false })) });
    clock.advance(5 * MINUTE_MS);
    await fireDue();
    expect(mails).toEqual([]);
    expect((await texts()).at(-1)).toBe('The mail to ada@example.com was not sent: the contact is disabled.');
  });

  it('is tried again after a temporary refusal, and given up after a permanent one', async () => {
    const { settle, answers, fireDue, mails, said, refused, clock } = await setUp();
    answers.push({ kind: 'temporary', reason: '451 busy' }, { kind: 'permanent', reason: '550 no such user' });
    await settle(page());
    await fireDue();
    await fireDue();
    expect(mails).toHaveLength(1);
    clock.advance(2_000);
    await fireDue();
    clock.advance(3_600_000);
    await fireDue();
    expect(mails).toHaveLength(2);
    expect(await said()).toEqual([...planned, 'delivery retrying', 'delivery failed']);
    expect(refused).toEqual(['temporary']);
  });

  it('is sent whatever is before it in the queue', async () => {
    const { settle, fireDue, mails } = await setUp();
    for (let number = 0; number < 5; number += 1) await settle(page({ pageId: `page ${number}` }));
    await fireDue();
    expect(mails).toHaveLength(5);
  });

  it('of a user who is not known is logged as skipped', async () => {
    const { settle, fireDue, mails, said } = await setUp([]);
    await settle(page());
    await fireDue();
    expect(mails).toEqual([]);
    expect(await said()).toEqual(['user skipped']);
  });

  it('of a user who cannot be looked up waits alone: the others of its partition go on', async () => {
    const { settle, unavailable, fireDue, mails, said, userIs, clock } = await setUp();
    unavailable.directory = true;
    const of = (pageId: string, userId: string) => page({ pageId, userId });
    expect(await settle(of('before', 'ada'), of('new', 'grace'), of('behind', 'ada'))).toEqual({ outcome: 'done' });
    await fireDue();
    expect(mails).toHaveLength(2);
    expect(await said()).toContain('user waiting');
    clock.advance(MINUTE_MS);
    await fireDue();
    expect(mails).toHaveLength(2);
    unavailable.directory = false;
    userIs(ada({ id: 'grace' }));
    clock.advance(MINUTE_MS);
    await fireDue();
    clock.advance(MINUTE_MS);
    await fireDue();
    expect(mails).toHaveLength(3);
    expect((await said()).filter((each) => each === 'user waiting')).toHaveLength(1);
  });

  it('that waited for its user is logged as skipped once directory answers that there is none', async () => {
    const { settle, unavailable, fireDue, mails, said, stores, clock } = await setUp([]);
    unavailable.directory = true;
    await settle(page());
    unavailable.directory = false;
    clock.advance(MINUTE_MS);
    await fireDue();
    expect(mails).toEqual([]);
    expect(await said()).toEqual(['user waiting', 'user skipped']);
    expect(await stores.repetitions()).toEqual([]);
  });
});

describe('a page whose rule repeats its steps', () => {
  const repeating = ada({
    notificationRules: [{ ...newAlert, repeat: { enabled: true, loopAfterMinutes: 10 } }],
  });

  it('is sent again every `loopAfter` until an acknowledgement, and the log says each time (U4)', async () => {
    const { settle, fireDue, mails, said, clock } = await setUp([repeating]);
    await settle(page());
    const sentAfter: number[] = [];
    for (let minute = 0; minute <= 35; minute += 1) {
      await fireDue();
      sentAfter.push(...mails.slice(sentAfter.length).map(() => minute));
      clock.advance(MINUTE_MS);
    }
    expect(sentAfter).toEqual([0, 10, 20, 30]);
    await settle(cancel());
    clock.advance(30 * MINUTE_MS);
    await fireDue();
    clock.advance(30 * MINUTE_MS);
    await fireDue();
    expect(mails).toHaveLength(4);
    const again = ['repeat started', 'step scheduled', 'delivery sent'];
    const once = [...planned, 'repeat scheduled', 'delivery sent'];
    expect(await said()).toEqual([...once, ...again, ...again, ...again, 'repeat ended']);
  });

  it('has one planned repetition, however long it is not acknowledged', async () => {
    const { settle, fireDue, stores, clock } = await setUp([repeating]);
    await settle(page());
    for (let day = 0; day < 30; day += 1) {
      clock.advance(24 * 60 * MINUTE_MS);
      await fireDue();
      const waiting = (await stores.stored()).filter((each) => !isFinal(each));
      expect([await stores.repetitions(), waiting]).toMatchObject([[{ number: day + 2 }], []]);
    }
  });

  it('is not repeated after its cancel, but a page that came after that is', async () => {
    const { settle, fireDue, mails, clock } = await setUp([repeating]);
    await settle(page());
    await fireDue();
    await settle(cancel());
    await settle(page({ pageId: 'next', alertVersion: 3 }));
    await fireDue();
    expect(mails).toHaveLength(2);
    clock.advance(10 * MINUTE_MS);
    await fireDue();
    expect(mails).toHaveLength(3);
  });

  it('stays due while the owner of the users cannot be asked', async () => {
    const { settle, fireDue, unavailable, stores, clock } = await setUp([repeating]);
    await settle(page());
    clock.advance(10 * MINUTE_MS);
    unavailable.directory = true;
    const rows = collectionOf(stores.connection, DELIVERIES);
    await rows.updateOne({}, { $set: { 'next.page.userId': 'new' } });
    await fireDue();
    const later = new Date(clock.now().getTime() + 5_000);
    expect(await stores.repetitions()).toMatchObject([{ number: 1, dueAt: later }]);
  });
});
