import { describe, expect, it } from '@jest/globals';
import { accountKey, testApp } from '../testing/app-fixture.ts';

const ada = { username: 'Ada@Example.com', fullName: 'Ada Lovelace', role: { name: 'User' } };
const teamKey = { ...accountKey, teamId: 'team' };

describe('POST /v2/users', () => {
  it('answers 201 with the id and the user name', async () => {
    const { post } = await testApp();
    const { status, body } = await post('/v2/users', ada);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      result: 'Created',
      data: { id: expect.any(String), name: 'ada@example.com' },
      requestId: expect.any(String),
    });
  });

  it('gives a user a mail contact and a rule for each action type but two', async () => {
    const { post, directory } = await testApp();
    await post('/v2/users', ada);
    const { contacts, notificationRules } = await directory.users.get('ada@example.com');
    expect(contacts).toMatchObject([{ method: 'email', to: 'ada@example.com', enabled: true }]);
    expect(notificationRules.map(({ actionType }) => actionType).toSorted()).toEqual([
      'acknowledged-alert',
      'add-note',
      'assigned-alert',
      'closed-alert',
      'create-alert',
      'schedule-end',
      'schedule-start',
    ]);
    const ids = notificationRules.flatMap(({ id, steps }) => [id, ...steps.map((step) => step.id)]);
    expect(new Set(ids).size).toBe(14);
  });

  it('answers 409 when the user name is taken, in any case', async () => {
    const { post } = await testApp();
    await post('/v2/users', ada);
    const { status, body } = await post('/v2/users', { ...ada, username: 'ADA@example.com' });
    expect(status).toBe(409);
    expect(body).toMatchObject({ message: 'User with username [ada@example.com] already exists.' });
  });

  it('lets one of 50 requests for one user name in', async () => {
    const { post } = await testApp();
    const answers = await Promise.all(Array.from({ length: 50 }, () => post('/v2/users', ada)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
  });

  it('answers 404 that names a role which does not exist', async () => {
    const { post } = await testApp();
    const { status, body } = await post('/v2/users', { ...ada, role: { name: 'Night watch' } });
    expect(status).toBe(404);
    expect(body).toMatchObject({ message: 'Role does not exist with name: Night watch' });
  });

  it.each([
    ['username', { username: 'ada' }, 'must be a well-formed email address'],
    ['username', { username: undefined }, 'must be a well-formed email address'],
    ['username', { username: `${'a'.repeat(60)}@${'b'.repeat(40)}` }, 'should be at most 100 characters'],
    ['fullName', { fullName: ' ' }, 'Full name can not be empty.'],
    ['fullName', { fullName: 'é'.repeat(513) }, 'should be at most 512 characters'],
    ['role', { role: undefined }, 'should be an object with the name of a role'],
    ['role.name', { role: { name: '' } }, 'Role name can not be empty.'],
    ['timeZone', { timeZone: 'Mars/Olympus' }, 'should be a time zone such as Europe/Rome'],
    ['mutedUntil', { mutedUntil: 7 }, 'should be a date such as 2026-01-31T08:00:00Z'],
    ['timezone', { timezone: '+01:00' }, 'should be a time zone such as Europe/Rome'],
    ['locale', { locale: 'english' }, 'should be a locale such as en_US'],
    ['tags', { tags: 'night' }, 'should be a list'],
    ['tags[1]', { tags: ['night', 7] }, 'should be a string'],
    ['tags', { tags: Array.from({ length: 1_001 }, () => 'a') }, 'should have at most 1000 items'],
    ['details.badge', { details: { badge: '7' } }, 'should be a list'],
    ['details.badge[0]', { details: { badge: ['7'.repeat(1_001)] } }, 'should be at most 1000 characters'],
    ['userAddress', { userAddress: 'Rome' }, 'should be an object'],
    ['userAddress.city', { userAddress: { city: 7 } }, 'should be a string'],
    ['skypeUsername', { skypeUsername: 'a'.repeat(1_001) }, 'should be at most 1000 characters'],
    ['invitationDisabled', { invitationDisabled: 'perhaps' }, 'should be true or false'],
  ])('answers 422 that names %s, and creates no user', async (field, change, sentence) => {
    const { post, get } = await testApp();
    const { status, body } = await post('/v2/users', { ...ada, ...change });
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: { [field]: sentence } });
    expect((await get('/v2/users')).body).toMatchObject({ totalCount: 0 });
  });

  it('counts limits in code points', async () => {
    const { post } = await testApp();
    expect((await post('/v2/users', { ...ada, fullName: '🔔'.repeat(512) })).status).toBe(201);
  });

  it('reads empty values of clients as absent', async () => {
    const { post, get } = await testApp();
    const empty = { userAddress: {}, tags: null, details: null, locale: '', skypeUsername: '', unknown: 1 };
    expect((await post('/v2/users', { ...ada, ...empty, invitationDisabled: 'true' })).status).toBe(201);
    const { body } = await get('/v2/users/ada@example.com');
    expect(body).toMatchObject({ data: { tags: [], details: {}, locale: 'it_IT', timeZone: 'Europe/Rome' } });
  });

  it.each(['timezone', 'timeZone'])('reads the zone from %s', async (name) => {
    const { post, get } = await testApp();
    await post('/v2/users', { ...ada, [name]: 'Asia/Calcutta' });
    expect((await get('/v2/users/ada@example.com')).body).toMatchObject({ data: { timeZone: 'Asia/Calcutta' } });
  });

  it('answers 403 to the key of a team', async () => {
    const { post } = await testApp();
    const { status, body } = await post('/v2/users', ada, teamKey);
    expect(status).toBe(403);
    expect(body).toMatchObject({ code: 40301 });
  });
});

describe('GET /v2/users/{identifier}', () => {
  it('answers with all that was written, by id and by user name', async () => {
    const { post, get } = await testApp();
    const full = {
      ...ada,
      skypeUsername: 'ada.l',
      userAddress: { country: 'UK', state: 'London', city: 'London', line: 'St James 12', zipCode: 'SW1' },
      tags: ['founder', 'night'],
      details: { 'badge.no': ['7', '8'] },
      timezone: 'Europe/London',
      locale: 'en_GB',
    };
    const created = await post('/v2/users', full);
    const { id } = (created.body as { data: { id: string } }).data;
    const { timezone: timeZone, ...kept } = full;
    const { status, body } = await get(`/v2/users/${id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ expandable: ['contact'] });
    expect((body as { data: unknown }).data).toEqual({
      ...kept,
      id,
      username: 'ada@example.com',
      role: { id: 'user', name: 'User' },
      timeZone,
      blocked: false,
      verified: false,
      createdAt: '2026-01-01T00:00:00Z',
    });
    expect((await get('/v2/users/ADA@example.com')).body).toMatchObject({ data: { id } });
  });

  it('reads a plus in the path as a plus', async () => {
    const { user, get } = await testApp();
    const id = await user('ada+night@example.com');
    expect((await get('/v2/users/ada+night@example.com')).body).toMatchObject({ data: { id } });
  });

  it('adds the contacts when they are asked for', async () => {
    const { user, get } = await testApp();
    await user('ada@example.com');
    const { body } = await get('/v2/users/ada@example.com?expand=contact');
    expect(body).toMatchObject({
      data: {
        userContacts: [{ to: 'ada@example.com', id: expect.any(String), contactMethod: 'email', enabled: true }],
      },
    });
  });

  it('answers 404 when there is no such user', async () => {
    const { get } = await testApp();
    const { status, body } = await get('/v2/users/unknown@example.com');
    expect(status).toBe(404);
    expect(body).toMatchObject({ message: 'User does not exist with id or username: unknown@example.com' });
  });

  it('answers 422 when something else is to be expanded', async () => {
    const { user, get } = await testApp();
    await user('ada@example.com');
    const { status, body } = await get('/v2/users/ada@example.com?expand=contact,shoe');
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: { expand: 'should be one of [ contact ]' } });
  });
});

describe('GET /v2/users', () => {
  const names = (body: unknown) => (body as { data: { username: string }[] }).data.map(({ username }) => username);

  it('lists users by user name, with their number and the links of the page', async () => {
    const { user, get } = await testApp();
    for (const name of ['cyd', 'ada', 'bob']) await user(`${name}@example.com`);
    const { status, body } = await get('/v2/users?limit=2');
    expect(status).toBe(200);
    expect(names(body)).toEqual(['ada@example.com', 'bob@example.com']);
    expect(body).toMatchObject({ totalCount: 3, expandable: ['contact'] });
    expect((body as { paging: unknown }).paging).toEqual({
      first: expect.stringMatching(/^http:\/\/.*\/v2\/users\?sort=username&order=asc&offset=0&limit=2$/),
      next: expect.stringContaining('offset=2&limit=2'),
      last: expect.stringContaining('offset=2&limit=2'),
    });
  });

  it('visits each user once by its next links', async () => {
    const { user, get } = await testApp();
    for (const name of ['eve', 'cyd', 'ada', 'dan', 'bob']) await user(`${name}@example.com`);
    const seen: string[] = [];
    let path: string | undefined = '/v2/users?limit=2&order=DESC&expand=contact';
    while (path !== undefined) {
      const { body } = await get(path);
      seen.push(...names(body));
      expect((body as { data: object[] }).data[0]).toHaveProperty('userContacts');
      const { next } = (body as { paging: { next?: string } }).paging;
      path = next === undefined ? undefined : next.slice(next.indexOf('/v2'));
    }
    expect(seen).toEqual(['eve', 'dan', 'cyd', 'bob', 'ada'].map((name) => `${name}@example.com`));
  });

  it.each(['sort=insertedAt', 'sortField=INSERTEDAT'])('takes %s', async (sort) => {
    const { user, get, clock } = await testApp();
    await user('zoe@example.com');
    clock.advance(1);
    await user('ada@example.com');
    expect(names((await get(`/v2/users?${sort}`)).body)).toEqual(['zoe@example.com', 'ada@example.com']);
  });

  it.each([
    ['limit', 'limit=501', 'should be a whole number from 1 to 500'],
    ['limit', 'limit=0', 'should be a whole number from 1 to 500'],
    ['limit', 'limit=many', 'should be a whole number from 1 to 500'],
    ['offset', 'offset=-1', 'should be a whole number from 0 to 999999999'],
    ['sort', 'sort=age', 'should be one of [ username, fullName, insertedAt ]'],
    ['sortField', 'sortField=age', 'should be one of [ username, fullName, insertedAt ]'],
    ['order', 'order=up', 'should be one of [ asc, desc ]'],
    ['query', 'query=blocked:perhaps', 'needs true or false for blocked'],
  ])('answers 422 that names %s for %s', async (field, query, sentence) => {
    const { get } = await testApp();
    const { status, body } = await get(`/v2/users?${query}`);
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: { [field]: sentence } });
  });
});
