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

it('the outbox, the due work and the pages of notifier keep their promises in the order of each seed', () => {
  const seeds = casesOf({ usual: 8, deep: 1_000 });
  const { status, stderr, stdout } = simulate('--seeds', String(seeds));
  expect({ status, stderr, stdout }).toEqual({
    status: 0,
    stderr: '',
    stdout: expect.stringContaining(`${seeds} seeds kept every promise`),
  });
});

it.each([
  ['rows in another order', 'outbox', 'rows-in-another-order', 'the versions first appear in the order'],
  ['a process that commits nothing', 'outbox', 'no-transaction-begins', 'No write was acknowledged.'],
  ['messages of a try that is not committed', 'due-work', 'rows-outside-of-the-transaction', 'which was not committed'],
  ['a page that is lost', 'pages', 'checkpoints-outside-of-the-transaction', 'the page is not known'],
  ['a message after its cancel', 'pages', 'cancelled-messages-are-begun', 'it was begun after its cancel'],
  ['work before it is due', 'due-work', 'due-work-by-the-clock-of-the-machine', 'was done before it was due'],
])('finds %s', (_, simulation, mutation, text) => {
  const { status, stdout } = simulate('--seeds', '20', '--simulation', simulation, '--mutation', mutation);
  expect(status).toBe(1);
  expect(stdout).toMatch(new RegExp(`^Seed \\d+ breaks a promise of the simulation ${simulation}: .*${text}`, 'm'));
});
