import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Scenario } from '@tocsin/testkit';
import { useSystem } from './system/system.ts';

const system = useSystem();
let scenario: Scenario;

/** Lets Ada's rule about starts, or ends, ask for 15 minutes before, or be as `change` says. */
async function shiftRule(actionType: 'schedule-start' | 'schedule-end', change: object): Promise<void> {
  await scenario.changeRule('ada', actionType, {
    enabled: true,
    notificationTime: ['15-minutes-ago'],
    ...change,
  });
}

const daily = (startDate: string, ...names: readonly string[]) => ({
  startDate,
  type: 'daily',
  participants: names.map((name) => (name === 'no one' ? { type: 'none' } : scenario.user(name))),
});

/** The subjects of all mails until `before`, and of those from then until `at`, each with whom it is to where that is not Ada. */
async function mails(before: string, at: string): Promise<readonly (readonly string[])[]> {
  const came: string[][] = [];
  for (const instant of [before, at]) {
    await system.until(instant);
    came.push(
      system.mailbox.unexpected().map(({ subject, to }) => {
        const isAda = to.join() === scenario.address('ada');
        return isAda ? subject : `${subject} to ${to.join()}`;
      }),
    );
    system.mailbox.clear();
  }
  return came;
}

beforeEach(async () => {
  scenario = system.scenario();
  await scenario.users('ada', 'bob');
  await shiftRule('schedule-start', {});
});

describe('a user whose rule says 15 minutes before', () => {
  it('is mailed once, 15 minutes before their shift starts, and at the new time when its rotation has moved', async () => {
    const { id } = await system.api.create('/v2/schedules', {
      name: scenario.name('Ops'),
      timezone: 'Europe/Berlin',
      rotations: [daily('2026-03-02T09:00:00Z', 'ada', 'bob')],
    });
    const from = (day: string) => `You are on call in ${scenario.name('Ops')} from 2026-03-${day} (Europe/Berlin)`;
    expect(await mails('2026-03-02T08:44:59Z', '2026-03-02T08:45:00Z')).toEqual([[], [from('02 10:00')]]);
    await system.until('2026-03-03T12:00:00Z');
    await system.api.expect(200, 'PATCH', `/v2/schedules/${id}`, {
      rotations: [daily('2026-03-03T13:00:00Z', 'bob', 'ada')],
    });
    expect(await mails('2026-03-04T12:44:59Z', '2026-03-04T12:45:00Z')).toEqual([[], [from('04 14:00')]]);
    await system.until('2026-03-05T13:00:00Z');
    await system.api.expect(200, 'DELETE', `/v2/schedules/${id}`);
  });

  it('is mailed 15 minutes before, whatever the clocks of the schedule do, and of the end by a rule about that', async () => {
    await shiftRule('schedule-end', { notificationTime: ['1-hour-ago'] });
    const { id } = await system.api.create('/v2/schedules', {
      name: scenario.name('Nights'),
      timezone: 'America/New_York',
      rotations: [daily('2026-03-06T14:00:00Z', 'ada', 'no one')],
    });
    const nine = (words: string, day: string) => `${words} 2026-03-${day} 09:00 (America/New_York)`;
    const starts = (day: string) => nine(`You are on call in ${scenario.name('Nights')} from`, day);
    const ends = (day: string) => nine(`Your time on call in ${scenario.name('Nights')} ends at`, day);
    expect(await mails('2026-03-06T13:44:59Z', '2026-03-06T13:45:00Z')).toEqual([[], [starts('06')]]);
    expect(await mails('2026-03-07T12:59:59Z', '2026-03-07T13:00:00Z')).toEqual([[], [ends('07')]]);
    // The clocks went forward in the night: nine o'clock is an hour earlier in UTC.
    expect(await mails('2026-03-08T12:44:59Z', '2026-03-08T12:45:00Z')).toEqual([[], [starts('08')]]);
    expect(await mails('2026-03-09T11:59:59Z', '2026-03-09T12:00:00Z')).toEqual([[], [ends('09')]]);
    await system.api.expect(200, 'DELETE', `/v2/schedules/${id}`);
  });

  it('is mailed of an override and of a duty that is passed on to them, and not about schedules that the rule leaves out', async () => {
    const start = system.clock.now().getTime();
    const inHours = (hours: number) => new Date(start + hours * 3_600_000).toISOString();
    const schedule = (of: string, name: string, hours: number) =>
      system.api.create('/v2/schedules', { name: scenario.name(of), rotations: [daily(inHours(hours), name)] });
    await schedule('Mine', 'ada', 6);
    await schedule('Other', 'ada', 6);
    await schedule('Cover', 'bob', 48);
    await shiftRule('schedule-start', { schedules: [{ type: 'schedule', name: scenario.name('Mine') }] });
    const path = `/v2/schedules/${encodeURIComponent(scenario.name('Mine'))}`;
    await system.api.create(`${path}/overrides?scheduleIdentifierType=name`, {
      alias: 'early',
      user: scenario.user('ada'),
      startDate: inHours(2),
      endDate: inHours(3),
    });
    const at = (of: string, hours: number) =>
      `You are on call in ${scenario.name(of)} from ${inHours(hours).slice(0, 16).replace('T', ' ')} (UTC)`;
    expect(await mails(inHours(1.74), inHours(1.75))).toEqual([[], [at('Mine', 2)]]);
    expect(await mails(inHours(5.74), inHours(5.75))).toEqual([[], [at('Mine', 6)]]);
    await shiftRule('schedule-start', { schedules: [] });
    await system.api.create('/v2/forwarding-rules', {
      fromUser: scenario.user('bob'),
      toUser: scenario.user('ada'),
      startDate: inHours(50),
      endDate: inHours(60),
    });
    expect(await mails(inHours(49.74), inHours(49.75))).toEqual([[], [at('Cover', 50)]]);
  });
});
