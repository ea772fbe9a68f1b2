import { describe, it } from '@jest/globals';
import { useSystem } from './system/system.ts';

const system = useSystem();

describe('a rotation that is on call from 22:00 to 06:00 in New York and hands over at noon', () => {
  it('mails the right user on both sides of the night in which the clocks go forward, and no user by day', async () => {
    const scenario = system.scenario();
    await scenario.users('ada', 'bob', 'eve');
    await system.api.create('/v2/schedules', {
      name: scenario.name('Nights'),
      timezone: 'America/New_York',
      rotations: [
        {
          startDate: '2026-03-06T17:00:00Z',
          type: 'daily',
          participants: ['ada', 'bob', 'eve'].map((name) => scenario.user(name)),
          timeRestriction: {
            type: 'time-of-day',
            restriction: { startHour: 22, startMin: 0, endHour: 6, endMin: 0 },
          },
        },
      ],
    });
    const alertAt = async (instant: string): Promise<void> => {
      await system.until(instant);
      await scenario.alert({ message: `At ${instant}`, responders: [scenario.responder('schedule', 'Nights')] });
    };
    const mails = async (name: string, instant: string): Promise<void> => {
      await alertAt(instant);
      await system.mailed(scenario.address(name), `At ${instant}`);
    };
    // The night before: 06:00 is 11:00 in UTC.
    await mails('ada', '2026-03-07T10:59:00Z');
    await alertAt('2026-03-07T11:00:00Z');
    // The night of the change: from 22:00, which is 03:00, to 06:00, which is 10:00 already.
    await alertAt('2026-03-08T02:59:00Z');
    await mails('bob', '2026-03-08T03:00:00Z');
    await mails('bob', '2026-03-08T09:59:00Z');
    await alertAt('2026-03-08T10:00:00Z');
    // The night after begins an hour earlier in UTC too.
    await alertAt('2026-03-09T01:59:00Z');
    await mails('eve', '2026-03-09T02:00:00Z');
  });
});
