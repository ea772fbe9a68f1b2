import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));
const PAGE = readFileSync(new URL('../../../docs/benchmarks.md', import.meta.url), 'utf8');

const bench = (...args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...process.execArgv, MAIN, ...args], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};

it('lists the benches that the documentation explains', () => {
  const explained = [...PAGE.matchAll(/^\| `([a-z]+)`/gm)].map(([, name]) => name);
  const { status, stdout } = bench();
  expect([...stdout.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name)).toEqual(explained);
  expect(status).toBe(0);
});

it('refuses a name that is none with code 2, and lists those that there are', () => {
  const { status, stdout, stderr } = bench('ingests');
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toContain('There is no bench ingests.\nnpm run bench -- <name> runs one of:\n  ingest ');
});
