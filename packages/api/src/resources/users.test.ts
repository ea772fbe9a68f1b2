import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CreateUserBody, ListUsersQuery, Locale, UpdateUserBody, Username } from './users.ts';

const least = { username: 'ada@example.com', fullName: 'Ada', role: { name: 'User' } };

describe('Username', () => {
  it('is kept in lower case, without white space around it', () => {
    expect(Username.parse(' Ada+Night@Example.COM\n')).toBe('ada+night@example.com');
  });

  it.each([
    ...['', 'ada', 'ada@', '@example.com', 'a b@example.com', 'ada@example.com\nBcc: eve@example.com', 'a@b@c', 7],
    ...['a\u0000da@example.com', 'a\u007fda@example.com', 'a\ud800da@example.com'],
  ])('refuses %j', (value) => {
    expect(Username.safeParse(value).success).toBe(false);
  });

  it('never takes what could end a line of a mail', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.constantFrom('\r', '\n', ',', ';', '<', '>', ' '),
        fc.string(),
        (head, mark, tail) => {
          expect(Username.safeParse(`a${head}${mark}${tail}@example.com`).success).toBe(false);
        },
      ),
    );
  });
});

describe('Locale', () => {
  it.each(['en', 'en_US'])('takes %s', (locale) => {
    expect(Locale.parse(locale)).toBe(locale);
  });

  it.each(['', 'EN', 'en-US', 'en_us', 'eng'])('refuses %j', (locale) => {
    expect(Locale.safeParse(locale).success).toBe(false);
  });
});

describe('CreateUserBody', () => {
  it('needs no more than a user name, a full name and a role, whose name is kept as written', () => {
    expect(CreateUserBody.parse(least)).toMatchObject({ username: 'ada@example.com', role: { name: 'User' } });
  });

  it('reads both spellings of the zone, the documented response spelling first', () => {
    expect(CreateUserBody.parse({ ...least, timezone: 'Europe/Rome' }).timeZone).toBe('Europe/Rome');
    expect(CreateUserBody.parse({ ...least, timezone: 'Europe/Rome', timeZone: 'UTC' }).timeZone).toBe('UTC');
  });

  it('fills an address that is given in part', () => {
    const { userAddress } = CreateUserBody.parse({ ...least, userAddress: { city: 'Rome', state: null } });
    expect(userAddress).toEqual({ country: '', state: '', city: 'Rome', line: '', zipCode: '' });
  });
});

describe('the details of a user', () => {
  it.each(['a.b', '$set', '', 'constructor', 'toString'])('may be called %j', (name) => {
    expect(CreateUserBody.parse({ ...least, details: { [name]: ['x'] } }).details).toEqual({ [name]: ['x'] });
  });

  it.each([{ 'a\u0000b': ['x'] }, JSON.parse('{"__proto__": ["x"]}') as unknown])(
    'are refused as %j, which nothing can hold',
    (details) => {
      const { error } = CreateUserBody.safeParse({ ...least, details });
      expect(error?.issues).toMatchObject([{ path: ['details'], message: expect.stringContaining('NUL') }]);
    },
  );

  it.each([[], 'x', 7, { a: 'x' }, { a: [7] }, { a: [{}] }])('are refused as %j', (details) => {
    expect(CreateUserBody.safeParse({ ...least, details }).success).toBe(false);
  });
});

describe('UpdateUserBody', () => {
  it('changes nothing by what is absent, null or blank', () => {
    const blank = { fullName: '', role: {}, tags: null, details: null, timeZone: '', locale: '', userAddress: null };
    expect(Object.values(UpdateUserBody.parse(blank)).filter((value) => value !== undefined)).toEqual([]);
  });

  it('takes a blank Skype name, which takes the old one away', () => {
    expect(UpdateUserBody.parse({ skypeUsername: '' }).skypeUsername).toBe('');
  });

  it('reads both spellings of the zone, and replaces an address as a whole', () => {
    const { timeZone, userAddress } = UpdateUserBody.parse({ timezone: 'Europe/Rome', userAddress: { city: 'Rome' } });
    expect(timeZone).toBe('Europe/Rome');
    expect(userAddress).toEqual({ country: '', state: '', city: 'Rome', line: '', zipCode: '' });
  });
});

describe('ListUsersQuery', () => {
  it('lists the first 100 by user name by default', () => {
    expect(ListUsersQuery.parse({ query: '' })).toEqual({
      limit: 100,
      offset: 0,
      sort: 'username',
      order: 'asc',
      query: { text: '', conditions: [] },
      expand: { contacts: false },
    });
  });

  it('reads its words in any case', () => {
    const query = { sort: 'FULLNAME', order: 'DESC', expand: 'Contact,', limit: '500', offset: '7' };
    expect(ListUsersQuery.parse(query)).toEqual({
      limit: 500,
      offset: 7,
      sort: 'fullName',
      order: 'desc',
      query: { text: '', conditions: [] },
      expand: { contacts: true },
    });
  });
});
