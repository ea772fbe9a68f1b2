// cspell:ignore mesage Aopen
import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '@tocsin/core';
import { setUp, team, type Component } from '../testing/component-fixture.ts';
import { acknowledge, byAlias, close, create } from '../testing/commands-samples.ts';

interface ListBody {
  readonly data: readonly { readonly alias: string }[];
  readonly paging: Readonly<Record<string, string>>;
}

const found = async (get: Component['get'], query: string, principal = {}) => {
  const response = await get(`/v2/alerts?sort=alias&order=asc&query=${encodeURIComponent(query)}`, principal);
  return (response.body as ListBody).data.map(({ alias }) => alias);
};

const withAlerts = async () => {
  const service = await setUp();
  service.replicas.team.put('ops', team('ops', 'Ops'));
  await service.apply(
    create('disk', {
      alert: { message: 'Disk full on db-1', tags: ['db'], responders: [{ type: 'team', id: 'ops' }] },
    }),
    create('cpu', { alert: { message: 'CPU hot', priority: 'P1', details: { host: 'web-1' } } }),
    create('old', { alert: { message: 'Disk slow' } }),
    acknowledge(byAlias('cpu'), { actor: 'ada' }),
    close(byAlias('old')),
  );
  return service;
};

describe('a search for alerts (A11)', () => {
  it.each([
    ['status: open', ['cpu', 'disk']],
    ['status:open AND acknowledged:false', ['disk']],
    ['tag:"db" OR priority:(P1 OR P2)', ['cpu', 'disk']],
    ['DISK', ['disk', 'old']],
    ['"disk full"', ['disk']],
    ['dis* NOT status:closed', ['disk']],
    ['teams:"Ops"', ['disk']],
    ['responders:ops', ['disk']],
    ['teams:"Missing"', []],
    ['teams is null', ['cpu', 'old']],
    ['owner:ada', ['cpu']],
    ['closedBy is not null', ['old']],
    ['details.host:web*', ['cpu']],
    ['createdAt >= 1700000000000 AND createdAt < 05-01-2026', []],
    ['createdAt:05-01-2026', ['cpu', 'disk', 'old']],
    ['  ', ['cpu', 'disk', 'old']],
  ])('finds by %s', async (query, aliases) => {
    const { get } = await withAlerts();
    expect(await found(get, query)).toEqual(aliases);
    const count = await get(`/v2/alerts/count?query=${encodeURIComponent(query)}`);
    expect(count.body).toMatchObject({ data: { count: aliases.length } });
  });

  it('keeps the search from page to page', async () => {
    const { get } = await withAlerts();
    const first = await get('/v2/alerts?sort=alias&order=asc&limit=1&query=status%3Aopen');
    const { data, paging } = first.body as ListBody;
    expect(data.map(({ alias }) => alias)).toEqual(['cpu']);
    expect(paging['last']).toContain('query=status%3Aopen&');
    const next = (await get(String(paging['next']).replace('https://alerts.example.com', ''))).body as ListBody;
    expect(next.data.map(({ alias }) => alias)).toEqual(['disk']);
    expect(next.paging).not.toHaveProperty('next');
  });

  it('shows a team key only alerts that its team may see', async () => {
    const { get } = await withAlerts();
    expect(await found(get, 'status:open', { teamId: 'ops' })).toEqual(['disk']);
    expect(await found(get, 'NOT disk', { teamId: 'ops' })).toEqual([]);
  });

  it.each(['/v2/alerts', '/v2/alerts/count'])(
    'answers 422 that names the place and the nearest field: %s',
    async (path) => {
      const { get } = await setUp();
      const response = await get(`${path}?query=${encodeURIComponent('status:open AND mesage:x')}`);
      expect(response.status).toBe(422);
      expect(response.body).toMatchObject({
        errors: {
          query:
            'at character 17: unknown field [mesage]; did you mean [message]? Put text with a sign in it into quotes',
        },
      });
    },
  );

  it('accepts 1000 characters, and answers 422 to one more', async () => {
    const { get } = await setUp();
    expect((await get(`/v2/alerts?query=${'a'.repeat(1_000)}`)).status).toBe(200);
    expect((await get(`/v2/alerts?query=${'a'.repeat(1_001)}`)).status).toBe(422);
  });

  it('answers 503 while a team that it names can not be looked up', async () => {
    const { get, replicas } = await withAlerts();
    replicas.team.refuseWith(new UnavailableError('unavailable'));
    expect((await get('/v2/alerts?query=teams:Other')).status).toBe(503);
  });
});
