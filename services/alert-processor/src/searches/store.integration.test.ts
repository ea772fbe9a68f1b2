import { describe, expect, it } from '@jest/globals';
import { ConflictError } from '@tocsin/core';
import type { SavedSearch } from './saved-search.ts';
import { useDatabase } from '../testing/mongo-fixture.ts';
import { SavedSearchStore } from './store.ts';

const at = (second: number) => new Date(Date.UTC(2026, 0, 5, 8, 0, second));

const search = (id: string, name: string, second = 0): SavedSearch => ({
  id,
  name,
  query: 'status:open',
  ownerId: 'ada',
  teamIds: ['ops'],
  description: '',
  createdAt: at(second),
  updatedAt: at(second),
});

const database = useDatabase();
const make = async () => new SavedSearchStore(await database());

describe('the store of saved searches', () => {
  it('reads back the written values, by id and by name', async () => {
    const store = await make();
    await store.insert(search('1', 'Open'));
    expect(await store.find({ type: 'id', value: '1' })).toEqual(search('1', 'Open'));
    expect(await store.find({ type: 'name', value: 'Open' })).toEqual(search('1', 'Open'));
    expect(await store.find({ type: 'name', value: 'open' })).toBeUndefined();
    expect(await store.find({ type: 'id', value: 'Open' })).toBeUndefined();
  });

  it('lists in order of creation', async () => {
    const store = await make();
    await store.insert(search('2', 'b', 1));
    await store.insert(search('1', 'a', 2));
    expect(await store.list(undefined)).toEqual([
      { id: '2', name: 'b' },
      { id: '1', name: 'a' },
    ]);
  });

  it('lists and counts those that name a team', async () => {
    const store = await make();
    for (const [id, teamIds] of [
      ['1', ['ops', 'red']],
      ['2', ['red']],
      ['3', []],
      ['4', ['red', 'ops']],
    ] as const)
      await store.insert({ ...search(id, `name ${id}`, Number(id)), teamIds });
    expect((await store.list('ops')).map(({ id }) => id)).toEqual(['1', '4']);
    expect((await store.list(undefined)).length).toBe(4);
    expect([await store.countOfTeam('red', 10), await store.countOfTeam('red', 2)]).toEqual([3, 2]);
    expect(await store.countOfTeam('blue', 10)).toBe(0);
  });

  it('changes the given fields and nothing else', async () => {
    const store = await make();
    await store.insert(search('1', 'Open'));
    const changed = { ...search('1', 'Shut'), teamIds: [], updatedAt: at(9) };
    expect(await store.change('1', { name: 'Shut', teamIds: [], updatedAt: at(9) })).toEqual(changed);
    expect(await store.find({ type: 'name', value: 'Shut' })).toEqual(changed);
    expect(await store.change('none', { name: 'x' })).toBeUndefined();
  });

  it('refuses a name that is taken', async () => {
    const store = await make();
    await store.insert(search('1', 'Open'));
    await store.insert(search('2', 'Other'));
    await expect(store.insert(search('3', 'Open'))).rejects.toBeInstanceOf(ConflictError);
    await expect(store.change('2', { name: 'Open' })).rejects.toBeInstanceOf(ConflictError);
    expect(await store.change('1', { name: 'Open' })).toEqual(search('1', 'Open'));
  });

  it('does not find a removed one', async () => {
    const store = await make();
    await store.insert(search('1', 'Open'));
    await store.remove('1');
    await store.remove('1');
    expect(await store.list(undefined)).toEqual([]);
  });
});
