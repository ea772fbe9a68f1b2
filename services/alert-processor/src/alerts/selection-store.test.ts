import { describe, expect, it } from '@jest/globals';
import { parseQuery } from '@tocsin/rules';
import { indexOf } from './selection-store.ts';

const selection = (text: string, teamId: string | undefined) => {
  const parsed = parseQuery(text);
  if (parsed.kind === 'refused' || parsed.query === undefined) throw new TypeError(`${text} is no search`);
  return { teamId, search: { query: parsed.query, idsOf: (_field: string, value: string) => [value] } };
};

describe('a list in order of creation', () => {
  it.each([
    ['tag:a AND owner:b', undefined, true],
    ['tag:a AND owner:b AND disk', undefined, true],
    ['tag:a AND owner:b AND disk AND priority:P1', undefined, false],
    ['tag:a AND status:open', undefined, false],
    ['tag:a AND owner:b AND tinyId:7', undefined, false],
    ['tag:a AND NOT owner:b', undefined, false],
    ['tag:a* AND entity:b*', undefined, false],
    ['tag:a AND dis*', undefined, false],
    ['tag:a AND owner:b AND dis*', undefined, true],
    ['tag:a', 'red', true],
    ['status:open', 'red', false],
  ])('is given the hint of the index of terms for the query %s by the team %s: %s', (text, teamId, hasHint) => {
    expect(indexOf(selection(text, teamId), 'createdAt') !== undefined).toBe(hasHint);
    expect(indexOf(selection(text, teamId), 'updatedAt')).toBeUndefined();
  });
});
