import { describe, expect, it } from '@jest/globals';
import { AlertCommand } from '@tocsin/events';
import { UnavailableError } from '@tocsin/core';
import { ACCOUNT, openService, type TestService } from '../testing/app-fixture.ts';

const SMILE = '😀';
const ALERT = '/v2/alerts/disk%20full';
type Method = 'post' | 'put' | 'delete';

/** The one command that was published, as a consumer reads it. */
function published({ publisher }: TestService) {
  expect(publisher.published).toHaveLength(1);
  return { key: publisher.published[0]?.key, command: AlertCommand.parse(publisher.published[0]?.message) };
}

/** Method, path below the alert, the body, and what is ordered by it. */
const ORDERS: readonly (readonly [method: Method, path: string, body: object, order: object])[] = [
  ['post', '/unacknowledge', {}, { kind: 'unacknowledge' }],
  [
    'post',
    '/snooze',
    { endTime: '2026-01-02T09:00:00.123456789+01:00' },
    { kind: 'snooze', endTime: '2026-01-02T08:00:00.123Z' },
  ],
  [
    'post',
    '/escalate',
    { escalation: { id: '', name: 'Nights' } },
    { kind: 'escalate', escalation: { type: 'escalation', name: 'Nights' } },
  ],
  [
    'post',
    '/assign',
    { owner: { id: '', username: 'ada@example.com' } },
    { kind: 'assign', owner: { type: 'user', name: 'ada@example.com' } },
  ],
  [
    'post',
    '/responders',
    { responder: { type: 'USER', username: 'ada@example.com' } },
    { kind: 'add-responder', responder: { type: 'user', name: 'ada@example.com' } },
  ],
  [
    'post',
    '/responders',
    { responder: { type: 'schedule', id: 's1' } },
    { kind: 'add-responder', responder: { type: 'schedule', id: 's1' } },
  ],
  ['post', '/teams', { team: { name: 'Ops' } }, { kind: 'add-team', responder: { type: 'team', name: 'Ops' } }],
  ['post', '/tags', { tags: ['a', 'b,c'] }, { kind: 'add-tags', tags: ['a', 'b,c'] }],
  ['post', '/tags', { tags: 'a, b' }, { kind: 'add-tags', tags: ['a', 'b'] }],
  ['post', '/details', { details: { rack: 2, gone: null } }, { kind: 'add-details', details: { rack: '2' } }],
  ['post', '/actions/Re%20start', {}, { kind: 'execute-action', action: 'Re start' }],
  ['put', '/message', { message: SMILE.repeat(130) }, { kind: 'update-message', message: SMILE.repeat(130) }],
  ['put', '/description', { description: 'd' }, { kind: 'update-description', description: 'd' }],
  ['put', '/description', {}, { kind: 'update-description', description: '' }],
  ['put', '/priority', { priority: 'p1' }, { kind: 'update-priority', priority: 'P1' }],
  ['delete', '', {}, { kind: 'delete' }],
  ['delete', '/tags', { tags: ['a', 'b,c'] }, { kind: 'remove-tags', tags: ['a', 'b,c'] }],
  ['delete', '/details', { keys: 'rack, slot' }, { kind: 'remove-details', keys: ['rack', 'slot', 'rack, slot'] }],
];

describe.each(ORDERS)('%s /v2/alerts/{identifier}%s %j', (method, path, body, order) => {
  it('answers 202 and publishes the order, with who, from where and why (E5)', async () => {
    const service = await openService();
    const by = { user: 'Ada', source: 'cli', note: 'because' };
    const { status, body: answer } = await service.call(method, `${ALERT}${path}/?identifierType=alias`, {
      ...body,
      ...by,
      unknown: 1,
    });
    expect([status, answer['result'], 'data' in answer]).toEqual([202, 'Request will be processed', false]);
    const { key, command } = published(service);
    expect(key).toBe('disk full');
    expect(command).toMatchObject({
      ...order,
      identifier: { type: 'alias', value: 'disk full' },
      actor: 'Ada',
      source: 'cli',
      note: 'because',
    });
  });

  it('reads every way to name an alert, and refuses others (E5)', async () => {
    for (const [given, type] of [
      ['', 'id'],
      ['?identifierType=AlertID', 'id'],
      ['?identifierType=TINYID', 'tiny'],
    ] as const) {
      const service = await openService();
      expect((await service.call(method, `/v2/alerts/17${path}${given}`, body)).status).toBe(202);
      expect(published(service).command.identifier).toEqual({ type, value: '17' });
    }
    const { call } = await openService();
    expect((await call(method, `/v2/alerts/17${path}?identifierType=name`, body)).status).toBe(422);
    expect((await call(method, `/v2/alerts/${'x'.repeat(513)}${path}`, body)).status).toBe(422);
  });

  it.each([
    ['user', 100],
    ['source', 100],
    ['note', 25_000],
  ])('takes the longest %s and refuses a longer one', async (field, most) => {
    const { call } = await openService();
    expect((await call(method, ALERT + path, { ...body, [field]: SMILE.repeat(most) })).status).toBe(202);
    const refused = await call(method, ALERT + path, { ...body, [field]: SMILE.repeat(most + 1) });
    expect(refused).toMatchObject({
      status: 422,
      body: { errors: { [field]: `should be at most ${most} characters` } },
    });
  });

  it('answers 403 to a key that may only read, 503 when Kafka is unavailable', async () => {
    const service = await openService();
    expect((await service.call(method, ALERT + path, body, { ...ACCOUNT, mayWrite: false })).status).toBe(403);
    service.publisher.refuseWith(new UnavailableError('Kafka is unavailable.'));
    expect((await service.call(method, ALERT + path, body)).status).toBe(503);
  });
});

const words = (count: number) => Array.from({ length: count }, (_, at) => `tag-${at}`);

it.each([{}, { owner: null }, { owner: 'ada' }, { owner: {} }, { owner: { id: '', username: '' } }])(
  'an assign of %j is refused with how an owner is named',
  async (body) => {
    const service = await openService();
    const refused = await service.call('post', '/v2/alerts/a-1/assign', body);
    expect(refused).toMatchObject({ status: 422, body: { errors: { owner: 'id or username should be provided' } } });
  },
);

/** Method, path, a body that is refused, and the field that is named. */
const REFUSED: readonly (readonly [method: Method, path: string, body: object, key: string])[] = [
  ['post', '/snooze', {}, 'endTime'],
  ['post', '/snooze', { endTime: 'tomorrow' }, 'endTime'],
  ['post', '/snooze', { endTime: '2026-01-01T00:00:00Z' }, 'endTime'],
  ['post', '/snooze', { endTime: '2026-01-08T00:00:00.001Z' }, 'endTime'],
  ['post', '/escalate', {}, 'escalation'],
  ['post', '/escalate', { escalation: { id: '', name: null } }, 'escalation'],
  ['post', '/assign', {}, 'owner'],
  ['post', '/assign', { owner: {} }, 'owner'],
  ['post', '/responders', {}, 'responder'],
  ['post', '/responders', { responder: { type: 'all', id: 'x' } }, 'responder.type'],
  ['post', '/responders', { responder: { type: 'team' } }, 'responder'],
  ['post', '/teams', {}, 'team'],
  ['post', '/teams', { team: {} }, 'team'],
  ['post', '/tags', {}, 'tags'],
  ['post', '/tags', { tags: [] }, 'tags'],
  ['post', '/tags', { tags: words(21) }, 'tags'],
  ['post', '/tags', { tags: [SMILE.repeat(51)] }, 'tags[0]'],
  ['post', '/details', {}, 'details'],
  ['post', '/details', { details: {} }, 'details'],
  ['post', '/details', { details: { rack: SMILE.repeat(7_997) } }, 'details'],
  ['post', '/details', { details: { ['__proto__']: 'x' } }, 'details'],
  ['post', `/actions/${'x'.repeat(51)}`, {}, 'actionName'],
  ['put', '/message', {}, 'message'],
  ['put', '/message', { message: SMILE.repeat(131) }, 'message'],
  ['put', '/description', { description: SMILE.repeat(15_001) }, 'description'],
  ['put', '/priority', {}, 'priority'],
  ['put', '/priority', { priority: 'P6' }, 'priority'],
  ['delete', '/tags', {}, 'tags'],
  ['delete', '/details', {}, 'keys'],
];

describe.each(REFUSED)('%s /v2/alerts/{identifier}%s %#', (method, path, body, key) => {
  it(`is refused, naming ${key}, and publishes nothing`, async () => {
    const { call, publisher } = await openService();
    const refused = await call(method, ALERT + path, body);
    expect(refused.status).toBe(422);
    expect(Object.keys(refused.body['errors'] as object)).toEqual([key]);
    expect(publisher.published).toEqual([]);
  });
});

describe('the limits of what is added', () => {
  it.each<[string, object]>([
    ['/tags', { tags: words(20) }],
    ['/tags', { tags: [SMILE.repeat(50)] }],
    ['/details', { details: { rack: SMILE.repeat(7_996) } }],
    ['/snooze', { endTime: '2026-01-08T00:00:00Z' }],
  ])('are accepted at %s %#', async (path, body) => {
    expect((await (await openService()).call('post', ALERT + path, body)).status).toBe(202);
  });

  it('are left to settle where what fits is to be kept (E8)', async () => {
    const tags = [...words(30), SMILE.repeat(51)];
    for (const [path, body] of [
      ['/tags', { tags }],
      ['/details', { details: { rack: 'x'.repeat(9_000) } }],
    ] as const) {
      const service = await openService({ onExcess: 'truncate' });
      expect((await service.call('post', ALERT + path, body)).status).toBe(202);
      expect(published(service).command).toMatchObject({ ...body, keepWhatFits: true });
    }
  });
});

describe('a DELETE', () => {
  it('reads its query first and its body where the query lacks it (E5)', async () => {
    const service = await openService();
    const query = 'tags=a,b&user=Ada&note=why';
    await service.call('delete', `${ALERT}/tags?${query}`, { tags: ['c'], user: 'Bob', source: 'cli' });
    expect(published(service).command).toMatchObject({
      tags: ['a', 'b', 'a,b'],
      actor: 'Ada',
      source: 'cli',
      note: 'why',
    });
  });

  it.each([
    ['/tags?tags=a&user=Ada&tags=b,c', { tags: ['a', 'b', 'c', 'a,b', 'a,b,c', 'b,c'], actor: 'Ada' }],
    ['/details?keys=a&keys=b&user=Ada&user=Bob', { keys: ['a', 'b', 'a,b'], actor: 'Ada' }],
    ['/tags?tags=env: x, y', { tags: ['env: x', 'y', 'env: x, y'] }],
  ])('removes all that a repeated name lists: %s', async (path, expected) => {
    const service = await openService();
    expect((await service.call('delete', ALERT + path)).status).toBe(202);
    expect(published(service).command).toMatchObject(expected);
  });

  it.each(['', '/tags?tags=a', '/details?keys=a'])('needs no body: %s', async (path) => {
    expect((await (await openService()).call('delete', ALERT + path)).status).toBe(202);
  });

  it('looks for words with commas in a bounded way', async () => {
    const service = await openService();
    const many = Array.from({ length: 101 }, (_, at) => `t${at}`);
    expect((await service.call('delete', `${ALERT}/tags?tags=${many.join()}`)).status).toBe(202);
    expect(published(service).command).toMatchObject({ tags: many });
    const long = ['x'.repeat(30), 'y'.repeat(30)];
    expect((await service.call('delete', `${ALERT}/tags?tags=${long.join()}`)).status).toBe(202);
    expect(service.publisher.published.at(-1)?.message).toMatchObject({ tags: long });
  });

  it('refuses a query that is too long, by name', async () => {
    const { body, status } = await (await openService()).call('delete', `${ALERT}?user=${'x'.repeat(101)}`);
    expect({ status, body }).toMatchObject({ status: 422, body: { errors: { user: expect.any(String) } } });
  });
});
