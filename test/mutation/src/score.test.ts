import { describe, expect, it } from '@jest/globals';
import { scoreOf, shareOf, tableOf } from './score.ts';

const reportOf = (...statuses: readonly string[]) => ({
  files: { 'a.ts': { mutants: statuses.map((status) => ({ status })) } },
});

describe('the score of an area', () => {
  it('counts what the tests found, what survived and what no test reaches', () => {
    const report = reportOf('Killed', 'Timeout', 'Survived', 'NoCoverage', 'Killed');
    expect(scoreOf('rules', report)).toEqual({ area: 'rules', changes: 5, found: 3, survived: 1, uncovered: 1 });
  });

  it('leaves out changes that were not made', () => {
    expect(scoreOf('rules', reportOf('Ignored', 'CompileError', 'Killed'))).toMatchObject({ changes: 1, found: 1 });
  });

  it('is 0 where nothing was changed', () => {
    expect(shareOf(scoreOf('rules', reportOf()))).toBe(0);
  });

  it('is a row of a table', () => {
    const table = tableOf([scoreOf('rules', reportOf('Killed', 'Killed', 'Survived'))]);
    expect(table.split('\n').at(-1)).toBe('| rules | 3 | 2 | 1 | 0 | 66.7 % |');
  });
});
