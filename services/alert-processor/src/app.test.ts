import { describe, expect, it } from '@jest/globals';
import { ALERT_SORT_FIELDS } from '@tocsin/contracts';
import { setUp, team } from './component-fixture.contract.ts';
import { ACCEPTED_AT, acknowledge, addNote, byAlias, close, create, requestId } from './domain/commands.samples.ts';

const ownRed = { integration: { id: 'i-2', name: 'Red', type: 'API', ownerTeamId: 'red' } };
const RED = { teamId: 'red' };

describe('GET /v2/alerts/{identifier}', () => {
  it('answers the alert in the form of the specification', async () => {
    const { get, settle, replicas } = setUp();
    replicas.team.put('ops', team('ops', 'Ops'));
    const command = create('disk', {
      alert: {
        responders: [{ type: 'team', name: 'Ops' }],
        details: { 'disk.size': '1 TB' },
        tags: ['db'],
        actions: ['Restart'],
      },
    });
    await settle(command);
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
    const { get, settle } = setUp();
    await settle(
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
      const { get, settle } = setUp();
      const command = create('disk/1 %2B');
      await settle(command);
      const spelled = { id: command.alert.alertId, alertid: command.alert.alertId, tiny: '1', tinyid: '1' };
      const value = (spelled as Record<string, string>)[identifierType.toLowerCase()] ?? 'disk/1 %2B';
      const response = await get(`/v2/alerts/${encodeURIComponent(value)}?identifierType=${identifierType}`);
      expect(response.body).toMatchObject({ data: { alias: 'disk/1 %2B' } });
    },
  );

  it('answers 404 for an alias whose alert is closed', async () => {
    const { get, settle } = setUp();
    await settle(create('disk'), close(byAlias('disk')));
    expect((await get('/v2/alerts/disk?identifierType=alias')).status).toBe(404);
  });

  it.each(['/v2/alerts/none', '/v2/alerts/0x1?identifierType=tiny', '/v2/alerts/none?identifierType=alias'])(
    'answers 404 where there is none: %s',
    async (path) => {
      const { get, settle } = setUp();
      await settle(create('disk'));
      const response = await get(path);
      expect(response.status).toBe(404);
      expect(response.body).toMatchObject({ message: 'Alert does not exist' });
    },
  );

  it('answers 422 that names an identifierType of another kind', async () => {
    const response = await setUp().get('/v2/alerts/x?identifierType=name');
    expect(response.status).toBe(422);
    expect(response.body).toMatchObject({ errors: { identifierType: 'should be one of [ id, tiny, alias ]' } });
  });

  it('answers 404 to a key of a team that the alert does not name, and the alert to one that it names', async () => {
    const { get, settle, replicas } = setUp();
    replicas.team.put('red', team('red', 'Red'));
    await settle(
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

  it('lists the newest first, without the fields that lists leave out', async () => {
    const { get, settle } = setUp();
    await settle(create('a'), create('b', { at: '2026-01-05T08:01:00.000Z' }));
    const body: unknown = (await get('/v2/alerts')).body;
    expect(aliases(body)).toEqual(['b', 'a']);
    const [item] = (body as { data: object[] }).data;
    expect(Object.keys(item ?? {})).not.toEqual(expect.arrayContaining(['description']));
    expect(item).not.toHaveProperty('details');
  });

  it('pages by absolute URLs, the last of which has no next', async () => {
    const { get, settle } = setUp();
    await settle(...['a', 'b', 'c', 'd', 'e'].map((alias) => create(alias)));
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
    const { get, settle } = setUp();
    await settle(create('a'), create('b'), create('b'), acknowledge(byAlias('a')), close(byAlias('a')));
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
    ['searchIdentifierType=alias', 'searchIdentifierType'],
  ])('answers 422 to %s, naming %s', async (query, field) => {
    const response = await setUp().get(`/v2/alerts?${query}`);
    expect(response.status).toBe(422);
    expect((response.body as { errors: object }).errors).toHaveProperty(field, expect.any(String));
  });

  it('reaches the last offset that the limit leaves', async () => {
    expect((await setUp().get('/v2/alerts?offset=19979&limit=20')).status).toBe(200);
  });

  it('takes empty parameters for absent ones', async () => {
    expect((await setUp().get('/v2/alerts?query=&searchIdentifier=&offset=&limit=&sort=&order=')).status).toBe(200);
  });

  it('shows a team key its own alerts alone', async () => {
    const { get, settle } = setUp();
    await settle(create('other'), create('own', ownRed));
    expect(aliases((await get('/v2/alerts', RED)).body)).toEqual(['own']);
    expect((await get('/v2/alerts/count', RED)).body).toMatchObject({ data: { count: 1 } });
  });
});

describe('GET /v2/alerts/count', () => {
  it('counts open and closed alerts', async () => {
    const { get, settle } = setUp();
    await settle(create('a'), create('a'), create('b'), close(byAlias('b')));
    expect((await get('/v2/alerts/count')).body).toMatchObject({ data: { count: 2 } });
  });

  it('answers 422 to a query that is none', async () => {
    expect((await setUp().get('/v2/alerts/count?query=(x')).status).toBe(422);
  });
});

interface HistoryBody {
  readonly data: readonly { readonly note?: string; readonly log?: string; readonly offset: string }[];
  readonly paging: { readonly first: string; readonly next?: string };
}

describe('GET /v2/alerts/{identifier}/notes', () => {
  const withNotes = async () => {
    const service = setUp();
    const notes = ['one', 'two', 'three', 'four', 'five'].map((note) =>
      addNote(byAlias('disk'), note, { actor: 'ada' }),
    );
    await service.settle(create('disk'), ...notes);
    const read = async (query: string) =>
      (await service.get(`/v2/alerts/disk/notes?identifierType=alias&${query}`)).body as HistoryBody;
    return { ...service, read };
  };

  it('answers each note with its owner, the newest first', async () => {
    const { read } = await withNotes();
    const { data, paging } = await read('');
    expect(data[0]).toEqual({
      note: 'five',
      owner: 'ada',
      createdAt: '2026-01-05T08:00:00Z',
      offset: '1767600000000_10',
    });
    expect(data).toHaveLength(5);
    expect(paging.next).toBeUndefined();
  });

  it.each(['asc', 'desc'])('visits each note once by following next, %s', async (order) => {
    const { get, read } = await withNotes();
    const seen: (string | undefined)[] = [];
    let page = await read(`limit=2&order=${order}`);
    seen.push(...page.data.map(({ note }) => note));
    while (page.paging.next !== undefined) {
      page = (await get(page.paging.next.replace('https://alerts.example.com', ''))).body as HistoryBody;
      seen.push(...page.data.map(({ note }) => note));
    }
    const oldestFirst = ['one', 'two', 'three', 'four', 'five'];
    expect(seen).toEqual(order === 'asc' ? oldestFirst : oldestFirst.toReversed());
  });

  it('goes back from a cursor, exclusively', async () => {
    const { read } = await withNotes();
    const { data } = await read('order=asc');
    const back = await read(`order=asc&direction=prev&limit=2&offset=${data[3]?.offset ?? ''}`);
    expect(back.data.map(({ note }) => note)).toEqual(['two', 'three']);
  });

  it.each([
    ['limit=101', 'limit'],
    ['limit=0', 'limit'],
    ['direction=up', 'direction'],
    ['order=up', 'order'],
    ['offset=yesterday', 'offset'],
    ['identifierType=name', 'identifierType'],
  ])('answers 422 to %s, naming %s', async (query, field) => {
    const { get, settle } = setUp();
    const command = create('disk');
    await settle(command);
    const response = await get(`/v2/alerts/${command.alert.alertId}/notes?${query}`);
    expect(response.status).toBe(422);
    expect((response.body as { errors: object }).errors).toHaveProperty(field, expect.any(String));
  });

  it.each(['notes', 'logs'])('answers 404 for an alert that is not there or not to be seen: %s', async (kind) => {
    const { get, settle } = setUp();
    await settle(create('disk'));
    expect((await get(`/v2/alerts/none/${kind}`)).status).toBe(404);
    expect((await get(`/v2/alerts/disk/${kind}?identifierType=alias`, RED)).status).toBe(404);
  });
});

describe('GET /v2/alerts/{identifier}/logs', () => {
  it('tells what was done, by whom and in which order', async () => {
    const { get, settle } = setUp();
    await settle(
      create('disk', { alert: { responders: [{ type: 'user', name: 'nobody@example.com' }] } }),
      acknowledge(byAlias('disk'), { actor: 'ada' }),
    );
    const { data, paging } = (await get('/v2/alerts/disk/logs?identifierType=alias&order=asc')).body as HistoryBody;
    expect(data).toMatchObject([
      {
        log: 'Alert created via API[Default API-Create Alert]; it has no responders: nobody is paged',
        type: 'alertAction',
        owner: 'Alert API',
      },
      { log: 'Unknown responders, left out: user [nobody@example.com]', type: 'system', owner: 'System' },
      { log: 'Alert acknowledged via API[Default API-Acknowledge Alert]', type: 'alertAction', owner: 'ada' },
    ]);
    expect(paging.first).toMatch(/^https:\/\/alerts\.example\.com\/v2\/alerts\/disk\/logs\?identifierType=alias/);
  });
});

describe('GET /v2/alerts/requests/{requestId}', () => {
  const fetched = (id: string) => `/v2/alerts/requests/${id}`;

  it('answers how a settled request ended', async () => {
    const { get, settle } = setUp();
    const command = create('disk');
    await settle(command);
    expect((await get(fetched(command.requestId))).body).toMatchObject({
      data: {
        success: true,
        isSuccess: true,
        action: 'Create',
        processedAt: '2026-01-05T08:00:01Z',
        integrationId: 'integration-1',
        status: 'Created alert',
        alertId: command.alert.alertId,
        alias: 'disk',
      },
    });
  });

  it('answers a failure with empty alertId and alias', async () => {
    const { get, settle } = setUp();
    const command = close(byAlias('none'));
    await settle(command);
    expect((await get(fetched(command.requestId))).body).toMatchObject({
      data: {
        success: false,
        isSuccess: false,
        action: 'Close',
        status: 'Alert does not exist',
        alertId: '',
        alias: '',
      },
    });
  });

  it('waits for a fresh request to settle', async () => {
    const { get, settle, whilePaused, pauses } = setUp();
    const command = create('disk');
    whilePaused.push(
      () => Promise.resolve(),
      () => settle(command),
    );
    expect((await get(fetched(command.requestId))).status).toBe(200);
    expect(pauses()).toBe(2);
  });

  it('answers 404 that says so when a fresh request does not settle within 2 s', async () => {
    const { get, pauses } = setUp();
    const response = await get(fetched(requestId()));
    expect(response.status).toBe(404);
    expect(response.headers['x-opsgenie-errortype']).toBe('RequestNotProcessed');
    expect(response.body).toMatchObject({ message: 'Request not found. It might not be processed, yet.' });
    expect(pauses()).toBe(80);
  });

  it('answers the same at once for an older request that has not settled', async () => {
    const { get, pauses } = setUp();
    const response = await get(fetched(requestId('2026-01-05T07:00:00.000Z')));
    expect(response.headers['x-opsgenie-errortype']).toBe('RequestNotProcessed');
    expect(pauses()).toBe(0);
  });

  it('answers how the request of a mail ended, whose id tells no time, and waits for one that is fresh (P10)', async () => {
    const { get, settle, whilePaused, pauses } = setUp();
    const mail = { ...create('disk'), requestId: '7c9e6679-7425-50de-944b-e07fc1f90ae7' };
    whilePaused.push(() => settle(mail));
    expect((await get(fetched(mail.requestId))).body).toMatchObject({ data: { success: true, alias: 'disk' } });
    expect((await get(fetched(mail.requestId), RED)).status).toBe(404);
    expect(pauses()).toBe(1);
    const none = await get(fetched('00000000-7425-50de-944b-e07fc1f90ae7'));
    expect(none.status).toBe(404);
    expect(none.headers).not.toHaveProperty('x-opsgenie-errortype');
  });

  it.each([
    ['older than statuses are kept', requestId('2025-12-29T07:59:59.000Z')],
    ['made in the future', requestId('2026-01-06T08:00:00.000Z')],
    ['of another making', '7c9e6679-7425-40de-944b-e07fc1f90ae7'],
    ['no id at all', 'latest'],
  ])('answers a plain 404 for an id that is %s', async (_, id) => {
    const response = await setUp().get(fetched(id));
    expect(response.status).toBe(404);
    expect(response.headers).not.toHaveProperty('x-opsgenie-errortype');
  });

  it('answers 404 to a key of another team', async () => {
    const { get, settle } = setUp();
    const [foreign, own] = [create('a'), create('b', ownRed)];
    await settle(foreign, own);
    expect((await get(fetched(foreign.requestId), RED)).status).toBe(404);
    expect((await get(fetched(own.requestId), RED)).status).toBe(200);
  });
});

describe('an operation that is not built', () => {
  it('answers 404', async () => {
    const response = await setUp().get('/v1/maintenance');
    expect(response.status).toBe(404);
    expect(response.body).toMatchObject({ message: 'No handler found' });
  });
});

describe('settling', () => {
  it('measures the time since acceptance, once for each command', async () => {
    const { commands, settle, settled } = setUp();
    const command = create('disk');
    await settle(command);
    await commands.settle({ topic: 't', partition: 9, clusterId: 'c', records: [] });
    await settle(command);
    expect(settled).toMatchObject([{ status: { requestId: command.requestId }, seconds: 1 }]);
    expect(ACCEPTED_AT).toBe(command.stamp.acceptedAt);
  });
});
