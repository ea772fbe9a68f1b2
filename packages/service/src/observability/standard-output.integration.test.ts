import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { expect, it } from '@jest/globals';

const LOGGER = new URL('logger.ts', import.meta.url).href;

it('keeps a process working, and lets it end, where the disk of its log is full', () => {
  const script = `
    import { setTimeout as pause } from 'node:timers/promises';
    const { createLogger } = await import(${JSON.stringify(LOGGER)});
    const logger = createLogger('scheduling', 'info');
    for (const line of [1, 2]) { logger.info(String(line)); await pause(50); }
    logger.fatal('cannot go on');
    process.exit(7);
  `;
  const full = fs.openSync('/dev/full', 'a');
  const args = ['--conditions=source', '--input-type=module', '--eval', script];
  const { status } = spawnSync(process.execPath, args, {
    stdio: ['ignore', full, 'inherit'],
    timeout: 20_000,
  });
  fs.closeSync(full);
  expect(status).toBe(7);
});
