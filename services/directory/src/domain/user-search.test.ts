import { describe, expect, it } from '@jest/globals';
import { UserQuery } from '@tocsin/contracts';
import { sampleUser } from '../testing/stored-samples.ts';
import { matches } from './user-search.ts';

const address = { country: 'IT', state: 'Lazio', city: 'Rome', line: 'Via Roma 1', zipCode: '00100' };
const ada = sampleUser('ada', {
  fullName: 'Ada Lovelace ',
  userAddress: address,
  createdAt: new Date('2026-01-31T12:00Z'),
});
const finds = (query: string) => matches(ada, UserQuery.parse(query).conditions);

describe('a search for users', () => {
  it('finds everybody without a condition', () => {
    expect(finds('')).toBe(true);
  });

  it.each([
    'username:ADA@example.com',
    'fullName:"ada lovelace"',
    'fullName:ada*',
    'role:USER',
    'locale:en_us',
    'timeZone:europe/*',
    'userAddress:lazio',
    'userAddress:"via roma 1"',
    'userAddress:via*',
    'blocked:false',
    'verified:false',
    'createdAt:31-01-2026',
    'createdAt>=31-01-2026 createdAt<01-02-2026',
    'role:user AND locale:en_US',
  ])('finds by %s', (query) => {
    expect(finds(query)).toBe(true);
  });

  it.each([
    'username:ada',
    'fullName:lovelace',
    'fullName:"ada*"',
    'role:admin',
    'locale:en',
    'userAddress:"rome it"',
    'blocked:true',
    'verified:true',
    'createdAt<31-01-2026',
    'createdAt>31-01-2026',
    'role:user locale:de',
  ])('does not find by %s', (query) => {
    expect(finds(query)).toBe(false);
  });
});
