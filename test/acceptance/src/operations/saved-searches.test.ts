import { describe, expect, it } from '@jest/globals';
import { useSharedSystem } from '../system/system.ts';

const system = useSharedSystem();

const PATH = '/v2/alerts/saved-searches';

/** Creates a user and a search of theirs. */
async function saved(of: string, query = 'status:open') {
  const scenario = system.scenario();
  await scenario.users('ada');
  const name = scenario.name(of);
  const body = { name, query, owner: { username: scenario.address('ada') } };
  return { scenario, name, body, ...(await system.api.create(PATH, body)) };
}

describe('saved searches (wire facts 4)', () => {
  it('create-saved-search answers 201 Created, 409 to a name that is taken and 422 to what is no query', async () => {
    const { body } = await saved('Created');
    expect((await system.api.request('POST', PATH, body)).status).toBe(409);
    expect((await system.api.request('POST', PATH, { ...body, name: 'New', query: 'a AND' })).status).toBe(422);
  });

  it('get-saved-search and get-user-saved-search answer every field, by id and by name', async () => {
    const { id, name } = await saved('Read');
    const wanted = { id, name, query: 'status:open', description: '', teams: [], owner: { id: expect.any(String) } };
    expect(await system.api.read(`${PATH}/${id}`)).toMatchObject(wanted);
    const byName = `/v2/users/saved-searches/${encodeURIComponent(name)}?identifierType=name`;
    expect(await system.api.read(byName)).toMatchObject(wanted);
  });

  it('list-saved-searches and list-user-saved-searches answer id and name', async () => {
    const { id, name } = await saved('Listed');
    expect(await system.api.read(PATH)).toContainEqual({ id, name });
    expect(await system.api.read('/v2/users/saved-searches')).toContainEqual({ id, name });
  });

  it('update-saved-search changes what lists find by it', async () => {
    const { scenario, id } = await saved('Changed', 'status:closed');
    const alias = scenario.name('found');
    await system.api.expect(200, 'PATCH', `${PATH}/${id}`, { query: `alias:"${alias}"` });
    expect(await system.api.read(`/v2/alerts/count?searchIdentifier=${id}`)).toEqual({ count: 0 });
    const requestId = await scenario.alert({ message: 'Found', alias });
    expect(await system.api.read(`/v2/alerts/requests/${requestId}`)).toMatchObject({ success: true });
    expect(await system.api.read(`/v2/alerts?searchIdentifier=${id}`)).toMatchObject([{ alias }]);
  });

  it('delete-saved-search and delete-user-saved-search answer Deleted; then it is gone', async () => {
    const [one, other] = [await saved('One'), await saved('Other')];
    const deleted = await system.api.expect(200, 'DELETE', `${PATH}/${one.id}`);
    expect(deleted.body).toMatchObject({ result: 'Deleted' });
    await system.api.expect(200, 'DELETE', `/v2/users/saved-searches/${other.id}`);
    expect((await system.api.request('GET', `${PATH}/${one.id}`)).status).toBe(404);
    expect((await system.api.request('GET', `/v2/alerts?searchIdentifier=${other.id}`)).status).toBe(404);
  });
});
