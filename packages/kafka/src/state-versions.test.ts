import { expect, it } from '@jest/globals';
import { StateVersions } from './state-versions.ts';

const take = (versions: StateVersions, key: string | undefined, value: unknown): void => {
  const text = value === null ? null : Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
  versions.apply({ offset: 0, key, timestampMs: 0, bytes: { key: null, value: text } });
};

it('holds the newest version of each entity, in any order of the records, until it is erased', () => {
  const versions = new StateVersions();
  const changed: string[] = [];
  versions.whenChanged((id, version) => changed.push(`${id} ${String(version?.n)}`));
  const said = (n: number, deleted = false) => ({ version: { epoch: 1, n }, deleted });
  for (const [key, value] of [
    ['a', said(2)],
    ['a', { ...said(1), state: { name: 'older' } }],
    ['b', said(1)],
    ['b', said(2, true)],
    ['c', said(1)],
    ['c', null],
    ['d', { ...said(7), state: 'of a newer release' }],
    ['e', 'no JSON'],
    ['f', { id: 'f' }],
    [undefined, said(1)],
  ] as const)
    take(versions, key, value);
  expect(Object.fromEntries(versions.newest)).toEqual({ a: said(2), b: said(2, true), d: said(7) });
  expect(changed).toEqual(['a 2', 'b 1', 'b 2', 'c 1', 'd 7']);
  expect(versions.isComplete).toBe(true);
});
