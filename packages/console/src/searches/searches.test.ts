import { describe, expect, test } from '@jest/globals';
import { saveRefused, searchChangeRefused } from './searches.ts';

describe('saved searches', () => {
  test('Their owner and the admins of the account change them.', () => {
    const search = { owner: { id: 'u-ada' } };
    const as = (role: string, id: string) => ({ role: { id: role }, user: { id } });

    expect(searchChangeRefused(search, as('user', 'u-ada'))).toBeUndefined();
    expect(searchChangeRefused(search, as('admin', 'u-grace'))).toBeUndefined();
    expect(searchChangeRefused(search, as('owner', 'u-grace'))).toBeUndefined();
    expect(searchChangeRefused(search, as('user', 'u-grace'))).toBe('Another person owns this search.');
  });

  test('A search is saved with a name, and never the one that finds all alerts.', () => {
    expect(saveRefused('status:open', 'Mine')).toBeUndefined();
    expect(saveRefused('status:open', ' ')).toBe('Type a name first.');
    expect(saveRefused('', 'All')).toBe('Type a search first: this one finds all alerts.');
  });
});
