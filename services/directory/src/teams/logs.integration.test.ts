import { describe, expect, it } from '@jest/globals';
import { accountKey, testApp, type TestApp } from '../testing/app-fixture.ts';

interface Page {
  readonly offset?: string;
  readonly logs: readonly { readonly owner: string; readonly createdDate: string; readonly log: string }[];
}

const pageOf = ({ body }: { body: unknown }) => (body as { data: Page }).data;
const keyOf = (teamId: string) => ({ ...accountKey, teamId });

/** A team with one line of history for each description, after that of its creation. */
async function withHistory(descriptions: readonly string[]) {
  const app = await testApp();
  const id = await app.team('Ops');
  await describeAs(app, id, descriptions);
  return { ...app, id };
}

async function describeAs({ patch, clock }: TestApp, id: string, descriptions: readonly string[]): Promise<void> {
  for (const description of descriptions) {
    clock.advance(60_000);
    await patch(`/v2/teams/${id}`, { description });
  }
}

const changedTo = (description: string) => `Description is changed to [${description}].`;

describe('GET /v2/teams/{identifier}/logs', () => {
  it('begins with the creation, in the name of the key, the latest line first', async () => {
    const { post, patch, get, clock } = await testApp();
    await post('/v2/teams', { name: 'Ops' }, { ...accountKey, integrationName: 'Terraform' });
    clock.advance(1_500);
    await patch('/v2/teams/Ops?identifierType=name', { description: 'new' });
    const { status, body } = await get('/v2/teams/Ops/logs?identifierType=NAME');
    expect(status).toBe(200);
    expect((body as { data: unknown }).data).toEqual({
      logs: [
        { owner: 'Default API', createdDate: '2026-01-01T00:00:01.5Z', log: 'Description is changed to [new].' },
        { owner: 'Terraform', createdDate: '2026-01-01T00:00:00Z', log: 'Team [Ops] is created.' },
      ],
    });
  });

  it('can begin with the oldest line', async () => {
    const { get, id } = await withHistory(['a', 'b']);
    const { logs } = pageOf(await get(`/v2/teams/${id}/logs?order=ASC`));
    expect(logs.map(({ log }) => log)).toEqual(['Team [Ops] is created.', changedTo('a'), changedTo('b')]);
  });

  it.each(['asc', 'desc'])('visits each line once by its offsets, %s, while others are written', async (order) => {
    const app = await withHistory(['a', 'b', 'c', 'd']);
    const seen: string[] = [];
    let offset: string | undefined = '';
    let pages = 0;
    while (offset !== undefined && pages < 10) {
      const page: Page = pageOf(await app.get(`/v2/teams/${app.id}/logs?limit=2&order=${order}&offset=${offset}`));
      seen.push(...page.logs.map(({ log }) => log));
      offset = page.offset;
      pages += 1;
      if (pages === 1) await describeAs(app, app.id, ['late']);
    }
    const all = ['Team [Ops] is created.', ...['a', 'b', 'c', 'd'].map(changedTo)];
    expect(seen).toEqual(order === 'asc' ? [...all, changedTo('late')] : all.toReversed());
  });

  it('continues inside the lines of one change', async () => {
    const { get, patch, id } = await withHistory([]);
    await patch(`/v2/teams/${id}`, { name: 'Web', description: 'new' });
    const first = pageOf(await get(`/v2/teams/${id}/logs?limit=1`));
    expect(first.logs.map(({ log }) => log)).toEqual([changedTo('new')]);
    const rest = pageOf(await get(`/v2/teams/${id}/logs?offset=${first.offset ?? ''}`));
    expect(rest.logs.map(({ log }) => log)).toEqual(['Team [Ops] is renamed to [Web].', 'Team [Ops] is created.']);
    expect(rest).not.toHaveProperty('offset');
  });

  it('gives 20 lines by default, and 100 at most', async () => {
    const { get, id } = await withHistory(Array.from({ length: 105 }, (_, n) => `${n}`));
    expect(pageOf(await get(`/v2/teams/${id}/logs`)).logs).toHaveLength(20);
    expect(pageOf(await get(`/v2/teams/${id}/logs?limit=100`)).logs).toHaveLength(100);
    expect(pageOf(await get(`/v2/teams/${id}/logs?limit=1`)).logs).toHaveLength(1);
  });

  it.each([
    ['limit', 'limit=101', 'should be a whole number from 1 to 100'],
    ['limit', 'limit=0', 'should be a whole number from 1 to 100'],
    ['limit', 'limit=many', 'should be a whole number from 1 to 100'],
    ['order', 'order=up', 'should be one of [ desc, asc ]'],
    ['offset', 'offset=bad', 'should be an offset of an earlier answer'],
    ['identifierType', 'identifierType=tiny', 'should be one of [ id, name ]'],
  ])('answers 422 that names %s for %s', async (field, query, sentence) => {
    const { get, id } = await withHistory([]);
    const { status, body } = await get(`/v2/teams/${id}/logs?${query}`);
    expect(status).toBe(422);
    expect(body).toMatchObject({ errors: { [field]: sentence } });
  });

  it('answers 404 when there is no such team', async () => {
    const { get } = await testApp();
    const { status, body } = await get('/v2/teams/Ops/logs');
    expect([status, body]).toMatchObject([404, { message: 'Team does not exist with id: Ops' }]);
  });

  it('goes with its team: a new one of the name begins anew', async () => {
    const { get, remove, team, id } = await withHistory(['a']);
    await remove(`/v2/teams/${id}`);
    await team('Ops');
    expect(pageOf(await get('/v2/teams/Ops/logs?identifierType=name')).logs).toHaveLength(1);
  });

  it('shows the key of a team its own, and answers 403 for another', async () => {
    const { get, team, id } = await withHistory([]);
    const other = await team('Web');
    expect((await get(`/v2/teams/${id}/logs`, keyOf(id))).status).toBe(200);
    const { status, body } = await get(`/v2/teams/${id}/logs`, keyOf(other));
    expect([status, body]).toMatchObject([403, { code: 40301 }]);
  });
});
