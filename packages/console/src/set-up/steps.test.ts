import { describe, expect, test } from '@jest/globals';
import type { SetUp } from './queries.ts';
import { lastMonday, stepsOf } from './steps.ts';

const me = { username: 'ada@example.com', fullName: 'ada@example.com' };
const schedule = { rotations: [] as readonly object[] };

/** What an account has, of which the steps read the parts here. */
const setUp = (parts: object): SetUp =>
  ({ me, team: undefined, schedule: undefined, integration: undefined, testAlert: undefined, ...parts }) as SetUp;
const done = (parts: object) =>
  stepsOf(setUp(parts))
    .filter(({ isDone }) => isDone)
    .map(({ name }) => name);

describe('the steps of a new account', () => {
  test('None is done at first, and all but the first two need a team.', () => {
    expect(stepsOf(setUp({})).map(({ isDone, missing, name }) => [name, isDone, missing !== undefined])).toEqual([
      ['you', false, false],
      ['team', false, false],
      ['people', false, true],
      ['integration', false, true],
      ['test', false, true],
    ]);
  });

  test('The name is done once it is more than the address.', () => {
    expect(done({ me: { ...me, fullName: 'Ada Lovelace' } })).toEqual(['you']);
  });

  test('The team is done once its schedule has a rotation: the server can have died between both.', () => {
    const team = { members: [] };

    expect(done({ team })).toEqual([]);
    expect(done({ team, schedule })).toEqual([]);
    expect(done({ team, schedule: { rotations: [{ participants: [] }] } })).toEqual(['team']);
  });

  test('Others are there once each of them takes turns: a write can have failed after they became members.', () => {
    const member = (username: string) => ({ user: { username } });
    const team = { members: [member(me.username), member('grace@example.com')] };
    const rotationOf = (...names: readonly string[]) => ({
      rotations: [{ participants: names.map((username) => ({ type: 'user', username })) }],
    });

    expect(done({ team, schedule })).toEqual([]);
    expect(done({ team, schedule: rotationOf(me.username) })).toEqual(['team']);
    expect(done({ team, schedule: rotationOf(me.username, 'grace@example.com') })).toEqual(['team', 'people']);
  });

  test('The others are done with an integration and a test alert.', () => {
    expect(done({ team: { members: [] }, integration: {}, testAlert: {} })).toEqual(['integration', 'test']);
  });
});

describe('the start of the first rotation', () => {
  test.each([
    ['a Wednesday', new Date(2026, 10, 25, 12), new Date(2026, 10, 23, 9)],
    ['a Sunday', new Date(2026, 10, 29, 23, 59), new Date(2026, 10, 23, 9)],
    ['a Monday at 9', new Date(2026, 10, 23, 9), new Date(2026, 10, 23, 9)],
    ['a Monday before 9', new Date(2026, 10, 23, 8, 59), new Date(2026, 10, 16, 9)],
    ['the first days of a year', new Date(2027, 0, 2, 0), new Date(2026, 11, 28, 9)],
  ])('On %s it is the Monday before, so that the user is on call at once.', (_, now, expected) => {
    expect(lastMonday(now)).toEqual(expected);
  });
});
