import { describe, expect, it } from '@jest/globals';
import { AlertCommand } from '@tocsin/contracts';
import { TooLargeError, UnavailableError } from '@tocsin/errors';
import request from 'supertest';
import { ACCOUNT, serviceUnderTest, TEAM, type ServiceUnderTest } from '../testing/service-under-test.ts';

const FIRST_ID = '00000000-0000-4000-8000-000000000001';

/** The one command that was published, as a consumer reads it. */
function published({ publisher }: ServiceUnderTest) {
  expect(publisher.published).toHaveLength(1);
  return { key: publisher.published[0]?.key, command: AlertCommand.parse(publisher.published[0]?.message) };
}

describe('POST /v2/alerts', () => {
  it('answers 202 in the words that clients know, without data', async () => {
    const service = serviceUnderTest();
    const { status, body } = await service.call('post', '/v2/alerts', { message: 'Disk full' });
    expect(status).toBe(202);
    expect(Object.keys(body as object).sort()).toEqual(['requestId', 'result', 'took']);
    expect(body).toMatchObject({ result: 'Request will be processed' });
  });

  it('publishes the whole alert with every default (A1, A3)', async () => {
    const service = serviceUnderTest();
    const { body } = await service.call('post', '/v2/alerts/', { message: 'Disk full' });
    expect(published(service)).toEqual({
      key: FIRST_ID,
      command: {
        kind: 'create',
        requestId: (body as { requestId: string }).requestId,
        identifier: { type: 'id', value: FIRST_ID },
        integration: { id: 'integration-1', name: 'Default API', type: 'API' },
        actor: 'Alert API',
        source: '192.0.2.7',
        stamp: {
          instance: 'ingest-1',
          partition: service.publisher.partitionFor({ name: 'alert-commands.v1' } as never, FIRST_ID),
          seq: 1,
          acceptedAt: '2026-01-01T00:00:00.000Z',
        },
        alert: {
          alertId: FIRST_ID,
          alias: FIRST_ID,
          message: 'Disk full',
          description: '',
          responders: [],
          visibleTo: [],
          actions: [],
          tags: [],
          details: {},
          entity: '',
          priority: 'P3',
        },
      },
    });
  });

  it('publishes everything that a body can say, keyed by its alias', async () => {
    const service = serviceUnderTest();
    await service.call('post', '/v2/alerts', {
      message: 'Disk full',
      alias: 'disk',
      description: 'of db-1',
      responders: [
        { type: 'Team', name: 'Ops' },
        { type: 'user', username: 'ada@example.com', id: '', name: '' },
        { type: 'user', name: 'grace@example.com' },
        { type: 'schedule', id: 'schedule-1', name: 'Nights' },
        { type: 'escalation', name: 'All hands' },
      ],
      visibleTo: [{ type: 'team', id: 'team-2' }],
      actions: ['Restart'],
      tags: ['db', ''],
      details: { rack: 'b2', slot: 7, spare: false, gone: null },
      entity: 'db-1',
      source: 'probe',
      priority: 'p1',
      user: 'Ada',
      note: 'first note',
      unknown: { is: 'ignored' },
    });
    const { key, command } = published(service);
    expect(key).toBe('disk');
    expect(command).toMatchObject({
      identifier: { type: 'alias', value: 'disk' },
      actor: 'Ada',
      source: 'probe',
      note: 'first note',
      alert: {
        alias: 'disk',
        responders: [
          { type: 'team', name: 'Ops' },
          { type: 'user', name: 'ada@example.com' },
          { type: 'user', name: 'grace@example.com' },
          { type: 'schedule', id: 'schedule-1', name: 'Nights' },
          { type: 'escalation', name: 'All hands' },
        ],
        visibleTo: [{ type: 'team', id: 'team-2' }],
        actions: ['Restart'],
        tags: ['db', ''],
        details: { rack: 'b2', slot: '7', spare: 'false' },
        priority: 'P1',
      },
    });
  });

  it('takes null for absent, and an empty alias, source, user or note (E5, E12)', async () => {
    const service = serviceUnderTest();
    const nothing = { alias: '', source: '', user: '', note: '', priority: null, tags: null, details: null };
    const body = { message: 'Disk full', ...nothing, responders: null, teams: null, entity: null, description: null };
    expect((await service.call('post', '/v2/alerts', body)).status).toBe(202);
    const { command } = published(service);
    expect(command).toMatchObject({ actor: 'Alert API', source: '192.0.2.7', alert: { alias: FIRST_ID } });
    expect(command).not.toHaveProperty('note');
  });

  it('pages the union of responders and teams, each once (A10)', async () => {
    const service = serviceUnderTest();
    await service.call('post', '/v2/alerts', {
      message: 'Disk full',
      responders: [
        { type: 'team', name: 'Ops' },
        { type: 'team', id: 'team-2' },
      ],
      teams: [{ name: 'Ops' }, { id: 'team-3' }],
    });
    expect(published(service).command).toMatchObject({
      alert: {
        responders: [
          { type: 'team', name: 'Ops' },
          { type: 'team', id: 'team-2' },
          { type: 'team', id: 'team-3' },
        ],
      },
    });
  });

  it('gives the alert of a team key to that team, whomever the body names (K4)', async () => {
    const service = serviceUnderTest();
    await service.call('post', '/v2/alerts', { message: 'x', teams: [{ name: 'Others' }] }, TEAM);
    expect(published(service).command).toMatchObject({
      integration: { ownerTeamId: 'team-1' },
      alert: { responders: [{ type: 'team', id: 'team-1' }] },
    });
  });

  it('answers 403 to a key that may only read, and publishes nothing (K3)', async () => {
    const service = serviceUnderTest();
    const { status, body } = await service.call(
      'post',
      '/v2/alerts',
      { message: 'x' },
      { ...ACCOUNT, mayWrite: false },
    );
    expect({ status, body }).toMatchObject({ status: 403, body: { code: 40301 } });
    expect(service.publisher.published).toEqual([]);
  });

  it('answers 401 to whoever is not vouched for (K6)', async () => {
    const { app } = serviceUnderTest();
    expect((await request(app).post('/v2/alerts').send({ message: 'x' })).status).toBe(401);
  });

  it('answers 503 when the command is not on Kafka, 413 when it is too large for it', async () => {
    const service = serviceUnderTest();
    service.publisher.refuseWith(new UnavailableError('Kafka is away.'));
    const refused = await service.call('post', '/v2/alerts', { message: 'x' });
    expect(refused.status).toBe(503);
    expect(refused.headers).toHaveProperty('retry-after');
    service.publisher.refuseWith(new TooLargeError('Too large.'));
    expect((await service.call('post', '/v2/alerts', { message: 'x' })).status).toBe(413);
  });

  it('counts the commands of each partition from 1 without a gap', async () => {
    const service = serviceUnderTest();
    for (let index = 0; index < 20; index += 1) {
      await service.call('post', '/v2/alerts', { message: 'x', alias: `alias-${index}` });
    }
    const stamps = service.publisher.published.map(({ message }) => AlertCommand.parse(message).stamp);
    const byPartition = Map.groupBy(stamps, ({ partition }) => partition);
    expect(byPartition.size).toBeGreaterThan(1);
    for (const group of byPartition.values()) expect(group.map(({ seq }) => seq)).toEqual(group.map((_, at) => at + 1));
  });
});

const items = <T>(count: number, item: (index: number) => T) => Array.from({ length: count }, (_, at) => item(at));
const teams = (count: number) => items(count, (at) => ({ type: 'team', id: `team-${at}` }));
const SMILE = '😀';

/** Field, the most that it takes, one more than that, and what is said then. Limits count code points (E8). */
const LIMITS: readonly (readonly [field: string, most: unknown, excess: unknown, key: string, said: string])[] = [
  ['message', SMILE.repeat(130), SMILE.repeat(131), 'message', 'should be at most 130 characters'],
  ['alias', SMILE.repeat(512), SMILE.repeat(513), 'alias', 'should be at most 512 characters'],
  ['description', SMILE.repeat(15_000), SMILE.repeat(15_001), 'description', 'should be at most 15000 characters'],
  ['entity', SMILE.repeat(512), SMILE.repeat(513), 'entity', 'should be at most 512 characters'],
  ['source', SMILE.repeat(100), SMILE.repeat(101), 'source', 'should be at most 100 characters'],
  ['user', SMILE.repeat(100), SMILE.repeat(101), 'user', 'should be at most 100 characters'],
  ['note', SMILE.repeat(25_000), SMILE.repeat(25_001), 'note', 'should be at most 25000 characters'],
  ['actions', items(10, String), items(11, String), 'actions', 'should have at most 10 items'],
  ['actions', [SMILE.repeat(50)], ['ok', SMILE.repeat(51)], 'actions[1]', 'should be at most 50 characters'],
  ['tags', items(20, String), items(21, String), 'tags', 'should have at most 20 items'],
  ['tags', [SMILE.repeat(50)], [SMILE.repeat(51)], 'tags[0]', 'should be at most 50 characters'],
  ['responders', teams(50), teams(51), 'responders', 'should have at most 50 items'],
  ['teams', teams(50), teams(51), 'teams', 'should have at most 50 items'],
  ['visibleTo', teams(50), teams(51), 'visibleTo', 'should have at most 50 items'],
  [
    'details',
    { [SMILE.repeat(100)]: SMILE.repeat(7_900) },
    { [SMILE.repeat(100)]: SMILE.repeat(7_901) },
    'details',
    'should be at most 8000 characters, keys and values together',
  ],
];

/** Bodies that are refused, the field that is named and what is said of it. */
const REFUSED: readonly (readonly [fields: object, key: string, said: string])[] = [
  [{ message: undefined }, 'message', 'Message can not be empty.'],
  [{ message: '' }, 'message', 'Message can not be empty.'],
  [{ message: ' \n' }, 'message', 'Message can not be empty.'],
  [{ message: 7 }, 'message', 'Message can not be empty.'],
  [{ alias: 7 }, 'alias', 'should be a string'],
  [{ priority: 'P6' }, 'priority', 'should be one of [ P1, P2, P3, P4, P5 ]'],
  [{ tags: 'db' }, 'tags', 'should be a list'],
  [{ tags: [7] }, 'tags[0]', 'should be a string'],
  [{ details: [] }, 'details', 'should be a map of strings'],
  [{ details: { rack: {} } }, 'details.rack', 'should be a string'],
  [{ teams: [{}] }, 'teams[0]', 'id or name should be provided'],
  [{ responders: [{ type: 'user', username: '' }] }, 'responders[0]', 'id or name should be provided'],
  [
    { responders: [{ type: 'all', id: 'x' }] },
    'responders[0].type',
    'should be one of [ user, team, schedule, escalation ]',
  ],
  [{ visibleTo: [{ type: 'schedule', id: 'x' }] }, 'visibleTo[0].type', 'should be one of [ team, user ]'],
  [{ responders: [null] }, 'responders[0]', 'should be an object with type and id or name'],
];

describe('the limits of an alert create (part 1, section 8)', () => {
  it.each(LIMITS)('%s: the most is accepted, one more is refused by name', async (field, most, excess, key, said) => {
    const service = serviceUnderTest();
    const accepted = await service.call('post', '/v2/alerts', { message: 'x', [field]: most });
    expect(accepted.status).toBe(202);
    const refused = await service.call('post', '/v2/alerts', { message: 'x', [field]: excess });
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject({ errors: { [key]: said } });
    expect(service.publisher.published).toHaveLength(1);
  });

  it('counts teams and responders together, once each', async () => {
    const service = serviceUnderTest();
    const body = { message: 'x', responders: teams(30), teams: teams(50) };
    expect((await service.call('post', '/v2/alerts', body)).status).toBe(202);
    const excess = { ...body, responders: [...teams(30), { type: 'user', id: 'user-1' }] };
    const refused = await service.call('post', '/v2/alerts', excess);
    expect(refused).toMatchObject({ status: 422, body: { errors: { responders: expect.any(String) } } });
  });

  it.each(REFUSED)('%j is refused, naming %s', async (fields, key, said) => {
    const service = serviceUnderTest();
    const { status, body } = await service.call('post', '/v2/alerts', { message: 'x', ...fields });
    expect(status).toBe(422);
    expect(body).toMatchObject({
      message: 'Request body is not processable. Please check the errors.',
      errors: { [key]: said },
    });
    expect(service.publisher.published).toEqual([]);
  });

  it('names every field that is wrong at once', async () => {
    const { call } = serviceUnderTest();
    const { body } = await call('post', '/v2/alerts', { priority: 'x', tags: 7 });
    expect(Object.keys((body as { errors: object }).errors).sort()).toEqual(['message', 'priority', 'tags']);
  });
});

describe('INGEST_ON_EXCESS=truncate', () => {
  it('keeps what fits of lists and details, and says in sentences what was cut (E8)', async () => {
    const service = serviceUnderTest({ onExcess: 'truncate' });
    const { status } = await service.call('post', '/v2/alerts', {
      message: 'x',
      tags: [SMILE.repeat(60), ...items(25, String)],
      actions: items(12, String),
      responders: teams(60),
      visibleTo: teams(51),
      details: { small: 'kept', large: 'x'.repeat(8_000), other: 'kept too' },
    });
    expect(status).toBe(202);
    const { command } = published(service);
    expect(command).toMatchObject({
      alert: {
        tags: [SMILE.repeat(50), ...items(19, String)],
        actions: items(10, String),
        details: { small: 'kept', other: 'kept too' },
        cut: [
          'responders: 10 of 60 items were left out.',
          'visibleTo: 1 of 51 items were left out.',
          'actions: 2 of 12 items were left out.',
          'tags: 6 of 26 items were left out.',
          'tags: 1 items were cut to 50 characters.',
          'details: [large] was left out, over 8000 characters.',
        ],
      },
    });
  });

  it('still refuses a scalar over its limit', async () => {
    const { call } = serviceUnderTest({ onExcess: 'truncate' });
    expect((await call('post', '/v2/alerts', { message: 'x'.repeat(131) })).status).toBe(422);
  });
});

const ACTIONS = [
  ['acknowledge', 'acknowledge'],
  ['close', 'close'],
  ['notes', 'add-note'],
] as const;

describe.each(ACTIONS)('POST /v2/alerts/{identifier}/%s', (verb, kind) => {
  it('publishes the order under the identifier that was sent', async () => {
    const service = serviceUnderTest();
    const path = `/v2/alerts/disk%20full/${verb}/?identifierType=alias`;
    const { status, body } = await service.call('post', path, { user: 'Ada', source: 'cli', note: 'on it' });
    expect(status).toBe(202);
    expect(body).not.toHaveProperty('data');
    expect(published(service)).toMatchObject({
      key: 'disk full',
      command: { kind, identifier: { type: 'alias', value: 'disk full' }, actor: 'Ada', source: 'cli', note: 'on it' },
    });
  });

  it.each([
    ['', 'id'],
    ['?identifierType=', 'id'],
    ['?identifierType=ID', 'id'],
    ['?identifierType=AlertID', 'id'],
    ['?identifierType=Tiny', 'tiny'],
    ['?identifierType=tinyID', 'tiny'],
    ['?identifierType=ALIAS', 'alias'],
  ])('reads %s as %s (E5)', async (query, type) => {
    const service = serviceUnderTest();
    await service.call('post', `/v2/alerts/17/${verb}${query}`, { note: 'n' });
    expect(published(service).command.identifier).toEqual({ type, value: '17' });
  });

  it.each([
    [{ user: 'x'.repeat(101) }, '', 'user', 'should be at most 100 characters'],
    [{ source: 'x'.repeat(101) }, '', 'source', 'should be at most 100 characters'],
    [{ note: 'x'.repeat(25_001) }, '', 'note', 'should be at most 25000 characters'],
    [{}, '?identifierType=name', 'identifierType', 'should be one of [ id, tiny, alias ]'],
  ])('refuses %j%s naming %s', async (fields, query, key, said) => {
    const service = serviceUnderTest();
    const { status, body } = await service.call('post', `/v2/alerts/17/${verb}${query}`, { note: 'n', ...fields });
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: { [key]: said } });
    expect(service.publisher.published).toEqual([]);
  });

  it('refuses an identifier longer than any alias', async () => {
    const { call } = serviceUnderTest();
    const { status, body } = await call('post', `/v2/alerts/${'x'.repeat(513)}/${verb}`, { note: 'n' });
    expect({ status, body }).toMatchObject({
      status: 422,
      body: { errors: { identifier: expect.any(String) } },
    });
  });

  it('answers 403 to a key that may only read, 503 when Kafka is away', async () => {
    const service = serviceUnderTest();
    const path = `/v2/alerts/17/${verb}`;
    expect((await service.call('post', path, { note: 'n' }, { ...ACCOUNT, mayWrite: false })).status).toBe(403);
    service.publisher.refuseWith(new UnavailableError('Kafka is away.'));
    expect((await service.call('post', path, { note: 'n' })).status).toBe(503);
  });
});

describe('an empty body', () => {
  it.each(['acknowledge', 'close'])('is enough to %s (E5)', async (verb) => {
    const service = serviceUnderTest();
    expect((await service.call('post', `/v2/alerts/17/${verb}`)).status).toBe(202);
    expect(published(service).command).toMatchObject({ actor: 'Alert API', source: '192.0.2.7' });
  });

  it.each([{}, { note: '' }, { note: ' ' }, { note: null }])('is not enough for a note: %j', async (body) => {
    const { call } = serviceUnderTest();
    const refused = await call('post', '/v2/alerts/17/notes', body);
    expect(refused).toMatchObject({ status: 422, body: { errors: { note: 'Note can not be empty.' } } });
  });
});

describe('writes through one identifier', () => {
  it('are published in the order in which they were accepted (A14)', async () => {
    const { call, publisher } = serviceUnderTest();
    await call('post', '/v2/alerts', { message: 'x', alias: 'disk' });
    await call('post', '/v2/alerts/disk/notes?identifierType=alias', { note: 'n' });
    await call('post', '/v2/alerts/disk/close?identifierType=alias');
    const commands = publisher.published.map(({ key, message }) => [key, AlertCommand.parse(message).kind]);
    expect(commands).toEqual([
      ['disk', 'create'],
      ['disk', 'add-note'],
      ['disk', 'close'],
    ]);
  });
});
