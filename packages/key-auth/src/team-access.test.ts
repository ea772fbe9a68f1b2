import { describe, expect, it } from '@jest/globals';
import { teamAccess, teamKeyRefused } from './team-access.ts';

const OF_RED = { ownerTeamId: 'red' };
const OF_BLUE = { ownerTeamId: 'blue' };
const OF_NOBODY = { ownerTeamId: undefined };

describe('teamAccess (K4)', () => {
  it.each([
    { key: undefined, thing: OF_RED, may: 'write', why: 'a key of no team may do everything' },
    { key: undefined, thing: OF_NOBODY, may: 'write', why: 'a key of no team may do everything' },
    { key: 'red', thing: OF_RED, may: 'write', why: 'it is its own' },
    { key: 'red', thing: { ...OF_BLUE, namedTeamIds: ['green', 'red'] }, may: 'read', why: 'it names its team' },
    { key: 'red', thing: { ...OF_NOBODY, namedTeamIds: ['red'] }, may: 'read', why: 'it names its team' },
    { key: 'red', thing: { ...OF_RED, namedTeamIds: ['red'] }, may: 'write', why: 'it is its own' },
    { key: 'red', thing: { ...OF_BLUE, namedTeamIds: ['green'] }, may: 'none', why: 'it is another team’s' },
    { key: 'red', thing: OF_BLUE, may: 'none', why: 'it is another team’s' },
    { key: 'red', thing: OF_NOBODY, may: 'none', why: 'it is the account’s' },
  ])('of the key of $key to $thing is $may: $why', ({ key, thing, may }) => {
    expect(teamAccess(thing, key)).toBe(may);
  });
});

describe('teamKeyRefused', () => {
  it('is 403 with the code that clients know', () => {
    expect(teamKeyRefused()).toMatchObject({ code: 'forbidden' });
  });
});
