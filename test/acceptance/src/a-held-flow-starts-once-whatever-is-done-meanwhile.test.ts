import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import { inUnits } from './system/policies.ts';
import { useSystem } from './system/system.ts';

const system = useSystem();
let scenario: Scenario;
let alias: string;
let policy: { readonly id: string };

/** An alert of ada whose flow is held for ten minutes from now on. */
beforeEach(async () => {
  scenario = system.scenario();
  alias = scenario.name('disk');
  await scenario.users('ada', 'grace');
  const duration = inUnits(10, 'minutes');
  policy = await scenario.policy('Later', { delayAction: { delayOption: 'for-duration', duration } });
  await system.settle();
  await scenario.alert({ message: 'Disk full', alias, responders: [scenario.user('ada')] });
  await system.pass(3);
});

const mailed = (name: string) => system.mailed(scenario.address(name), 'Disk full');
const mailsTo = (name: string) => system.mailbox.mails.filter(({ to }) => to.includes(scenario.address(name))).length;
const A_MILLISECOND = 1 / 60_000;
const inMinutes = (minutes: number) => new Date(system.clock.now().getTime() + minutes * 60_000).toISOString();

/** To the instant before the one at which the hold ends. */
const untilItIsAboutToEnd = async () => {
  await system.pass(7 - A_MILLISECOND);
  expect([mailsTo('ada'), mailsTo('grace')]).toEqual([0, 0]);
};

/** How many mails ada and grace have had a day later. */
const mailsADayLater = async () => {
  await system.pass(24 * 60);
  return [mailsTo('ada'), mailsTo('grace')];
};

describe('an alert whose flow is held', () => {
  it('pages at the end of its hold, also users who were added meanwhile', async () => {
    await scenario.act(alias, 'responders', { responder: scenario.user('grace') });
    await untilItIsAboutToEnd();
    await system.pass(A_MILLISECOND);
    await mailed('ada');
    await mailed('grace');
    expect(await mailsADayLater()).toEqual([1, 1]);
  });

  it('that is acknowledged, and unacknowledged after its time, pages then', async () => {
    await scenario.act(alias, 'acknowledge');
    await system.pass(60);
    expect(mailsTo('ada')).toBe(0);
    await scenario.act(alias, 'unacknowledge');
    await mailed('ada');
    expect(await mailsADayLater()).toEqual([1, 0]);
  });

  it('that is acknowledged and unacknowledged before its time pages at its time', async () => {
    await scenario.act(alias, 'acknowledge');
    await scenario.act(alias, 'unacknowledge');
    await untilItIsAboutToEnd();
    await system.pass(A_MILLISECOND);
    await mailed('ada');
    expect(await mailsADayLater()).toEqual([1, 0]);
  });

  it('that stays acknowledged pages no user', async () => {
    await scenario.act(alias, 'acknowledge');
    expect(await mailsADayLater()).toEqual([0, 0]);
  });

  it.each([
    ['beyond the hold', 60],
    ['ends within it', 2],
  ])('that is snoozed pages at the end of its snooze in place of its hold: a snooze that is %s', async (_, minutes) => {
    await scenario.act(alias, 'snooze', { endTime: inMinutes(minutes) });
    await system.pass(minutes - A_MILLISECOND);
    expect(mailsTo('ada')).toBe(0);
    await system.pass(A_MILLISECOND);
    await mailed('ada');
    expect(await mailsADayLater()).toEqual([1, 0]);
  });

  it('that is escalated pages whom the escalation means at once', async () => {
    await scenario.escalation('Up', { delay: 0, to: { type: 'user', name: 'grace' } });
    await system.settle();
    await scenario.act(alias, 'escalate', { escalation: { name: scenario.name('Up') } });
    await mailed('grace');
    expect(mailsTo('ada')).toBe(0);
    await scenario.act(alias, 'close');
    expect(await mailsADayLater()).toEqual([0, 1]);
  });

  it('that is closed pages no user', async () => {
    await scenario.act(alias, 'close');
    expect(await mailsADayLater()).toEqual([0, 0]);
  });

  it('counts repeats meanwhile and pages once', async () => {
    await scenario.alert({ message: 'Disk full', alias, responders: [scenario.user('grace')] });
    await untilItIsAboutToEnd();
    await system.pass(A_MILLISECOND);
    await mailed('ada');
    expect(await scenario.alertOf(alias)).toMatchObject({ count: 2 });
    expect(await mailsADayLater()).toEqual([1, 0]);
  });

  it.each([
    ['changed', 'PUT'],
    ['deleted', 'DELETE'],
  ])('stays held where its policy is %s', async (_, method) => {
    const body = { type: 'notification', name: 'Other', suppress: true, enabled: false };
    await system.api.expect(200, method, `/v2/policies/${policy.id}`, method === 'PUT' ? body : undefined);
    await untilItIsAboutToEnd();
    await system.pass(A_MILLISECOND);
    await mailed('ada');
    expect(await mailsADayLater()).toEqual([1, 0]);
  });
});
