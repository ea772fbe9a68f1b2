import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';

const ROOT = path.resolve(import.meta.dirname, '../../..');
/** The second is generated: `npm run check` compares it with `packages/api`. */
const PAGES = ['docs/behaviour.md', 'docs/api-reference.md'];
const ENTRY = /^- \*\*([A-Z]\d+)\*\*/gm;
/** Parentheses that hold codes alone, such as `(A9, U21)`, after a text of the specification or without one. */
const CITATION = /\((?:part \d[^();]*; )?([A-Z]\d{1,2}(?:[-, ]+[A-Z]\d{1,2})*)\)/g;

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

const entriesOf = (page: string): readonly string[] => [...read(page).matchAll(ENTRY)].map(([, code = '']) => code);
const entries = PAGES.flatMap(entriesOf);

const files = (): readonly string[] => {
  const { stdout } = spawnSync('git', ['ls-files', '*.ts', '*.md'], { cwd: ROOT, encoding: 'utf8' });
  return stdout.split('\n').filter((file) => file !== '');
};

describe('the codes of docs/behaviour.md and docs/api-reference.md', () => {
  it('are given to one entry each', () => {
    for (const page of PAGES) expect(entriesOf(page).length).toBeGreaterThan(40);
    expect(entries.length).toBeGreaterThan(100);
    expect(entries.filter((code, index) => entries.indexOf(code) !== index)).toEqual([]);
  });

  it('are those that code, tests and documents cite', () => {
    const cited = files().flatMap((file) =>
      [...read(file).matchAll(CITATION)]
        .flatMap(([, codes = '']) => codes.match(/[A-Z]\d+/g) ?? [])
        .map((code) => ({ file, code })),
    );
    expect(cited.length).toBeGreaterThan(1_000);
    expect(cited.filter(({ code }) => !entries.includes(code))).toEqual([]);
  });
});
