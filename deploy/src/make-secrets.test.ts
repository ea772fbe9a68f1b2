import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

const DEPLOY = new URL('../', import.meta.url);

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tocsin-secrets-'));
  fs.mkdirSync(path.join(folder, 'compose'));
  fs.copyFileSync(new URL('compose/make-secrets.sh', DEPLOY), path.join(folder, 'compose', 'make-secrets.sh'));
});
afterEach(() => {
  fs.rmSync(folder, { recursive: true });
});

const file = (): string => path.join(folder, '.env');
const make = (): string => execFileSync('sh', [path.join(folder, 'compose', 'make-secrets.sh')], { encoding: 'utf8' });
const secrets = (): ReadonlyMap<string, string> =>
  new Map(
    fs
      .readFileSync(file(), 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split('=') as [string, string]),
  );

test('every secret without which compose.yaml does not start is made, each another, for the owner alone', () => {
  const needed = fs.readFileSync(new URL('compose.yaml', DEPLOY), 'utf8').matchAll(/\$\{(\w+):\?/g);

  make();

  const made = secrets();
  expect([...made.keys()].sort()).toEqual([...new Set([...needed].map(([, name = '']) => name))].sort());
  expect(new Set(made.values()).size).toBe(made.size);
  expect(made.get('BOOTSTRAP_API_KEY')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  const others = [...made].filter(([name]) => name !== 'BOOTSTRAP_API_KEY').map(([, value]) => value);
  expect(others.filter((value) => !/^[0-9a-f]{64}$/.test(value))).toEqual([]);
  expect((fs.statSync(file()).mode & 0o777).toString(8)).toBe('600');
});

test('a file whose last line has no end keeps its last value', () => {
  fs.writeFileSync(file(), 'BOOTSTRAP_API_KEY=k');

  make();

  expect(secrets().get('BOOTSTRAP_API_KEY')).toBe('k');
  expect(secrets().has('INTERNAL_SIGNING_KEY')).toBe(true);
});

test('a secret that is named and empty is made', () => {
  fs.writeFileSync(file(), 'MONGODB_KEY=\n');

  make();

  expect(secrets().get('MONGODB_KEY')).toMatch(/^[0-9a-f]{64}$/);
});

test('a file of an earlier release gets what it lacks and keeps the rest', () => {
  fs.writeFileSync(file(), 'INTERNAL_SIGNING_KEY=s\nGATEWAY_PORT=18080\n');

  make();

  const first = secrets();
  expect(first.get('INTERNAL_SIGNING_KEY')).toBe('s');
  expect(first.get('GATEWAY_PORT')).toBe('18080');
  expect(first.has('MONGODB_KEY')).toBe(true);
  expect(make()).toContain('left alone');
  expect(secrets()).toEqual(first);
  expect(fs.readdirSync(folder).sort()).toEqual(['.env', 'compose']);
});
