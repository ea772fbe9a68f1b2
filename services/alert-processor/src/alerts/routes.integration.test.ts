import { describe, expect, it } from '@jest/globals';
import { ALERT_SORT_FIELDS } from '@tocsin/api';
import { setUp, team } from '../testing/component-fixture.ts';
import { acknowledge, byAlias, close, create } from '../testing/commands-samples.ts';

const ownRed = { integration: { id: 'i-2', name: 'Red', type: 'API', ownerTeamId: 'red' } };
const RED = { teamId: 'red' };

describe('GET /v2/alerts/{identifier}', () => {
  it('answers the alert in the form of the specification', async () => {
    const { get, apply, replicas } = await setUp();
    replicas.team.put('ops', team('ops', 'Ops'));
    const command = create('disk', {
      alert: {
        responders: [{ type: 'team', name: 'Ops' }],
        details: { 'disk.size': '1 TB' },
        tags: ['db'],
        actions: ['Restart'],
      },
    });
    await apply(command);
    const response = await get(`/v2/alerts/${command.alert.alertId}`);
    expect(response.status).toBe(200);
    expect((response.body as { data: unknown }).data).toEqual({
      id: command.alert.alertId,
      tinyId: '1',
      alias: 'disk',
      message: 'Disk full',
      status: 'open',
      acknowledged: false,
      isSeen: false,
      seen: false,
      tags: ['db'],
      snoozed: false,
      count: 1,
      lastOccurredAt: '2026-01-05T08:00:00Z',
      createdAt: '2026-01-05T08:00:00Z',
      updatedAt: '2026-01-05T08:00:00Z',
      source: '10.0.0.7',
      owner: '',
      ownerTeamId: '',
      priority: 'P3',
      teams: [{ id: 'ops' }],
      responders: [{ type: 'team', id: 'ops' }],
      integration: { id: 'integration-1', name: 'Default API', type: 'API' },
      actions: ['Restart'],
      entity: '',
      description: '',
      details: { 'disk.size': '1 TB' },
    });
  });

  it('reports who acknowledged and closed it, and when, in milliseconds since the creation', async () => {
    const { get, apply } = await setUp();
    await apply(
      create('disk'),
      acknowledge(byAlias('disk'), { actor: 'ada', at: '2026-01-05T08:00:11.750Z' }),
      close(byAlias('disk'), { at: '2026-01-05T08:01:00.000Z' }),
    );
    expect((await get('/v2/alerts/1?identifierType=tiny')).body).toMatchObject({
      data: {
        status: 'closed',
        acknowledged: true,
        isSeen: true,
        owner: 'ada',
        report: { ackTime: 11_750, acknowledgedBy: 'ada', closeTime: 60_000, closedBy: 'Alert API' },
      },
    });
  });

  it.each(['id', 'ID', 'AlertID', 'tiny', 'tinyID', 'alias'])(
    'finds it by identifierType %s',
    async (identifierType) => {
      const { get, apply } = await setUp();
      const command = create('disk/1 %2B');
      await apply(command);
      const spelled = { id: command.alert.alertId, alertid: command.alert.alertId, tiny: '1', tinyid: '1' };
      const value = (spelled as Record<string, string>)[identifierType.toLowerCase()] ?? 'disk/1 %2B';
      const response = await get(`/v2/alerts/${encodeURIComponent(value)}?identifierType=${identifierType}`);
      expect(response.body).toMatchObject({ data: { alias: 'disk/1 %2B' } });
    },
  );

  it('answers 404 for an alias whose alert is closed', async () => {
    const { get, apply } = await setUp();
    await apply(create('disk'), close(byAlias('disk')));
    expect((await get('/v2/alerts/disk?identifierType=alias')).status).toBe(404);
  });

  it.each(['/v2/alerts/none', '/v2/alerts/0x1?identifierType=tiny', '/v2/alerts/none?identifierType=alias'])(
    'answers 404 if there is none: %s',
    async (path) => {
      const { get, apply } = await setUp();
      await apply(create('disk'));
      const response = await get(path);
      expect(response.status).toBe(404);
      expect(response.body).toMatchObject({ message: 'Alert does not exist' });
    },
  );

  it('answers 422 that names an unknown identifierType', async () => {
    const response = await (await setUp()).get('/v2/alerts/x?identifierType=name');
    expect(response.status).toBe(422);
    expect(response.body).toMatchObject({ errors: { identifierType: 'should be one of [ id, tiny, alias ]' } });
  });

  it('answers 404 to the key of a team that the alert does not name, and the alert to one that it names', async () => {
    const { get, apply, replicas } = await setUp();
    replicas.team.put('red', team('red', 'Red'));
    await apply(
      create('other'),
      create('as-responder', { alert: { responders: [{ type: 'team', id: 'red' }] } }),
      create('visible', { alert: { visibleTo: [{ type: 'team', name: 'Red' }] } }),
      create('own', ownRed),
    );
    const statusOf = async (alias: string) => (await get(`/v2/alerts/${alias}?identifierType=alias`, RED)).status;
    expect(await statusOf('other')).toBe(404);
    expect(await statusOf('as-responder')).toBe(200);
    expect(await statusOf('visible')).toBe(200);
    expect(await statusOf('own')).toBe(200);
  });
});

describe('GET /v2/alerts', () => {
  const aliases = (body: unknown) => (body as { data: { alias: string }[] }).data.map(({ alias }) => alias);

  it('lists the newest first, without the fields that only a single alert has', async () => {
    const { get, apply } = await setUp();
    await apply(create('a'), create('b', { at: '2026-01-05T08:01:00.000Z' }));
    const body: unknown = (await get('/v2/alerts')).body;
    expect(aliases(body)).toEqual(['b', 'a']);
    const [item] = (body as { data: object[] }).data;
    expect(Object.keys(item ?? {})).not.toEqual(expect.arrayContaining(['description']));
    expect(item).not.toHaveProperty('details');
  });

  it('pages by absolute URLs, the last of which has no next', async () => {
    const { get, apply } = await setUp();
    await apply(...['a', 'b', 'c', 'd', 'e'].map((alias) => create(alias)));
    const seen: string[] = [];
    let path: string | undefined = '/v2/alerts?limit=2&sort=alias&order=ASC';
    while (path !== undefined) {
      const body: unknown = (await get(path)).body;
      seen.push(...aliases(body));
      const { next, first, last } = (body as { paging: Record<string, string> }).paging;
      expect(first).toBe('https://alerts.example.com/v2/alerts?sort=alias&order=asc&offset=0&limit=2');
      expect(last).toContain('offset=4');
      path = next?.replace('https://alerts.example.com', '');
    }
    expect(seen).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it.each([...ALERT_SORT_FIELDS, 'lastOccuredAt', 'CREATEDAT'])('sorts by %s', async (sort) => {
    const { get, apply } = await setUp();
    await apply(create('a'), create('b'), create('b'), acknowledge(byAlias('a')), close(byAlias('a')));
    const response = await get(`/v2/alerts?sort=${sort}`);
    expect(response.status).toBe(200);
    expect(aliases(response.body).sort()).toEqual(['a', 'b']);
  });

  it.each([
    ['offset=-1', 'offset'],
    ['offset=1.5', 'offset'],
    ['offset=x', 'offset'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['offset=19980&limit=20', 'offset'],
    ['sort=color', 'sort'],
    ['order=up', 'order'],
    ['query=status:ajar', 'query'],
    ['searchIdentifier=x&searchIdentifierType=alias', 'searchIdentifierType'],
  ])('answers 422 to %s, naming %s', async (query, field) => {
    const response = await (await setUp()).get(`/v2/alerts?${query}`);
    expect(response.status).toBe(422);
    expect((response.body as { errors: object }).errors).toHaveProperty(field, expect.any(String));
  });

  it('reaches the last offset within the limit', async () => {
    expect((await (await setUp()).get('/v2/alerts?offset=19979&limit=20')).status).toBe(200);
  });

  it('treats empty parameters as absent', async () => {
    expect((await (await setUp()).get('/v2/alerts?query=&searchIdentifier=&offset=&limit=&sort=&order=')).status).toBe(
      200,
    );
  });

  it.each(['/v2/alerts', '/v2/alerts/count'])(
    '%s ignores the type of a saved search that is not named',
    async (path) => {
      expect((await (await setUp()).get(`${path}?searchIdentifierType=alias&searchIdentifier=`)).status).toBe(200);
    },
  );

  it("shows a team key only its team's alerts", async () => {
    const { get, apply } = await setUp();
    await apply(create('other'), create('own', ownRed));
    expect(aliases((await get('/v2/alerts', RED)).body)).toEqual(['own']);
    expect((await get('/v2/alerts/count', RED)).body).toMatchObject({ data: { count: 1 } });
  });
});

describe('GET /v2/alerts/count', () => {
  it('counts open and closed alerts', async () => {
    const { get, apply } = await setUp();
    await apply(create('a'), create('a'), create('b'), close(byAlias('b')));
    expect((await get('/v2/alerts/count')).body).toMatchObject({ data: { count: 2 } });
  });

  it('answers 422 to an invalid query', async () => {
    expect((await (await setUp()).get('/v2/alerts/count?query=(x')).status).toBe(422);
  });
});
