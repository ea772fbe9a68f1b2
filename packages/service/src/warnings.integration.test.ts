import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { processEnvironment } from '@tocsin/testkit';

const FIXTURE = fileURLToPath(new URL('./testing/warning-service.ts', import.meta.url));

describe('what Node and libraries warn of', () => {
  it('is a line of the log, unless an option of Node disables it', async () => {
    const flags = ['--conditions=source', '--disable-warning=ExperimentalWarning', '--disable-warning=Unwanted'];
    const env = {
      ADMIN_PORT: '0',
      KAFKA_BROKERS: '127.0.0.1:1',
      MONGODB_URI: 'mongodb://127.0.0.1:1',
      INTERNAL_SIGNING_KEY: 'k'.repeat(32),
      STOP_WAIT_MS: '0',
      LOG_LEVEL: 'warn',
    };
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [...flags, FIXTURE], {
      env: processEnvironment(env),
    });
    expect(stderr).toBe('');
    const lines = stdout.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      {
        level: 'warn',
        name: 'directory',
        err: { name: 'UnknownTimeZone', message: 'There is no time zone [Mars/Base].' },
      },
    ]);
  });
});
