import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { expect, test } from '@jest/globals';

const TERMINAL = new URL('terminal.ts', import.meta.url).href;

test('a supervisor goes on whose output is kept on a disk that is full', () => {
  const script = `
    const { terminal } = await import(${JSON.stringify(TERMINAL)});
    terminal.say('Kafka has ended');
    terminal.complain('the gateway has ended');
    setTimeout(() => process.exit(7), 50);
  `;
  const full = fs.openSync('/dev/full', 'a');
  const args = ['--input-type=module', '--eval', script];
  const { status } = spawnSync(process.execPath, args, { stdio: ['ignore', full, full], timeout: 120_000 });
  fs.closeSync(full);
  expect(status).toBe(7);
});
