import { describe, expect, it } from '@jest/globals';
import { setUp } from '../testing/component-fixture.ts';
import { ada, page } from '../testing/page-samples.ts';

const planned = ['notification-rule matched', 'step scheduled'];
const [newAlert] = ada().notificationRules;
if (newAlert === undefined) throw new Error('the sample has no rule');
const later = ada({
  notificationRules: [{ ...newAlert, steps: newAlert.steps.map((step) => ({ ...step, sendAfterMinutes: 5 })) }],
});
const MINUTE_MS = 60_000;

describe('a page', () => {
  it('becomes a mail to the user, once, and the log says so', async () => {
    const { settle, fireDue, mails, said, store, handedOver, clock } = setUp();
    clock.advance(250);
    await settle(page());
    await settle(page());
    await fireDue();
    await fireDue();
    expect(mails.map(({ to }) => to)).toEqual(['ada@example.com']);
    expect(said()).toEqual([...planned, 'delivery sent']);
    expect(handedOver).toEqual([0.25]);
    expect(store.decisions.at(-1)).toMatchObject({
      alertId: 'a1',
      verdicts: [{ facts: { userId: 'ada', method: 'email', to: 'ada@example.com' } }],
    });
  });

  it('whose alert was acknowledged before it is not sent, and the log says why', async () => {
    const { settle, alertIs, fireDue, mails, said, texts } = setUp();
    await alertIs(2, { acknowledged: true });
    await settle(page());
    expect(said()).toEqual([...planned, 'delivery dropped']);
    expect(texts().at(-1)).toBe('The email to ada@example.com was not sent: the alert was acknowledged.');
    await fireDue();
    expect(mails).toEqual([]);
  });

  it('is sent when its step says, and not before (U4)', async () => {
    const { settle, fireDue, mails, clock } = setUp([later]);
    await settle(page());
    clock.advance(5 * MINUTE_MS - 1);
    await fireDue();
    expect(mails).toEqual([]);
    clock.advance(1);
    await fireDue();
    expect(mails).toHaveLength(1);
  });

  it('is not sent after an acknowledgement, and the log says why', async () => {
    const { settle, alertIs, fireDue, mails, said, clock } = setUp([later]);
    await settle(page());
    await alertIs(2, { acknowledged: true });
    clock.advance(5 * MINUTE_MS);
    await fireDue();
    expect(mails).toEqual([]);
    expect(said()).toEqual([...planned, 'delivery dropped']);
  });

  it('that is wanted while the alert is open is sent after an acknowledgement and not after a close', async () => {
    const { settle, alertIs, fireDue, mails } = setUp();
    await alertIs(2, { acknowledged: true });
    await settle(page({ wantedWhile: 'open' }));
    await fireDue();
    expect(mails).toHaveLength(1);
    await alertIs(3, { status: 'closed' });
    await settle(page({ pageId: 'second', wantedWhile: 'open' }));
    await fireDue();
    expect(mails).toHaveLength(1);
  });

  it('does not reach a contact that was disabled after it was planned, and the log says why', async () => {
    const { settle, userIs, fireDue, mails, texts, clock } = setUp([later]);
    await settle(page());
    userIs({ ...later, contacts: later.contacts.map((contact) => ({ ...contact, enabled: false })) });
    clock.advance(5 * MINUTE_MS);
    await fireDue();
    expect(mails).toEqual([]);
    expect(texts().at(-1)).toBe('The email to ada@example.com was not sent: the contact is disabled.');
  });

  it('is tried again after a temporary refusal, and given up after a permanent one', async () => {
    const { settle, answers, fireDue, mails, said, refused, clock } = setUp();
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
    expect(said()).toEqual([...planned, 'delivery retrying', 'delivery failed']);
    expect(refused).toEqual(['temporary']);
  });

  it('is handed over whatever stands before it in the queue', async () => {
    const { settle, fireDue, mails } = setUp();
    for (let number = 0; number < 5; number += 1) await settle(page({ pageId: `page ${number}` }));
    await fireDue();
    expect(mails).toHaveLength(5);
  });

  it('of somebody who is not known is said to reach nobody', async () => {
    const { settle, fireDue, mails, said } = setUp([]);
    await settle(page());
    await fireDue();
    expect(mails).toEqual([]);
    expect(said()).toEqual(['user skipped']);
  });

  it('of a user who cannot be asked after waits by itself: those around it in its partition go on', async () => {
    const { settle, away, fireDue, mails, said, userIs, clock } = setUp();
    away.directory = true;
    const of = (pageId: string, userId: string) => page({ pageId, userId });
    expect(await settle(of('before', 'ada'), of('new', 'grace'), of('behind', 'ada'))).toEqual({ outcome: 'done' });
    await fireDue();
    expect(mails).toHaveLength(2);
    expect(said()).toContain('user waiting');
    clock.advance(MINUTE_MS);
    await fireDue();
    expect(mails).toHaveLength(2);
    away.directory = false;
    userIs(ada({ id: 'grace' }));
    clock.advance(MINUTE_MS);
    await fireDue();
    clock.advance(MINUTE_MS);
    await fireDue();
    expect(mails).toHaveLength(3);
    expect(said().filter((each) => each === 'user waiting')).toHaveLength(1);
  });

  it('that waited for its user is said to reach nobody once the owner says that there is none', async () => {
    const { settle, away, fireDue, mails, said, store, clock } = setUp([]);
    away.directory = true;
    await settle(page());
    away.directory = false;
    clock.advance(MINUTE_MS);
    await fireDue();
    expect(mails).toEqual([]);
    expect(said()).toEqual(['user waiting', 'user skipped']);
    expect(store.repetitions.size).toBe(0);
  });
});

describe('a page whose rule repeats its steps', () => {
  const repeating = ada({
    notificationRules: [{ ...newAlert, repeat: { enabled: true, loopAfterMinutes: 10 } }],
  });

  it('is sent again every `loopAfter` until somebody acknowledges, and the log says each time (U4)', async () => {
    const { settle, alertIs, fireDue, mails, said, clock } = setUp([repeating]);
    await settle(page());
    const sentAfter: number[] = [];
    for (let minute = 0; minute <= 35; minute += 1) {
      await fireDue();
      sentAfter.push(...mails.slice(sentAfter.length).map(() => minute));
      clock.advance(MINUTE_MS);
    }
    expect(sentAfter).toEqual([0, 10, 20, 30]);
    await alertIs(2, { acknowledged: true });
    clock.advance(30 * MINUTE_MS);
    await fireDue();
    clock.advance(30 * MINUTE_MS);
    await fireDue();
    expect(mails).toHaveLength(4);
    const again = ['repeat started', 'step scheduled', 'delivery sent'];
    const once = [...planned, 'repeat scheduled', 'delivery sent'];
    expect(said()).toEqual([...once, ...again, ...again, ...again, 'repeat ended']);
  });

  it('has one repetition ahead of it, however long nobody acknowledges', async () => {
    const { settle, fireDue, store, clock } = setUp([repeating]);
    await settle(page());
    for (let day = 0; day < 30; day += 1) {
      clock.advance(24 * 60 * MINUTE_MS);
      await fireDue();
      expect([store.repetitions.size, store.turns.waiting.size]).toEqual([1, 0]);
    }
  });

  it('is not repeated in a later cycle: that has pages of its own', async () => {
    const { settle, alertIs, fireDue, mails, clock } = setUp([repeating]);
    await settle(page());
    await fireDue();
    await alertIs(2, { acknowledged: true });
    await alertIs(3, { cycle: 2 });
    clock.advance(10 * MINUTE_MS);
    await fireDue();
    expect(mails).toHaveLength(1);
  });

  it('stays due while the owner of the users cannot be asked', async () => {
    const { settle, fireDue, away, store, clock, userIs } = setUp([repeating]);
    await settle(page());
    userIs({ ...repeating, id: 'somebody else' });
    clock.advance(10 * MINUTE_MS);
    away.directory = true;
    store.repetitions.set(page().pageId, {
      page: page({ userId: 'new' }),
      number: 1,
      dueAt: clock.now(),
      loopAfterMinutes: 10,
    });
    await fireDue();
    const later = new Date(clock.now().getTime() + 5_000);
    expect(store.repetitions.get(page().pageId)).toMatchObject({ number: 1, dueAt: later });
  });
});
