import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import { inUnits } from './system/policies.ts';
import { useSystem } from './system/system.ts';

/** The clocks of the account go forward on Sunday, 8 March 2026, and the system starts on the Monday before. */
const system = useSystem({ ACCOUNT_TIMEZONE: 'America/New_York' });
let scenario: Scenario;

beforeEach(async () => {
  scenario = system.scenario();
  await scenario.users('ada');
});

const A_MILLISECOND = 1 / 60_000;

/** An alert that ada is notified of, once its policies are in force. */
async function alert(message: string): Promise<string> {
  await system.settle();
  const alias = scenario.name(message);
  await scenario.alert({ message, alias, responders: [scenario.user('ada')] });
  await system.settle();
  return alias;
}
const mailed = (message: string) => system.mailed(scenario.address('ada'), message);
/** Mails about an alert, also those that were asked for. */
const mailsOf = (message: string) => system.mailbox.mails.filter(({ subject }) => subject.includes(message)).length;

describe('a delay', () => {
  it('until next Monday 08:30 pages at 08:30 of the account after its clocks have changed, not before, and says so', async () => {
    await system.until('2026-03-02T14:00:00Z');
    const delay = { delayOption: 'next-monday', untilHour: 8, untilMinute: 30 };
    await scenario.policy('Mondays', { delayAction: delay });
    const alias = await alert('After the weekend');
    await system.until('2026-03-09T12:29:59.999Z');
    expect(mailsOf('After the weekend')).toBe(0);
    await system.until('2026-03-09T12:30:00Z');
    await mailed('After the weekend');
    await system.pass(24 * 60);
    expect(mailsOf('After the weekend')).toBe(1);
    const log = await scenario.logOf(alias);
    expect(log).toContain(`[${scenario.name('Mondays')}]`);
    expect(log).toContain('2026-03-09T12:30:00Z');
  });
});

describe('a policy that suppresses at night', () => {
  it('keeps alerts from 22:00 to 06:00 without a page, ever; by day it does nothing', async () => {
    const restriction = { startHour: 22, startMin: 0, endHour: 6, endMin: 0 };
    await scenario.policy('Nights', { suppress: true, timeRestrictions: { type: 'time-of-day', restriction } });
    await system.until('2026-03-11T01:59:59Z');
    await alert('In the evening');
    await mailed('In the evening');
    await system.until('2026-03-11T02:00:00Z');
    const alias = await alert('At night');
    await system.until('2026-03-11T10:00:00Z');
    await alert('In the morning');
    await mailed('In the morning');
    await scenario.act(alias, 'acknowledge');
    await scenario.act(alias, 'unacknowledge');
    await system.pass(24 * 60);
    expect(mailsOf('At night')).toBe(0);
    expect(await scenario.alertOf(alias)).toMatchObject({ status: 'open', responders: [{ type: 'user' }] });
    expect(await scenario.logOf(alias)).toContain(`[${scenario.name('Nights')}]`);
  });
});

describe('deduplication', () => {
  it('based on frequency holds two occurrences and lets the third within its duration through, once', async () => {
    const deduplicationAction = {
      deduplicationActionType: 'frequency-based',
      count: 3,
      duration: inUnits(10, 'minutes'),
    };
    await scenario.policy('Bursts', { deduplicationAction });
    const alias = await alert('Flapping');
    for (const minutes of [6, 6]) {
      await system.pass(minutes);
      await alert('Flapping');
    }
    expect(mailsOf('Flapping')).toBe(0);
    await system.pass(3);
    await alert('Flapping');
    await mailed('Flapping');
    await system.pass(1);
    await alert('Flapping');
    expect(mailsOf('Flapping')).toBe(1);
    expect(await scenario.alertOf(alias)).toMatchObject({ count: 5 });
    expect(await scenario.logOf(alias)).toContain(`[${scenario.name('Bursts')}]`);
  });

  it('based on value holds two occurrences and lets the third through, however late it comes', async () => {
    await scenario.policy('Thrice', { deduplicationAction: { deduplicationActionType: 'value-based', count: 3 } });
    await alert('Now and then');
    await system.pass(24 * 60);
    await alert('Now and then');
    await system.pass(24 * 60);
    expect(mailsOf('Now and then')).toBe(0);
    await alert('Now and then');
    await mailed('Now and then');
  });
});

describe('auto-close', () => {
  it('closes an alert its duration after it was created, acknowledged and counted again meanwhile or not', async () => {
    await scenario.policy('Short-lived', { autoCloseAction: { duration: inUnits(2, 'hours') } });
    const untouched = await alert('Untouched');
    const touched = await alert('Touched');
    const ids = await Promise.all([untouched, touched].map(async (alias) => (await scenario.alertOf(alias))['id']));
    for (const message of ['Untouched', 'Touched']) await mailed(message);
    await scenario.act(touched, 'acknowledge');
    await system.pass(60);
    await alert('Touched');
    await system.pass(60 - A_MILLISECOND);
    for (const alias of [untouched, touched]) expect(await scenario.alertOf(alias)).toMatchObject({ status: 'open' });
    await system.pass(A_MILLISECOND);
    for (const id of ids)
      expect(await system.api.read(`/v2/alerts/${String(id)}`)).toMatchObject({
        status: 'closed',
        report: { closeTime: 2 * 60 * 60_000 },
      });
    const logs = await system.api.read<readonly { log: string }[]>(`/v2/alerts/${String(ids[0])}/logs`);
    expect(logs.map(({ log }) => log).join('\n')).toContain(`[${scenario.name('Short-lived')}]`);
  });
});

describe('auto-restart', () => {
  const again = { autoRestartAction: { duration: inUnits(10, 'minutes'), maxRepeatCount: 3 } };

  it('pages again as often as it is meant to and no more, each its duration after the one before', async () => {
    await scenario.policy('Insisting', again);
    const alias = await alert('Unheard');
    for (let times = 1; times <= 4; times += 1) {
      expect(mailsOf('Unheard')).toBe(times);
      await mailed('Unheard');
      await system.pass(10 - A_MILLISECOND);
      expect(mailsOf('Unheard')).toBe(times);
      await system.pass(A_MILLISECOND);
    }
    await system.pass(24 * 60);
    expect(mailsOf('Unheard')).toBe(4);
    expect(await scenario.logOf(alias)).toContain(`[${scenario.name('Insisting')}]`);
  });

  it('pages no user again once a user has acknowledged', async () => {
    await scenario.policy('Insisting', again);
    const alias = await alert('Heard');
    await mailed('Heard');
    await system.pass(10);
    await mailed('Heard');
    await scenario.act(alias, 'acknowledge');
    await system.pass(24 * 60);
    expect(mailsOf('Heard')).toBe(2);
  });

  it('counts from the end of a hold', async () => {
    await scenario.policy('Later', {
      ...again,
      delayAction: { delayOption: 'for-duration', duration: inUnits(45, 'minutes') },
    });
    const alias = await alert('Held first');
    await system.pass(45);
    await mailed('Held first');
    await system.pass(10 - A_MILLISECOND);
    expect(mailsOf('Held first')).toBe(1);
    await system.pass(A_MILLISECOND);
    await mailed('Held first');
    await scenario.act(alias, 'close');
    await system.pass(24 * 60);
  });
});
