import { describe, expect, test } from '@jest/globals';
import { demoPlan } from '../../../charts/tocsin/files/demo-plan.mjs';

const plan = demoPlan(new Date('2026-03-01T10:47:12.345Z'));
/** Of the schedule that the server creates for the team, so that the routing rules of the team page a user. */
const ROTATIONS = '/v2/schedules/Demo_schedule/rotations?scheduleIdentifierType=name';

describe('demoPlan', () => {
  test('creates what is referred to before what refers to it', () => {
    expect(plan.map(({ create }) => create.path)).toEqual([
      '/v2/users',
      '/v2/users',
      '/v2/teams',
      ROTATIONS,
      '/v2/escalations',
    ]);
  });

  test('has the first person on call from the hour that has just begun, a day each', () => {
    expect(plan[3]?.create.body).toMatchObject({
      type: 'daily',
      length: 1,
      startDate: '2026-03-01T10:00:00.000Z',
      participants: [{ username: 'ada@example.com' }, { username: 'grace@example.com' }],
    });
  });

  test('pages who is on call at once and the next person after a minute', () => {
    expect(plan[4]?.create.body).toMatchObject({
      rules: [
        { notifyType: 'default', delay: { timeAmount: 0 }, recipient: { name: 'Demo_schedule' } },
        { notifyType: 'next', delay: { timeAmount: 1 }, recipient: { name: 'Demo_schedule' } },
      ],
    });
  });

  test('looks each thing up under a path that survives a URL', () => {
    expect(plan.map(({ lookUp }) => lookUp)).toEqual([
      '/v2/users/ada%40example.com',
      '/v2/users/grace%40example.com',
      '/v2/teams/Demo?identifierType=name',
      ROTATIONS,
      '/v2/escalations/Demo%20pages%20both?identifierType=name',
    ]);
  });
});
