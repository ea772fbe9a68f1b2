import { describe, expect, it } from '@jest/globals';
import { published } from '../testing/published.ts';
import { openService } from '../testing/app-fixture.ts';

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
  [{ details: { ['__proto__']: 'x' } }, 'details', 'should have no name that is __proto__ or holds a NUL character'],
  [{ details: { 'a\0b': 'x' } }, 'details', 'should have no name that is __proto__ or holds a NUL character'],
  [{ teams: [{ title: 'Ops' }] }, 'teams[0]', 'id or name should be provided'],
  [{ responders: [{ type: 'user', mail: 'a' }] }, 'responders[0]', 'id or name should be provided'],
  [
    { responders: [{ type: 'all', id: 'x' }] },
    'responders[0].type',
    'should be one of [ user, team, schedule, escalation ]',
  ],
  [{ visibleTo: [{ type: 'schedule', id: 'x' }] }, 'visibleTo[0].type', 'should be one of [ team, user ]'],
  [{ responders: ['Ops'] }, 'responders[0]', 'should be an object with type and id or name'],
];

describe('the limits of an alert create (part 1, section 8)', () => {
  it.each(LIMITS)('%s: the most is accepted, one more is refused by name', async (field, most, excess, key, said) => {
    const service = await openService();
    const accepted = await service.call('post', '/v2/alerts', { message: 'x', [field]: most });
    expect(accepted.status).toBe(202);
    const refused = await service.call('post', '/v2/alerts', { message: 'x', [field]: excess });
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject({ errors: { [key]: said } });
    expect(service.publisher.published).toHaveLength(1);
  });

  it('counts teams and responders together, once each', async () => {
    const service = await openService();
    const body = { message: 'x', responders: teams(30), teams: teams(50) };
    expect((await service.call('post', '/v2/alerts', body)).status).toBe(202);
    const excess = { ...body, responders: [...teams(30), { type: 'user', id: 'user-1' }] };
    const refused = await service.call('post', '/v2/alerts', excess);
    expect(refused).toMatchObject({ status: 422, body: { errors: { responders: expect.any(String) } } });
  });

  it.each(REFUSED)('%j is refused, naming %s', async (fields, key, said) => {
    const service = await openService();
    const { status, body } = await service.call('post', '/v2/alerts', { message: 'x', ...fields });
    expect(status).toBe(422);
    expect(body).toMatchObject({
      message: 'Request body is not processable. Please check the errors.',
      errors: { [key]: said },
    });
    expect(service.publisher.published).toEqual([]);
  });

  it('names every field that is wrong at once', async () => {
    const { call } = await openService();
    const { body } = await call('post', '/v2/alerts', { priority: 'x', tags: 7 });
    expect(Object.keys((body as { errors: object }).errors).sort()).toEqual(['message', 'priority', 'tags']);
  });
});

describe('INGEST_ON_EXCESS=truncate', () => {
  it('keeps what fits of lists and details, and says in sentences what was cut (E8)', async () => {
    const service = await openService({ onExcess: 'truncate' });
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
        remarks: [
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

  it('cuts texts too, and says so (E8)', async () => {
    const service = await openService({ onExcess: 'truncate' });
    const long = (length: number) => `  ${SMILE.repeat(length)}`;
    const body = { message: long(131), description: long(15_001), entity: long(513), source: long(101) };
    expect((await service.call('post', '/v2/alerts', { ...body, user: long(101), note: long(25_001) })).status).toBe(
      202,
    );
    const { command } = published(service);
    expect(command).toMatchObject({
      source: SMILE.repeat(100),
      actor: SMILE.repeat(100),
      note: SMILE.repeat(25_000),
      alert: {
        message: SMILE.repeat(130),
        description: SMILE.repeat(15_000),
        entity: SMILE.repeat(512),
        remarks: [
          'message: was cut to 130 characters.',
          'description: was cut to 15000 characters.',
          'entity: was cut to 512 characters.',
          'source: was cut to 100 characters.',
          'user: was cut to 100 characters.',
          'note: was cut to 25000 characters.',
        ],
      },
    });
  });

  it('cuts the texts of other writes, as Alertmanager closes with the source with which it opened', async () => {
    const service = await openService({ onExcess: 'truncate' });
    const source = 'x'.repeat(101);
    await service.call('post', '/v2/alerts/a-1/close', { source });
    expect(published(service).command).toMatchObject({ kind: 'close', source: 'x'.repeat(100) });
    expect((await service.call('delete', `/v2/alerts/a-1?source=${source}`)).status).toBe(202);
    expect((await service.call('put', '/v2/alerts/a-1/message', { message: 'x'.repeat(131) })).status).toBe(202);
  });

  it('refuses an alias over its limit: cut, it would name other alerts too', async () => {
    const { call } = await openService({ onExcess: 'truncate' });
    expect((await call('post', '/v2/alerts', { message: 'x', alias: 'x'.repeat(513) })).status).toBe(422);
  });
});
