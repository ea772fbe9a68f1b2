import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { UserQuery } from './user-query.ts';

const conditions = (query: string) => UserQuery.parse(query).conditions;
const refusal = (query: string) => UserQuery.safeParse(query).error?.issues[0]?.message;
const day = (text: string) => new Date(`${text}T00:00:00Z`);

describe('UserQuery', () => {
  it.each([undefined, '', '  '])('has no condition in %j', (query) => {
    expect(UserQuery.parse(query).conditions).toEqual([]);
  });

  it('keeps what was written', () => {
    expect(UserQuery.parse(' Role:Admin ').text).toBe(' Role:Admin ');
  });

  it.each(['username', 'fullName', 'role', 'locale', 'timeZone', 'userAddress'])('reads the text of %s', (field) => {
    expect(conditions(`${field}:Ada`)).toEqual([{ field, match: 'is', value: 'ada' }]);
    expect(conditions(`${field.toUpperCase()} = "Ada K. "`)).toEqual([{ field, match: 'is', value: 'ada k.' }]);
    expect(conditions(`${field}:Ad*`)).toEqual([{ field, match: 'starts-with', value: 'ad' }]);
    expect(conditions(`${field}:"Ad*"`)).toEqual([{ field, match: 'is', value: 'ad*' }]);
  });

  it.each(['blocked', 'verified'])('reads %s as a boolean', (field) => {
    expect(conditions(`${field}:TRUE`)).toEqual([{ field, value: true }]);
    expect(conditions(`${field}:"false"`)).toEqual([{ field, value: false }]);
    expect(refusal(`${field}:perhaps`)).toBe(`needs true or false for ${field}`);
  });

  it.each([
    ['createdAt:31-01-2026', day('2026-01-31'), day('2026-02-01')],
    ['createdAt:2026-01-31', day('2026-01-31'), day('2026-02-01')],
    ['createdAt=1-2-2026', day('2026-02-01'), day('2026-02-02')],
    ['createdAt:1769817600000', day('2026-01-31'), new Date('2026-01-31T00:00:00.001Z')],
    ['createdAt:2026-01-31T02:00:00+02:00', day('2026-01-31'), new Date('2026-01-31T00:00:00.001Z')],
  ])('reads %s', (query, from, before) => {
    expect(conditions(query)).toEqual([{ field: 'createdAt', from, before }]);
  });

  it.each([
    ['<', { before: day('2026-01-31') }],
    ['<=', { before: day('2026-02-01') }],
    ['>', { from: day('2026-02-01') }],
    ['>=', { from: day('2026-01-31') }],
  ])('takes a day with %s whole', (comparison, span) => {
    expect(conditions(`createdAt ${comparison} 31-01-2026`)).toEqual([{ field: 'createdAt', ...span }]);
  });

  it('joins pairs, with or without AND', () => {
    const both = [
      { field: 'role', match: 'is', value: 'night watch' },
      { field: 'blocked', value: false },
    ];
    expect(conditions('role:"Night watch" blocked:false')).toEqual(both);
    expect(conditions('role:"Night watch" and blocked:false ')).toEqual(both);
  });

  it.each([
    [
      'age:7',
      'has the unknown field [age]; known are [ username, fullName, blocked, verified, role, locale, timeZone, userAddress, createdAt ]',
    ],
    ['ada', 'should be pairs such as role:admin, which character 1 begins no'],
    ['role:admin OR role:user', 'should be pairs such as role:admin, which character 11 begins no'],
    ['role:admin AND', 'should be pairs such as role:admin, which character 11 begins no'],
    ['AND role:admin', 'should be pairs such as role:admin, which character 1 begins no'],
    ['role:', 'should be pairs such as role:admin, which character 1 begins no'],
    ['role:"admin', 'should be pairs such as role:admin, which character 1 begins no'],
    ['role:"a"b', 'should be pairs such as role:admin, which character 1 begins no'],
    ['role>admin', 'can compare createdAt alone by >'],
    ['createdAt:yesterday', 'needs a time such as 31-01-2026, 2026-01-31T08:00:00Z or milliseconds for createdAt'],
    ['createdAt:2026', 'needs a time such as 31-01-2026, 2026-01-31T08:00:00Z or milliseconds for createdAt'],
    ['createdAt:31-02-2026', 'needs a time such as 31-01-2026, 2026-01-31T08:00:00Z or milliseconds for createdAt'],
    ['createdAt:2026-13-01', 'needs a time such as 31-01-2026, 2026-01-31T08:00:00Z or milliseconds for createdAt'],
    [`role:${'a'.repeat(996)}`, 'should be at most 1000 characters'],
  ])('refuses %j', (query, sentence) => {
    expect(refusal(query)).toBe(sentence);
  });

  it('takes 1000 characters', () => {
    expect(conditions(`role:${'a'.repeat(995)}`)).toHaveLength(1);
  });

  it('never throws, and reads back what it is given in quotes', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 900 }), (value) => {
        UserQuery.safeParse(value);
        const quotable = value.replaceAll('"', '').trim();
        expect(conditions(`fullName:"${quotable}"`)).toEqual([
          { field: 'fullName', match: 'is', value: quotable.toLowerCase() },
        ]);
      }),
    );
  });
});
