import { describe, expect, it } from '@jest/globals';
import { InvalidError } from '@tocsin/core';
import { bytesOf, MAX_BYTES_OF_TEAM, requireBytesOfTeam } from './bytes-of-team.ts';

const refusal = (gained: number, present: number): unknown => {
  try {
    requireBytesOfTeam('policies', gained, present);
    return undefined;
  } catch (error) {
    return error;
  }
};

describe('the bytes of a team', () => {
  it('are those of the JSON in UTF-8', () => {
    expect(bytesOf({ a: 'é' })).toBe(10);
  });

  it('may reach the bound, and not exceed it by a gain', () => {
    expect(refusal(10, MAX_BYTES_OF_TEAM - 10)).toBeUndefined();
    const error = refusal(11, MAX_BYTES_OF_TEAM - 10);
    expect(error).toBeInstanceOf(InvalidError);
    expect(error).toMatchObject({ fields: { ownerTeam: 'A team has at most 4000000 bytes of policies.' } });
  });

  it('may stay over the bound where nothing is gained', () => {
    expect([refusal(0, MAX_BYTES_OF_TEAM + 5), refusal(-1, MAX_BYTES_OF_TEAM + 5)]).toEqual([undefined, undefined]);
  });
});
