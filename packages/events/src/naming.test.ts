import { describe, expect, it } from '@jest/globals';
import { mayName } from './naming.ts';

const OF_RED = { ownerTeamId: 'red' };
const OF_BLUE = { ownerTeamId: 'blue' };
const OF_NO_TEAM = { ownerTeamId: undefined };

describe('mayName (K9)', () => {
  it.each([
    { key: undefined, thing: OF_RED, may: true },
    { key: 'red', thing: OF_RED, may: true },
    { key: 'red', thing: OF_NO_TEAM, may: true },
    { key: 'red', thing: OF_BLUE, may: false },
    { key: 'red', thing: { ...OF_BLUE, namedTeamIds: ['red'] }, may: false },
  ])('lets what the key of $key writes name $thing: $may', ({ key, thing, may }) => {
    expect(mayName(thing, key)).toBe(may);
  });
});
