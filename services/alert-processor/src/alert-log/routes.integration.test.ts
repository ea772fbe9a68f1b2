import { describe, expect, it } from '@jest/globals';
import { setUp } from '../testing/component-fixture.ts';
import { acknowledge, addNote, byAlias, create } from '../testing/commands-samples.ts';

const RED = { teamId: 'red' };

interface HistoryBody {
  readonly data: readonly { readonly note?: string; readonly log?: string; readonly offset: string }[];
  readonly paging: { readonly first: string; readonly next?: string };
}

describe('GET /v2/alerts/{identifier}/notes', () => {
  const withNotes = async () => {
    const service = await setUp();
    const notes = ['one', 'two', 'three', 'four', 'five'].map((note) =>
      addNote(byAlias('disk'), note, { actor: 'ada' }),
    );
    await service.apply(create('disk'), ...notes);
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

  it('pages backwards from an exclusive cursor', async () => {
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
    const { get, apply } = await setUp();
    const command = create('disk');
    await apply(command);
    const response = await get(`/v2/alerts/${command.alert.alertId}/notes?${query}`);
    expect(response.status).toBe(422);
    expect((response.body as { errors: object }).errors).toHaveProperty(field, expect.any(String));
  });

  it.each(['notes', 'logs'])('answers 404 for an alert that does not exist or may not be seen: %s', async (kind) => {
    const { get, apply } = await setUp();
    await apply(create('disk'));
    expect((await get(`/v2/alerts/none/${kind}`)).status).toBe(404);
    expect((await get(`/v2/alerts/disk/${kind}?identifierType=alias`, RED)).status).toBe(404);
  });
});

describe('GET /v2/alerts/{identifier}/logs', () => {
  it('says what was done, by whom and in which order', async () => {
    const { get, apply } = await setUp();
    await apply(
      create('disk', { alert: { responders: [{ type: 'user', name: 'unknown@example.com' }] } }),
      acknowledge(byAlias('disk'), { actor: 'ada' }),
    );
    const { data, paging } = (await get('/v2/alerts/disk/logs?identifierType=alias&order=asc')).body as HistoryBody;
    expect(data).toMatchObject([
      {
        log: 'Alert created via API[Default API-Create Alert]; it has no responders: no user is paged',
        type: 'alertAction',
        owner: 'Alert API',
      },
      { log: 'Unknown responders, left out: user [unknown@example.com]', type: 'system', owner: 'System' },
      { log: 'Alert acknowledged via API[Default API-Acknowledge Alert]', type: 'alertAction', owner: 'ada' },
    ]);
    expect(paging.first).toMatch(/^https:\/\/alerts\.example\.com\/v2\/alerts\/disk\/logs\?identifierType=alias/);
  });
});
