import { describe, expect, it } from '@jest/globals';
import { signedIn } from '@tocsin/testkit';
import { accountKey, testApp } from '../testing/app-fixture.ts';
import { moveBody } from '../testing/move-samples.ts';

const PATH = '/v2/account/move';

/** A check with other values of its first condition. */
const withFirst = (changes: object) => {
  const [first, ...rest] = moveBody().conditions;
  return { ...moveBody(), conditions: [{ ...first, ...changes }, ...rest] };
};

describe('PUT /v2/account/move (M6)', () => {
  it('stores a check as a whole, with the caller, the instant and the conditions in one order', async () => {
    const { clock, get, put } = await testApp();
    clock.advance(60_000);
    const missing = { state: 'UNMET', missing: ['one', 'two'], missingCount: 5 };
    const first = withFirst(missing);
    const { body, status } = await put(PATH, {
      ...first,
      from: 'HTTPS://API.opsgenie.com/',
      conditions: first.conditions.toReversed(),
    });
    expect(status).toBe(200);
    const data = {
      ...withFirst({ ...missing, state: 'unmet' }),
      publishedBy: accountKey.integrationName,
      publishedAt: '2026-01-01T00:01:00Z',
    };
    expect(body).toMatchObject({ result: 'Updated', data });
    expect((await get(PATH)).body).toMatchObject({ data });
    const ada = signedIn({}, { role: 'admin' });
    await put(PATH, moveBody(), ada);
    const { data: replaced } = (await get(PATH)).body as { data: object };
    expect(replaced).toEqual({ ...moveBody(), publishedBy: 'ada@example.com', publishedAt: '2026-01-01T00:01:00Z' });
  });

  it('takes a repeat, and refuses a check that is older than the stored one, which stays', async () => {
    const { get, put } = await testApp();
    const at = (checkedAt: string) => ({ ...moveBody(), checkedAt });
    expect((await put(PATH, at('2025-12-31T23:00:00Z'))).status).toBe(200);
    expect((await put(PATH, at('2026-01-01T00:00:00Z'))).status).toBe(200);
    expect((await put(PATH, at('2026-01-01T00:00:00Z'))).status).toBe(200);
    expect(await put(PATH, at('2025-12-31T23:59:59.999Z'))).toMatchObject({
      status: 409,
      body: { message: 'A newer check of the move is published already.' },
    });
    expect((await get(PATH)).body).toMatchObject({ data: { checkedAt: '2026-01-01T00:00:00Z' } });
  });

  it('keeps the newest of checks that come at once, also where none was stored before', async () => {
    const { get, put } = await testApp();
    const sent = Array.from({ length: 12 }, (_, second) => `2026-01-01T00:00:${String(second).padStart(2, '0')}Z`);
    const answers = await Promise.all(sent.map((checkedAt) => put(PATH, { ...moveBody(), checkedAt })));
    for (const { status } of answers) expect([200, 409]).toContain(status);
    expect(answers.at(-1)?.status).toBe(200);
    expect((await get(PATH)).body).toMatchObject({ data: { checkedAt: sent.at(-1) } });
  });

  it('takes a check that is 5 minutes ahead of its clock, and none after that', async () => {
    const { put } = await testApp();
    expect(await put(PATH, { ...moveBody(), checkedAt: '2026-01-01T00:05:00.001Z' })).toMatchObject({
      status: 422,
      body: { errors: { checkedAt: 'should be at most 5 minutes ahead of the clock of Tocsin' } },
    });
    expect((await put(PATH, { ...moveBody(), checkedAt: '2026-01-01T00:05:00Z' })).status).toBe(200);
  });

  it.each([
    ['from', 'a host alone', { ...moveBody(), from: 'api.opsgenie.com' }],
    ['from', 'a URL with a login', { ...moveBody(), from: 'https://ada:secret@api.opsgenie.com' }],
    ['from', 'a URL with a query', { ...moveBody(), from: 'https://api.opsgenie.com/v2/alerts?apiKey=secret' }],
    ['from', 'a URL of another scheme', { ...moveBody(), from: 'ftp://api.opsgenie.com' }],
    ['checkedAt', 'a word', { ...moveBody(), checkedAt: 'today' }],
    ['conditions', 'four conditions', { ...moveBody(), conditions: moveBody().conditions.slice(1) }],
    [
      'conditions',
      'six conditions',
      { ...moveBody(), conditions: [...moveBody().conditions, moveBody().conditions[0]] },
    ],
    ['conditions', 'no list', { ...moveBody(), conditions: undefined }],
    ['conditions[4].name', 'a name twice', withFirst({ name: 'differences' })],
    ['conditions[0].name', 'an unknown name', withFirst({ name: 'cost' })],
    ['conditions[0].state', 'an unknown state', withFirst({ state: 'nearly' })],
    ['conditions[0].summary', 'a blank text', withFirst({ summary: ' ' })],
    ['conditions[0].summary', 'a text of 501 characters', withFirst({ summary: 'a'.repeat(501) })],
    ['conditions[0].missing', '101 texts', withFirst({ missing: Array.from({ length: 101 }, () => 'a') })],
    ['conditions[0].missing', 'no list', withFirst({ missing: undefined })],
    ['conditions[0].missing[1]', 'a text of 501 characters', withFirst({ missing: ['a', 'a'.repeat(501)] })],
    ['conditions[0].missingCount', 'a number below that of the texts', withFirst({ missingCount: 1 })],
    ['conditions[0].missingCount', 'a fraction', withFirst({ missingCount: 2.5 })],
  ])('names %s in the refusal of %s, and changes nothing', async (field, _, body) => {
    const { get, put } = await testApp();
    await put(PATH, moveBody());
    const before = (await get(PATH)).body;
    const answer = await put(PATH, body);
    expect(answer).toMatchObject({ status: 422, body: { errors: { [field]: expect.any(String) } } });
    expect((await get(PATH)).body).toMatchObject({ data: (before as { data: object }).data });
  });

  it.each([
    ['of a team', { teamId: 'team' }],
    ['without configuration access', { mayConfigure: false }],
    ['without write access', { mayWrite: false }],
  ])('is refused to a key %s, as its deletion is', async (_, rights) => {
    const { get, put, remove } = await testApp();
    const key = { ...accountKey, ...rights };
    expect((await put(PATH, moveBody(), key)).status).toBe(403);
    expect((await get(PATH)).status).toBe(404);
    await put(PATH, moveBody());
    expect((await remove(PATH, key)).status).toBe(403);
    expect((await get(PATH)).status).toBe(200);
  });
});

describe('GET /v2/account/move (M6)', () => {
  it('answers 404 until a check is published, and then all people and each key of the account that may read', async () => {
    const { get, put } = await testApp();
    expect(await get(PATH)).toMatchObject({ status: 404, body: { message: 'No check of a move is published.' } });
    await put(PATH, moveBody());
    expect((await get(PATH, { ...accountKey, mayWrite: false })).status).toBe(200);
    expect((await get(PATH, signedIn({}, { role: 'stakeholder' }))).status).toBe(200);
    expect((await get(PATH, { ...accountKey, teamId: 'team' })).status).toBe(403);
    expect((await get(PATH, { ...accountKey, mayConfigure: false })).status).toBe(403);
  });
});

describe('DELETE /v2/account/move (M6)', () => {
  it('removes the check, and changes nothing where there is none', async () => {
    const { get, put, remove } = await testApp();
    await put(PATH, moveBody());
    for (let times = 0; times < 2; times += 1)
      expect(await remove(PATH)).toMatchObject({ status: 200, body: { result: 'Deleted' } });
    expect((await get(PATH)).status).toBe(404);
    expect((await put(PATH, moveBody())).status).toBe(200);
  });
});
