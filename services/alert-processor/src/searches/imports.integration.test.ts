import { describe, expect, it } from '@jest/globals';
import { setUp, team } from '../testing/component-fixture.ts';

const ID = '4f8fad5b-d9cb-469f-a165-70867728950e';
const PATH = `/v2/alerts/saved-searches/${ID}`;
const body = (more: object = {}) => ({
  name: 'Open',
  query: 'status:open',
  owner: { username: 'ada@example.com' },
  description: 'd',
  teams: [{ id: 'ops' }],
  ...more,
});

async function withPeople() {
  const service = await setUp();
  service.replicas.user.put('ada', { id: 'ada', username: 'ada@example.com' } as never);
  service.replicas.team.put('ops', team('ops', 'Ops'));
  const put = (more: object = {}) => service.send('put', `/v2/imports/saved-searches/${ID}`, body(more));
  const result = async (more: object = {}) => {
    const answer = await put(more);
    return answer.status === 200 ? (answer.body as { result: string }).result : answer.status;
  };
  const read = async () => ((await service.get(PATH)).body as { data: object }).data;
  return { ...service, put, read, result };
}

describe('PUT /v2/imports/saved-searches/{identifier}', () => {
  it('creates a search, says of a repeat that nothing changed, and replaces it as a whole', async () => {
    const { clock, put, read, result } = await withPeople();
    expect(await put()).toMatchObject({ status: 200, body: { result: 'Created', data: { id: ID } } });
    const made = await read();
    expect(made).toMatchObject({
      id: ID,
      name: 'Open',
      query: 'status:open',
      description: 'd',
      owner: { id: 'ada' },
      teams: [{ id: 'ops' }],
    });
    clock.advance(1_000);
    expect(await result()).toBe('Unchanged');
    expect(await read()).toEqual(made);
    expect(await result({ description: undefined, teams: undefined, query: 'status:closed' })).toBe('Updated');
    const updatedAt = '2026-01-05T08:00:02Z';
    expect(await read()).toEqual({ ...made, query: 'status:closed', description: '', teams: [], updatedAt });
  });

  it('creates one again that was deleted, and of 20 requests at once one', async () => {
    const { put, result, send } = await withPeople();
    await put();
    await send('delete', PATH);
    const results = await Promise.all(Array.from({ length: 20 }, () => result()));
    expect(results.toSorted()).toEqual(['Created', ...Array.from({ length: 19 }, () => 'Unchanged')]);
  });

  it('answers 409 to a name of another search, 404 to an owner or a team that does not exist, 422 to what is no query', async () => {
    const { get, put, result, send } = await withPeople();
    await send('post', '/v2/alerts/saved-searches', body());
    expect(await put()).toMatchObject({
      status: 409,
      body: { message: 'Saved search with name [Open] already exists.' },
    });
    expect(await result({ name: 'New', owner: { id: 'gone' } })).toBe(404);
    expect(await result({ name: 'New', teams: [{ id: 'gone' }] })).toBe(404);
    expect(await result({ name: 'New', query: 'a AND' })).toBe(422);
    expect((await get(PATH)).status).toBe(404);
  });
});
