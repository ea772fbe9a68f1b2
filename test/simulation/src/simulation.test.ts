import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { casesOf } from '@tocsin/testkit';

const MAIN = fileURLToPath(new URL('main.ts', import.meta.url));

/** In a process of its own, because it replaces the globals of Node before it loads the code that it runs. */
function simulate(...args: readonly string[]) {
  const flags = ['--conditions=source', '--disable-warning=ExperimentalWarning'];
  return spawnSync(process.execPath, [...flags, MAIN, ...args], { encoding: 'utf8' });
}

it('the outbox and the due work keep their promises in the order of each seed', () => {
  const seeds = casesOf({ usual: 20, deep: 1_000 });
  const { status, stderr, stdout } = simulate('--seeds', String(seeds));
  expect({ status, stderr, stdout }).toEqual({
    status: 0,
    stderr: '',
    stdout: expect.stringContaining(`${seeds} seeds are in order`),
  });
});

it('a broken promise ends the run, with the seed that shows it', () => {
  const { status, stdout } = simulate('--seeds', '20', '--mutation', 'rows-in-another-order');
  expect(status).toBe(1);
  expect(stdout).toMatch(
    /Seed \d+ breaks a promise of the (outbox|due work): .*\nIts story: npm run simulate -- --seed \d+/s,
  );
});

it.each([
  ['an option that is no number', ['--seeds', 'many'], '--seeds takes a whole number, not many.'],
  ['an unknown option', ['--sed', '1'], "Unknown option '--sed'"],
  ['an unknown mutation', ['--mutation', 'none'], 'There is no mutation none.'],
])('refuses %s', (_, args, text) => {
  const { status, stderr } = simulate(...args);
  expect(status).toBe(2);
  expect(stderr).toContain(text);
});
