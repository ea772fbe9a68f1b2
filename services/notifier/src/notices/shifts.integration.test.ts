import { describe, expect, it } from '@jest/globals';
import { type Component, useComponent } from '../testing/component-fixture.ts';
import { ada } from '../testing/page-samples.ts';
import { adaWith, shift, shiftRule } from '../testing/shift-samples.ts';

const setUp = useComponent();

const IN_TIME = new Date('2026-01-01T07:45:00Z');

async function opened(...rules: readonly Parameters<typeof shiftRule>[0][]): Promise<Component> {
  const component = await setUp([adaWith(...rules.map((rule) => shiftRule(rule)))]);
  component.clock.moveTo(IN_TIME);
  return component;
}

describe('a notice of a shift', () => {
  it('becomes one mail by the rule that asks for it, however often it comes', async () => {
    const { fireDue, mails, settleShifts } = await opened({});
    await settleShifts(shift(), shift());
    await fireDue();
    await settleShifts(shift());
    await fireDue();
    expect(mails.map(({ subject, to }) => [to, subject])).toEqual([
      ['ada@example.com', 'You are on call in Ops from 2026-01-01 09:00 (Europe/Berlin)'],
    ]);
    expect(mails[0]?.text).toContain('Schedule: Ops');
    expect(mails[0]?.headers['X-Tocsin-Alert-Id']).toBeUndefined();
  });

  it('leaves decisions about the user, and a line in the log of the service', async () => {
    const { fireDue, outcomes, stores, settleShifts } = await opened({});
    await settleShifts(shift());
    await fireDue();
    expect((await stores.decisions()).map(({ alertId, userId, decisionId }) => [alertId, userId, decisionId])).toEqual([
      [undefined, 'ada', `page:${shift().noticeId}`],
      [undefined, 'ada', `deliver:${shift().noticeId}#s1:1:sent`],
    ]);
    expect(outcomes).toEqual([
      {
        kind: 'schedule-start',
        noticeId: shift().noticeId,
        userId: 'ada',
        outcome: 'sent',
        text: "The mail to ada@example.com, a notice of a shift's start in schedule [Ops], was handed over: 250 ok.",
      },
    ]);
  });

  it('without a message is logged, once', async () => {
    const { mails, outcomes, settleShifts } = await opened({ notificationTime: ['1-hour-ago'] });
    await settleShifts(shift());
    await settleShifts(shift());
    expect(mails).toEqual([]);
    expect(outcomes.map(({ outcome, text }) => [outcome, text])).toEqual([
      ['skipped', 'Notification rules of ada@example.com skipped: [Shift]: it does not ask for 15-minutes-ago.'],
      ['none', 'ada@example.com has no notification rule for schedule-start that applies.'],
    ]);
  });

  it('is tried again after a temporary refusal, like a page (U7)', async () => {
    const { answers, clock, fireDue, mails, said, settleShifts } = await opened({});
    answers.push({ kind: 'temporary', reason: '451 later' });
    await settleShifts(shift());
    await fireDue();
    clock.advance(60_000);
    await fireDue();
    expect(mails).toHaveLength(2);
    expect((await said()).slice(-2)).toEqual(['delivery retrying', 'delivery sent']);
  });

  it('goes to the present address, and not to a user who was blocked meanwhile', async () => {
    const steps = [
      { id: 's1', contact: { method: 'email' as const, to: 'ada@example.com' }, sendAfterMinutes: 5, enabled: true },
    ];
    const component = await opened({ steps });
    const { clock, fireDue, mails, stores, settleShifts, userIs } = component;
    await settleShifts(shift(), shift({ noticeId: 'another' }));
    const contacts = [{ id: 'c1', method: 'email' as const, to: 'ada@example.org', enabled: true }];
    userIs(ada({ contacts }));
    clock.advance(5 * 60_000);
    await fireDue();
    expect(mails.map(({ to }) => to)).toEqual(['ada@example.org', 'ada@example.org']);
    await settleShifts(shift({ noticeId: 'a third' }));
    userIs(ada({ blocked: true }));
    await fireDue();
    expect(mails).toHaveLength(2);
    expect((await stores.stored()).map(({ state }) => state)).toEqual(['sent', 'sent']);
  });

  it('waits while directory does not answer about its user', async () => {
    const { unavailable, clock, fireDue, mails, settleShifts, userIs } = await setUp([]);
    clock.moveTo(IN_TIME);
    unavailable.directory = true;
    expect(await settleShifts(shift())).toMatchObject({ outcome: 'retry' });
    unavailable.directory = false;
    userIs(adaWith(shiftRule()));
    expect(await settleShifts(shift())).toEqual({ outcome: 'done' });
    await fireDue();
    expect(mails).toHaveLength(1);
  });

  it('that always fails is skipped and logged with its user', async () => {
    const { deadLetter, stores } = await opened({});
    const record = { topic: 't', partition: 0, offset: 1, key: 'ada', timestampMs: 0, value: shift(), clusterId: 'c1' };
    await deadLetter.shift(record, 'it is broken');
    expect(await stores.decisions()).toMatchObject([
      { userId: 'ada', findings: [{ subject: 'shift', outcome: 'dead-letter' }] },
    ]);
  });
});
